import { describe, expect, test } from 'vitest';
import { folderForCmd, shellCommand } from './shell-command.ts';

const windows = {
  SystemRoot: 'C:\\Windows',
  ComSpec: 'C:\\Windows\\System32\\cmd.exe',
  TEMP: 'C:\\Users\\Ann\\AppData\\Local\\Temp',
};
const local = 'C:\\Work\\App';
const share = '\\\\server\\team\\App';
const prefix = '"C:\\Windows\\System32\\chcp.com" 65001 >nul 2>nul & ver >nul & ';

const lineOf = (command: string, cwd: string, environment = windows) =>
  shellCommand('win32', command, cwd, environment).args.at(-1);

/** What a model may write, or a person allow, with all that means something to cmd. */
const commands: [what: string, command: string][] = [
  ['a program with a quoted path', '"C:\\Program Files\\nodejs\\node.exe" -v'],
  ['an ampersand', 'dir & echo done'],
  ['a pipe with a redirection', 'dir | findstr x > out.txt'],
  ['a caret before an operator', 'echo a ^& b'],
  ['a caret at the end, which joins lines', 'echo a ^'],
  ['a percent sign of a variable', 'echo %PATH%'],
  ['a single percent sign', 'echo 100% sure'],
  ['the folder as a variable', 'del "%CD%\\*.tmp"'],
  ['an exclamation mark', 'echo hi! !x!'],
  ['balanced parentheses', '(echo a & echo b) > out.txt'],
  ['a parenthesis that is never opened', 'echo a) & del *.txt'],
  ['a parenthesis that is never closed', '(echo a'],
  ['a parenthesis at the beginning', ') echo a'],
  ['a quote that is not closed', 'echo "open'],
  ['a quote alone', '"'],
  ['the end of a quoted line and another command', 'echo a" & del *.txt & echo "'],
  ['an operator at the beginning', '&& echo a'],
  ['an operator at the end', 'echo a &'],
  ['a condition with both branches', 'if exist a (type a) else (exit 3)'],
  ['a loop', 'for %i in (1 2 3) do @echo %i'],
  ['an exit code of its own', 'exit /b 7'],
  ['a remark', 'rem nothing & echo not run'],
  ['letters of other scripts', 'echo Grüße 日本 🚀'],
  ['a redirection at the beginning', '>out.txt echo a'],
  ['words like those of the wrapper', 'popd & exit !ANDIRON_SHARE_CODE! & "!ANDIRON_SHARE_LINE!"'],
];

describe('In a folder on a drive cmd gets, as the last thing of its line (desk-F8)', () => {
  test.each(commands)('%s', (_what, command) => {
    expect(shellCommand('win32', command, local, windows)).toEqual({
      file: 'C:\\Windows\\System32\\cmd.exe',
      args: ['/d', '/v:off', '/s', '/c', `"${prefix}${command}"`],
      verbatim: true,
      cwd: local,
      env: {},
    });
  });
});

describe('In a shared folder the first cmd reads the same line, and the second one (desk-F5)', () => {
  const first = lineOf('dir', share);
  test.each(commands)('%s', (_what, command) => {
    const start = shellCommand('win32', command, share, windows);
    expect(start.args).toEqual(['/d', '/v:on', '/s', '/c', first]);
    expect(start.env['ANDIRON_SHARE_LINE']).toBe(`${prefix}${command}`);
    expect(start.env['ANDIRON_SHARE']).toBe(share);
    expect(start.cwd).toBe(windows.TEMP);
  });

  test('goes there first, runs nothing where it cannot, and ends with the code of the command (desk-F5)', () => {
    expect(first).toBe(
      '"pushd "!ANDIRON_SHARE!" && ("!ANDIRON_SHARE_SHELL!" /d /v:off /s /c "!ANDIRON_SHARE_LINE!"' +
        ' & set ANDIRON_SHARE_CODE=!errorlevel!& popd & exit !ANDIRON_SHARE_CODE!)"',
    );
  });

  test.each([
    ['a percent sign', '\\\\server\\100% done\\%PATH%'],
    ['an ampersand', '\\\\server\\R&D'],
    ['a caret and parentheses', '\\\\server\\a^b (old)'],
    ['an exclamation mark', '\\\\server\\hot!stuff!'],
    ['letters of other scripts', '\\\\sërver\\日本'],
  ])('whatever is in the name of the folder: %s (desk-F5)', (_what, folder) => {
    const start = shellCommand('win32', 'dir', folder, windows);
    expect(start.args.at(-1)).toBe(first);
    expect(start.env['ANDIRON_SHARE']).toBe(folder);
  });
});

