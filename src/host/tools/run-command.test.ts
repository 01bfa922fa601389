import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { systemClock } from '../../platform/clock.ts';
import { systemFiles } from '../../platform/files.ts';
import { systemProcesses, type ProcessEnd } from '../../platform/processes.ts';
import { commandEnvironment } from './command-environment.ts';
import { createLiveText, createStreamText, streamCap } from './command-output.ts';
import type { Workbench } from './testing.ts';
import { workbench } from './testing.ts';

describe('run_command', () => {
  let bench: Workbench;
  beforeEach(() => {
    bench = workbench();
  });
  afterEach(() => bench.remove());

  const run = (command: string, more = {}) => bench.call('run_command', { command }, more);

  test('G11: tells exit code and streams, and streams them to the card', async () => {
    let live = '';
    const result = await run('pwd; echo warning >&2', { output: (text: string) => void (live += text) });
    expect(result).toEqual({
      ok: true,
      content: `exit code: 0\nstdout:\n${bench.workspace}\nstderr:\nwarning`,
      display: { kind: 'command', command: 'pwd; echo warning >&2', exitCode: 0, signal: null },
    });
    expect(live).toContain('warning\n');
  });

  test('P7: a command that fails is an error with what it printed', async () => {
    expect(await run('echo no such thing >&2; exit 3')).toMatchObject({
      ok: false,
      content: 'Error: exit code: 3\nstderr:\nno such thing',
      display: { exitCode: 3 },
    });
    expect((await run('kill -KILL $$')).content).toBe('Error: ended by SIGKILL');
  });

  test('everything that a command printed is kept beside the part that the model reads (audit-A6, G9)', async () => {
    const { content, whole } = await run("printf '\\033[31mred\\033[0m\\n'; seq 1 20000; seq 1 3 >&2");
    expect(content.length).toBeLessThanOrEqual(8_000);
    const lines = Array.from({ length: 20_000 }, (_, n) => String(n + 1)).join('\n');
    expect(whole).toBe(`exit code: 0\nstdout:\n\u001B[31mred\u001B[0m\n${lines}\nstderr:\n1\n2\n3`);
    expect(await run('echo short')).not.toHaveProperty('whole');
  });

  test.runIf(process.platform === 'linux')(
    'a command that uses nearly all free memory is ended, and the model reads why',
    async () => {
      bench.remove();
      bench = workbench(undefined, { freeMemory: () => 1 });
      const command = "python3 -c 'import time; held = bytearray(1_200_000_000); time.sleep(60)'";
      const { ok, content } = await run(command);
      expect(ok).toBe(false);
      expect(content).toContain(
        'used nearly all free memory of the machine and was ended. Work on less at once.',
      );
    },
    30_000,
  );

  test('a command without output is only its exit code', async () => {
    expect((await run('true')).content).toBe('exit code: 0');
  });

  test('gets no secrets and no terminal', async () => {
    process.env['ANDIRON_TEST_TOKEN'] = 'secret';
    try {
      const { content } = await run('env; test -t 0 && echo terminal; cat');
      expect(content).not.toMatch(/secret|\nterminal/);
      expect(content).toContain('PATH=');
    } finally {
      delete process.env['ANDIRON_TEST_TOKEN'];
    }
  });

  test('a command in a sandbox has what that one needs before its own, and lets go of it when it is over', async () => {
    const released: string[] = [];
    const sandboxed = workbench(systemFiles, {
      sandbox: {
        status: { kind: 'srt', version: '1', hasProxy: false },
        keep: async (start) => ({
          ...start,
          cwd: start.args[1] === 'false' ? join(start.cwd, 'gone') : start.cwd,
          env: { TMPDIR: '/own' },
          release: async () => void released.push(String(start.args[1])),
        }),
      },
    });
    try {
      expect((await sandboxed.call('run_command', { command: 'echo $TMPDIR $TMP' })).content).toContain(
        '/own /tmp',
      );
      expect(await sandboxed.call('run_command', { command: 'false' })).toMatchObject({ ok: false });
      expect(released).toEqual(['echo $TMPDIR $TMP', 'false']);
    } finally {
      sandboxed.remove();
    }
  });

  test('a command whose way out cannot be opened does not run, and its undo point ends', async () => {
    const happened: string[] = [];
    const sandboxed = workbench(systemFiles, {
      sandbox: {
        status: { kind: 'bwrap', version: '1', hasProxy: true },
        keep: (start) => Promise.resolve(start),
        openProxy: () => Promise.reject(new Error('There is no room for the socket.')),
      },
      commands: {
        coverage: () => Promise.resolve({ kind: 'none', problem: 'too_slow' }),
        begin() {
          happened.push('begun');
          return Promise.resolve({
            ended() {
              happened.push('ended');
              return Promise.resolve(null);
            },
          });
        },
      },
    });
    try {
      const { ok, content } = await sandboxed.call(
        'run_command',
        { command: 'touch late' },
        { person: { reach: () => Promise.resolve({ isAllowed: true }) } },
      );
      expect(ok).toBe(false);
      expect(content).toContain('There is no room for the socket');
      expect(happened).toEqual(['begun', 'ended']);
      expect(existsSync(join(sandboxed.workspace, 'late'))).toBe(false);
    } finally {
      sandboxed.remove();
    }
  });

  test('Stop ends it at once with all that it started', async () => {
    const controller = new AbortController();
    const result = run('(sleep 0.3; touch late) & echo ready; wait', {
      signal: controller.signal,
      output: () => controller.abort(),
    });
    expect((await result).content).toBe('operation cancelled by user');
    expect((await run('sleep 0.4')).ok).toBe(true);
    expect(existsSync(join(bench.workspace, 'late'))).toBe(false);
  });

  test('what it leaves in the background is ended, and the model is told', async () => {
    const { ok, content } = await run('sleep 30 & echo started');
    expect(ok).toBe(true);
    expect(content).toBe(
      'exit code: 0\nProcesses that it left in the background were ended.\nstdout:\nstarted',
    );
  });

  test('a command whose processes cannot be ended says how many still run (audit-S5)', async () => {
    const end = { exitCode: 0, signal: null, killed: null, leftovers: true, unended: 2 };
    const processes = { environment: {}, run: () => Promise.resolve(end) };
    const desk = workbench(systemFiles, { processes });
    const { content } = await desk.call('run_command', { command: 'sudo -b server' });
    desk.remove();
    expect(content).toBe('exit code: 0\n2 of its processes could not be ended and still run.');
  });

  test('a flood is ended, and beginning and end are kept', async () => {
    let live = 0;
    const { ok, content } = await run('echo first; yes', {
      output: (text: string) => void (live += text.length),
    });
    expect(ok).toBe(false);
    expect(content).toContain('It printed too much and was ended.');
    expect(content).toContain('stdout:\nfirst\ny\n');
    expect(content.length).toBeLessThan(streamCap + 200);
    expect(live).toBeLessThan(101_000);
  });

  test('two full streams fit into one result, ends included', async () => {
    const { content } = await run('seq 1 5000; seq 10001 15000 >&2');
    expect(content.length).toBeLessThanOrEqual(8000);
    expect(content).toContain('\n5000\n');
    expect(content.endsWith('\n15000')).toBe(true);
  });

  test.each(['time', 'person'] as const)(
    'two full streams of a command that was ended keep their ends, and all that is said of it: by %s',
    async (reason) => {
      const content = await endedIn(reason);
      expect(content).toContain(reason === 'time' ? 'ended after 120 s' : 'the person ended this call');
      expect(content).toContain('12345 of its processes could not be ended');
      expect(content).toContain('\nthe end of stdout\nstderr:\n');
      expect(content.endsWith('\nthe end of stderr')).toBe(true);
      expect(content.length).toBeLessThanOrEqual(8_000);
    },
  );

  test('a workspace that is gone is told before anybody is asked', async () => {
    bench.remove();
    expect((await run('pwd')).content).toContain('The workspace folder is gone');
  });

  test('an empty command is refused', async () => {
    expect((await run('  ')).content).toContain('command is empty');
  });
});

