/** Commands that misbehave, run for real: the result comes, it says what happened, and nothing of them lives on. */
import { existsSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join, win32 } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { endStep } from '../../src/platform/command-tree.ts';
import { createProcesses } from '../../src/platform/processes.ts';
import { shellCommand } from '../../src/platform/shell-command.ts';
import { systemFiles } from '../../src/platform/files.ts';
import { workbench, type Workbench } from '../../src/host/tools/testing.ts';
import { resolveInside } from '../../src/host/tools/workspace-path.ts';
import { costOf } from '../helpers/cost.ts';
import { skippableClock } from '../helpers/skippable-clock.ts';

let bench: Workbench;
beforeEach(() => {
  bench = workbench();
});
afterEach(() => bench.remove());

/** Processes that work in the folder, dead ones left out. */
function liveIn(folder: string): string[] {
  return readdirSync('/proc').filter((pid) => /^\d+$/.test(pid) && worksIn(pid, folder));
}

function worksIn(pid: string, folder: string): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return (
      readlinkSync(`/proc/${pid}/cwd`) === folder && !stat.slice(stat.lastIndexOf(')')).startsWith(') Z')
    );
  } catch {
    // It has ended meanwhile.
    return false;
  }
}

describe.skipIf(process.platform === 'win32')('a command', () => {
  test('that floods both streams is ended in little memory, with its beginning and end', async () => {
    let live = 0;
    const { results, heapMb, lagMs } = await costOf(() =>
      bench.call(
        'run_command',
        { command: 'echo first; yes oops >&2 & yes' },
        { output: (text) => void (live += text.length) },
      ),
    );
    expect(results.ok).toBe(false);
    expect(results.content).toMatch(
      /It printed too much and was ended\. Print less, for example with head\./,
    );
    expect(results.content).toContain('stdout:\nfirst\ny\n');
    expect(results.content).toContain('stderr:\noops\n');
    expect(results.content.length).toBeLessThanOrEqual(8_100);
    expect(live).toBeLessThan(101_000);
    // About 80 of what both streams may print.
    expect(heapMb).toBeLessThan(110);
    expect(lagMs).toBeLessThan(1_000);
  });

  test.each([
    ['one endless line', 'head -c 30000000 /dev/zero | tr "\\0" x'],
    ['control sequences', "yes \"$(printf '\\033[31m\\033]8;;')\" | tr -d '\\n'"],
    ['strings that never end', "yes \"$(printf '\\033]')\" | tr -d '\\n'"],
    ['carriage returns', "yes \"$(printf '%%\\r')\" | tr -d '\\n'"],
    ['bytes that are no text', 'cat /dev/urandom'],
  ])('that floods with %s does not hold anything up', async (_, command) => {
    const { results, heapMb, lagMs } = await costOf(() => bench.call('run_command', { command }));
    expect(results.content).toContain('It printed too much and was ended.');
    expect(results.content.length).toBeLessThanOrEqual(8_100);
    expect(heapMb).toBeLessThan(80);
    expect(lagMs).toBeLessThan(1_000);
  });

  test('that hangs is ended by its time limit, and what it printed is kept', async () => {
    const clock = skippableClock();
    const desk = workbench(systemFiles, { clock, processes: createProcesses(clock) });
    const result = desk.call('run_command', { command: 'echo waiting; echo >printed; sleep 600' });
    await expect.poll(() => existsSync(join(desk.workspace, 'printed'))).toBe(true);
    clock.skip(120_000);
    const { content } = await result;
    desk.remove();
    expect(content).toMatch(
      /^Tool error: it was ended after 120 s\. Do it in smaller parts, or in a way that ends by itself\.\n/,
    );
    expect(content).toContain('stdout:\nwaiting');
  });

  test('that waits for input gets its end at once', async () => {
    const { content } = await bench.call('run_command', { command: 'read answer; echo "[$answer]"; cat' });
    expect(content).toBe('exit code: 0\nstdout:\n[]');
  });

  test.runIf(process.platform === 'linux')(
    'that forks a tree which ignores SIGTERM leaves nobody behind at Stop',
    async () => {
      const controller = new AbortController();
      const stubborn = 'trap "" TERM; while :; do sleep 0.05; done';
      const command = `for n in 1 2 3 4 5 6 7 8 9 10; do (trap "" TERM; (${stubborn}) & (${stubborn}) & wait) & done; echo all; wait`;
      const result = bench.call(
        'run_command',
        { command },
        {
          signal: controller.signal,
          output: () => controller.abort(),
        },
      );
      expect((await result).content).toBe('operation cancelled by user');
      expect(liveIn(bench.workspace)).toEqual([]);
    },
  );

  test.runIf(process.platform === 'linux')(
    'that ends and leaves such a tree in the background leaves nobody behind either, and the model is told',
    async () => {
      const { ok, content } = await bench.call('run_command', {
        command: '(trap "" TERM; while :; do sleep 0.05; done) & (sleep 600 &) & echo started',
      });
      expect(ok).toBe(true);
      expect(content).toContain('Processes that it left in the background were ended.');
      expect(liveIn(bench.workspace)).toEqual([]);
    },
  );

  test('that closes its output and works on is waited for', async () => {
    const { content } = await bench.call('run_command', {
      command: 'echo before; exec >&- 2>&-; sleep 0.2; touch worked; exit 3',
    });
    expect(content).toBe('Error: exit code: 3\nstdout:\nbefore');
    expect(existsSync(join(bench.workspace, 'worked'))).toBe(true);
  });

  test('that closes its output and hangs is ended at Stop', async () => {
    const controller = new AbortController();
    const result = bench.call(
      'run_command',
      { command: 'echo before; exec >&- 2>&-; sleep 600' },
      {
        signal: controller.signal,
        output: () => controller.abort(),
      },
    );
    expect((await result).content).toBe('operation cancelled by user');
  });

  test('that kills itself tells the signal', async () => {
    expect((await bench.call('run_command', { command: 'kill -SEGV $$' })).content).toBe(
      'Error: ended by SIGSEGV',
    );
  });

  test('that does not exist tells what the shell says', async () => {
    const { content } = await bench.call('run_command', { command: 'no-such-program-here' });
    expect(content).toMatch(/^Error: exit code: 127\nstderr:\n.*not found/);
  });

  test('that is too long, or has a NUL, is refused with the way on', async () => {
    const long = await bench.call('run_command', { command: `echo ${'a'.repeat(200_000)}` });
    expect(long.content).toMatch(
      /^Tool error: it is too long to be run\. .* write it into a file and run that/,
    );
    const nul = await bench.call('run_command', { command: 'echo a\0b' });
    expect(nul.content).toMatch(/NUL character, which no command can have\. Leave it out/);
  });

  test('that prints in another encoding is told as far as it is text', async () => {
    const { content } = await bench.call('run_command', {
      command: String.raw`printf 'f\374r \377\376 ok\n'; printf 'caf\303'; sleep 0.05; printf '\251\n'`,
    });
    expect(content).toBe('exit code: 0\nstdout:\nf�r �� ok\ncafé');
  });

  test('that prints commands for a terminal shows none of them but colours', async () => {
    let live = '';
    const { content } = await bench.call(
      'run_command',
      {
        command: String.raw`printf '\033]8;;http://127.0.0.1/\033\\click\033]8;;\033\\ \033]52;c;ZXZpbA==\007\033]0;title\007\033[2J\033P1;2|dcs\033\\\302\2331;31mred\302\2330m \033[8mhidden\033[0m\033(0lqk\033(B\n'`,
      },
      { output: (text) => void (live += text) },
    );
    expect(content).toBe('exit code: 0\nstdout:\nclick red hiddenlqk');
    expect(live).toBe('click \u001B[1;31mred\u001B[0m \u001B[8mhidden\u001B[0mlqk\n');
  });
});