describe('cmd is told of a folder (desk-F5)', () => {
  test.each([
    ['on a drive as it is', 'C:\\Work', 'C:\\Work', false],
    ['on a drive in small letters as it is', 'z:\\work', 'z:\\work', false],
    ['that is a drive as it is', 'D:\\', 'D:\\', false],
    ['with slashes in its own way', 'C:/Work/a', 'C:\\Work\\a', false],
    ['with the prefix of long paths without it', '\\\\?\\C:\\Work', 'C:\\Work', false],
    ['with the prefix of devices without it', '\\\\.\\C:\\Work', 'C:\\Work', false],
    ['on a server as a share', '\\\\server\\team', '\\\\server\\team', true],
    ['on a server, with slashes, as a share', '//server/team/a', '\\\\server\\team\\a', true],
    ['on a server by its address as a share', '\\\\10.0.0.7\\c$', '\\\\10.0.0.7\\c$', true],
    ['of WSL as a share', '\\\\wsl$\\Ubuntu\\home', '\\\\wsl$\\Ubuntu\\home', true],
    ['of WSL by its newer name as a share', '\\\\wsl.localhost\\Ubuntu', '\\\\wsl.localhost\\Ubuntu', true],
    [
      'on a server with the prefix of long paths as a share',
      '\\\\?\\UNC\\server\\team',
      '\\\\server\\team',
      true,
    ],
    ['on a server with that prefix in small letters as a share', '\\\\?\\unc\\s\\t', '\\\\s\\t', true],
    [
      'of a volume without a letter as a share, which pushd refuses',
      '\\\\?\\Volume{1}\\a',
      '\\\\?\\Volume{1}\\a',
      true,
    ],
  ])('%s', (_what, cwd, path, isShare) => {
    expect(folderForCmd(cwd)).toEqual({ path, isShare });
  });
});

describe('The shell of Windows is (desk-F7)', () => {
  test.each([
    ['the one that ComSpec names', { ComSpec: 'D:\\tcc\\tcc.exe' }, 'D:\\tcc\\tcc.exe'],
    ['the one that COMSPEC names', { COMSPEC: 'D:\\tcc\\tcc.exe' }, 'D:\\tcc\\tcc.exe'],
    ['cmd of Windows where nothing is named', { SystemRoot: 'D:\\Win' }, 'D:\\Win\\System32\\cmd.exe'],
    [
      'cmd of Windows where SYSTEMROOT is in capitals',
      { SYSTEMROOT: 'D:\\Win' },
      'D:\\Win\\System32\\cmd.exe',
    ],
    ['cmd of Windows where a bare name is named', { ComSpec: 'cmd.exe' }, 'C:\\Windows\\System32\\cmd.exe'],
    [
      'cmd of Windows where a share is named',
      { ComSpec: '\\\\evil\\cmd.exe' },
      'C:\\Windows\\System32\\cmd.exe',
    ],
    ['cmd of C: where nothing is known', {}, 'C:\\Windows\\System32\\cmd.exe'],
    [
      'cmd of C: where the root means something to cmd',
      { SystemRoot: 'C:\\%X%' },
      'C:\\Windows\\System32\\cmd.exe',
    ],
    ['cmd of C: where the root is no path', { SystemRoot: 'Windows' }, 'C:\\Windows\\System32\\cmd.exe'],
  ])('%s', (_what, environment, file) => {
    expect(shellCommand('win32', 'dir', local, environment).file).toBe(file);
  });
});

describe('A command in a share starts (desk-F5)', () => {
  test.each([
    ['in the temporary folder', { TEMP: 'D:\\tmp' }, 'D:\\tmp'],
    ['in the temporary folder in capitals or not', { Temp: 'D:\\tmp' }, 'D:\\tmp'],
    ['beside cmd where that folder is on a share', { TEMP: '\\\\server\\tmp' }, 'C:\\Windows\\System32'],
    ['beside cmd where there is none', { SystemRoot: 'E:\\WINNT' }, 'E:\\WINNT\\System32'],
  ])('%s', (_what, environment, cwd) => {
    expect(shellCommand('win32', 'dir', share, environment).cwd).toBe(cwd);
  });
});

test.each(['linux', 'darwin'])(
  'The shell of %s gets the command as one argument, in its folder',
  (platform) => {
    expect(shellCommand(platform, 'echo "a" & b', '/work', { ComSpec: 'C:\\x.exe' })).toEqual({
      file: '/bin/sh',
      args: ['-c', 'echo "a" & b'],
      cwd: '/work',
      env: {},
    });
  },
);