/** All that can stand around two full streams, in its longest words. */
async function endedIn(reason: 'time' | 'person'): Promise<string> {
  let timeUp: (() => void) | undefined;
  const ended = new AbortController();
  const clock = {
    ...systemClock,
    after(_ms: number, ring: () => void) {
      timeUp = ring;
      return { cancel: () => undefined };
    },
  };
  const desk = workbench(systemFiles, {
    clock,
    processes: {
      ...systemProcesses,
      run: ({ onOutput }) => {
        for (const stream of ['stdout', 'stderr'] as const)
          onOutput(stream, `${`a line of ${stream}\n`.repeat(1_000)}the end of ${stream}\n`);
        if (reason === 'time') timeUp?.();
        else ended.abort();
        const end = {
          exitCode: null,
          signal: 'SIGVTALRM',
          killed: 'output_limit',
          leftovers: true,
          unended: 12_345,
        };
        return Promise.resolve(end as ProcessEnd);
      },
    },
  });
  const { content } = await desk.call('run_command', { command: 'make' }, { ended: ended.signal });
  desk.remove();
  return content;
}

const read = (...pieces: string[]): string => {
  const stream = createStreamText();
  for (const piece of pieces) stream.add(piece);
  return stream.text();
};

describe('what the model reads of a stream', () => {
  test('colours, titles and other control characters are gone', () => {
    expect(read('\u001B[31mred\u001B[0m \u001B]0;title\u0007ok\u0008\u0000\tend\n')).toBe('red ok\tend\n');
  });

  test('of a line drawn again and again the last state is left', () => {
    expect(read('10%\r', '50%\r', '100%\ndone\r\n')).toBe('100%\ndone\n');
    expect(read('10%\r50%\r')).toBe('50%');
  });

  test('up to the cap whole, above it beginning and end', () => {
    expect(read('x'.repeat(streamCap))).toBe('x'.repeat(streamCap));
    const long = read('a'.repeat(streamCap), 'z'.repeat(100));
    expect(long).toHaveLength(streamCap);
    expect(long).toMatch(/^a{1200}\n\.\.\. \[truncated\]\na+z{100}$/);
  });

  test('of a flood the very beginning and the very end', () => {
    const stream = createStreamText();
    for (let n = 0; n < 100_000; n++) stream.add(`line ${String(n)}\n`);
    expect(stream.text()).toMatch(/^line 0\nline 1\n.*\[truncated\].*line 99999\n$/s);
    expect(stream.text()).toHaveLength(streamCap);
  });
});