describe('on Windows', () => {
  test('a command of several lines is refused, because cmd would run the first alone', async () => {
    const desk = workbench(systemFiles, { platform: 'win32' });
    const { ok, content } = await desk.call('run_command', { command: 'echo one\necho two' });
    desk.remove();
    expect(ok).toBe(false);
    expect(content).toMatch(/A command is one line on Windows\. Join its parts with &&/);
  });

  test.each([
    ['quotes', 'type "C:\\My Files\\a.txt"'],
    ['operators', 'dir & echo done | findstr x > out.txt'],
    ['carets, percents and exclamation marks', 'echo ^& %PATH% !x!'],
    ['a quote that is not closed', 'echo "open'],
  ])('%s reach cmd as they are', (_, command) => {
    const { args, verbatim } = shellCommand('win32', command, 'C:\\Work', {});
    expect(args.slice(0, -1)).toEqual(['/d', '/v:off', '/s', '/c']);
    expect(args.at(-1)?.endsWith(` & ${command}"`)).toBe(true);
    expect(verbatim).toBe(true);
  });

  test('a tree is ended through taskkill, and only its own pid is named', () => {
    expect(endStep('win32', 4711, true, { SystemRoot: 'C:\\Windows' })).toEqual({
      file: 'C:\\Windows\\System32\\taskkill.exe',
      args: ['/F', '/T', '/PID', '4711'],
    });
  });

  const root = 'C:\\Work\\Café';
  test.each([
    'CON',
    'con.txt',
    'src\\CONIN$',
    'conout$',
    'nul .txt',
    'COM¹',
    'lpt².log',
    'prn.',
    'a.txt::$DATA',
    '.git::$INDEX_ALLOCATION\\config',
    'a.txt...',
    '..\\CAFE\u0301\\a',
    '..\\Cafe\u0301\\a',
    '..\\CAF~1\\a',
    '\\\\?\\UNC\\server\\share',
    '\\\\localhost\\c$\\Work',
    'c:..\\a',
    '/c/Work/Other',
    '..\\..\\Windows\\System32',
    'src/..\\../..//x',
  ])('the path %j is refused', (named) => {
    expect(resolveInside(root, named, win32)).toBeNull();
  });

  test.each([
    ['src\\sub/a.txt', 'C:\\Work\\Café\\src\\sub\\a.txt'],
    ['C:\\WORK\\café\\a.txt', 'C:\\WORK\\café\\a.txt'],
    ['company.txt', 'C:\\Work\\Café\\company.txt'],
    ['com10', 'C:\\Work\\Café\\com10'],
    ['a..b\\..c', 'C:\\Work\\Café\\a..b\\..c'],
  ])('the path %j is inside', (named, path) => {
    expect(resolveInside(root, named, win32)).toBe(path);
  });
});
