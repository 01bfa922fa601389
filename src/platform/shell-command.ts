/** How a person's shell is started on a command, so that it runs exactly what was shown and allowed. Pure. */
import { win32 } from 'node:path';
import type { ProcessRequest } from './processes.ts';
import { variableOf, windowsProgram } from './system-programs.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** `env`: in addition to whatever the command gets. */
export interface ShellStart extends Pick<ProcessRequest, 'file' | 'args' | 'verbatim' | 'cwd'> {
  env: Record<string, string>;
}

export function shellCommand(
  platform: string,
  command: string,
  cwd: string,
  environment: Environment,
): ShellStart {
  if (platform !== 'win32') return { file: '/bin/sh', args: ['-c', command], cwd, env: {} };
  const file = commandShell(environment);
  const line = inUtf8(command, environment);
  const folder = folderForCmd(cwd);
  return folder.isShare
    ? inShare(file, line, folder.path, environment)
    : { file, args: cmdArguments('off', line), verbatim: true, cwd: folder.path, env: {} };
}

/**
 * cmd takes everything between the outer quotes as it is. `/v:off`: an exclamation mark is one, whatever the registry says.
 */
const cmdArguments = (delayed: 'on' | 'off', line: string): string[] => [
  '/d',
  `/v:${delayed}`,
  '/s',
  '/c',
  `"${line}"`,
];

/**
 * What the command prints shall be UTF-8. Nothing encloses the command and nothing comes after it: `&` binds less than all
 * else that a command can have in it, so no parenthesis, quote or caret of it reaches what stands before, and the exit code
 * is its own. `ver` makes the code 0 again where the code page could not be set.
 */
const inUtf8 = (command: string, environment: Environment): string =>
  `"${windowsProgram(environment, 'chcp.com')}" 65001 >nul 2>nul & ver >nul & ${command}`;

const folderVariable = 'ANDIRON_SHARE';
const shellVariable = 'ANDIRON_SHARE_SHELL';
const lineVariable = 'ANDIRON_SHARE_LINE';
const codeVariable = 'ANDIRON_SHARE_CODE';

/**
 * cmd cannot work in a network folder: it would say so and run the command in C:\Windows. `pushd` gives the share a drive
 * letter for the while. A second cmd reads the command there, because `%CD%` is replaced as soon as a line is read, which
 * for the first one is before `pushd`. Folder and command come to the first one as variables that it puts in after it has
 * read its line (`!name!`), so nothing in them can change that line. Where `pushd` fails nothing runs.
 */
function inShare(file: string, line: string, folder: string, environment: Environment): ShellStart {
  const inner = `"!${shellVariable}!" /d /v:off /s /c "!${lineVariable}!"`;
  const leave = `set ${codeVariable}=!errorlevel!& popd & exit !${codeVariable}!`;
  return {
    file,
    args: cmdArguments('on', `pushd "!${folderVariable}!" && (${inner} & ${leave})`),
    verbatim: true,
    cwd: plainFolder(environment),
    env: { [folderVariable]: folder, [shellVariable]: file, [lineVariable]: line },
  };
}

/** The same folder in the words of cmd, and whether it lies on a share: `\\server\share`, `\\wsl$\Ubuntu`. */
export function folderForCmd(cwd: string): { path: string; isShare: boolean } {
  const path = cwd
    .replaceAll('/', '\\')
    .replace(/^\\\\[?.]\\UNC\\/i, '\\\\')
    .replace(/^\\\\[?.]\\(?=[A-Za-z]:)/, '');
  return { path, isShare: path.startsWith('\\\\') };
}

/** A program with its full path, or cmd: a bare name would be looked for in the workspace first. */
function commandShell(environment: Environment): string {
  const named = variableOf(environment, 'ComSpec');
  return named !== undefined && isOnDrive(named) ? named : windowsProgram(environment, 'cmd.exe');
}

/** Where a shell can start that goes elsewhere at once. */
function plainFolder(environment: Environment): string {
  const temporary = variableOf(environment, 'TEMP');
  return temporary !== undefined && isOnDrive(temporary)
    ? temporary
    : win32.dirname(windowsProgram(environment, 'cmd.exe'));
}

const isOnDrive = (path: string): boolean => /^[A-Za-z]:[\\/]/.test(path);