const show = (limit: number, ...pieces: string[]): string => {
  let shown = '';
  const write = createLiveText(limit, (text) => void (shown += text));
  for (const piece of pieces) write(piece);
  return shown;
};

describe('what the card shows', () => {
  test('colours are kept whole, also those cut between two pieces; no other sequence is left', () => {
    expect(show(100, 'a\u001B', '[3', '1mred\u001B[0', 'm b')).toBe('a\u001B[31mred\u001B[0m b');
    expect(show(100, '\u009B1;38;5;9mred')).toBe('\u001B[1;38;5;9mred');
    expect(show(100, '\u001B]8;;http://x', '\u0007link\n')).toBe('link\n');
    expect(show(100, '\u001B[2J\u001B[10;5Hat\u001B[K\u001B[?25l\u001B[>4;1m\u001Bc!\u0007\u0000')).toBe(
      'at!',
    );
  });

  test('of a line drawn again the last state comes, and says that it is drawn over', () => {
    expect(show(100, 'one\r', '\ntwo\n')).toBe('one\ntwo\n');
    expect(show(100, '10%\r20%', '\r30%\r40%', '\ndone')).toBe('\r20%\r40%\ndone');
    expect(show(100, 'a\n\u001B[32m1\r2\r3')).toBe('a\n\u001B[32m3');
  });

  test('it ends at its limit with the mark', () => {
    expect(show(5, 'abc', 'defg', 'h')).toBe('abcde\n... [truncated]');
    expect(show(8, '\u001B[31mab\u001B[0mc')).toBe('\u001B[31mab\u001B[0m\n... [truncated]');
  });

  test('an escape that is never ended does not hold the text back for ever', () => {
    expect(show(10_000, '\u001B]', 'x'.repeat(3000))).toContain('xxx');
  });
});

test('the environment keeps what tools need and nothing that could be a secret', () => {
  const kept = commandEnvironment({
    PATH: '/bin',
    Path: 'C:\\bin',
    HOME: '/home/me',
    LC_ALL: 'de_DE.UTF-8',
    GOPATH: '/go',
    GITHUB_TOKEN: 'x',
    AWS_SECRET_ACCESS_KEY: 'x',
    DATABASE_URL: 'postgres://me:x@db',
    SSH_AUTH_SOCK: '/run/agent',
    NODE_OPTIONS: '--require x',
    ELECTRON_RUN_AS_NODE: '1',
    TERM: 'xterm',
    EMPTY: undefined,
  });
  expect(kept).toEqual({
    PATH: '/bin',
    Path: 'C:\\bin',
    HOME: '/home/me',
    LC_ALL: 'de_DE.UTF-8',
    GOPATH: '/go',
    TERM: 'dumb',
    NO_COLOR: '1',
    PAGER: 'cat',
    GIT_PAGER: 'cat',
    GIT_TERMINAL_PROMPT: '0',
    GIT_EDITOR: 'true',
  });
});

test('On Windows a command writes UTF-8 and finds no program in its folder by name alone (desk-F8, desk-F7)', () => {
  const onWindows = commandEnvironment({ Path: 'C:\\bin' }, 'win32');
  expect(onWindows).toMatchObject({ PYTHONUTF8: '1', NoDefaultCurrentDirectoryInExePath: '1' });
  for (const platform of ['linux', 'darwin'])
    expect(Object.keys(commandEnvironment({}, platform))).not.toContain('PYTHONUTF8');
});
