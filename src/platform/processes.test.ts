import { mkdtemp, readFile, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Clock } from './clock.ts';
import { systemClock } from './clock.ts';
import { createGroupJournal } from './command-groups.ts';
import { endStep } from './command-tree.ts';
import type { GroupJournal, ProcessEnd, ProcessRequest } from './processes.ts';
import { createProcesses } from './processes.ts';

let folder: string;
let journal: GroupJournal | undefined;
beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'andiron-processes-')));
});
afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
});

interface Run {
  end: Promise<ProcessEnd>;
  stdout: () => string;
  stderr: () => string;
  stop: () => void;
  /** Resolves when stdout contains the text. */
  says: (text: string) => Promise<void>;
}

function run(command: string, more: Partial<ProcessRequest> = {}, clock: Clock = systemClock): Run {
  const output = { stdout: '', stderr: '' };
  const controller = new AbortController();
  const waiting: { text: string; resolve: () => void }[] = [];
  const end = createProcesses(clock, journal).run({
    file: '/bin/sh',
    args: ['-c', command],
    cwd: folder,
    env: { PATH: process.env['PATH'] ?? '' },
    onOutput(stream, text) {
      output[stream] += text;
      for (const one of waiting) if (output.stdout.includes(one.text)) one.resolve();
    },
    signal: controller.signal,
    outputLimit: 1_000_000,
    ...more,
  });
  return {
    end,
    stdout: () => output.stdout,
    stderr: () => output.stderr,
    stop: () => controller.abort(),
    says(text) {
      return new Promise((resolve) => {
        waiting.push({ text, resolve });
        if (output.stdout.includes(text)) resolve();
      });
    },
  };
}

/** A dead process that nobody collected yet does not live. */
async function lives(pid: string): Promise<boolean> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  return stat !== '' && !stat.includes(') Z ');
}

/** A hundred times faster, so that grace periods cost nothing. */
const hurried: Clock = {
  ...systemClock,
  monotonic: () => performance.now() * 100,
  after: (ms, then) => systemClock.after(ms / 100, then),
};

const ended = { exitCode: 0, signal: null, killed: null, leftovers: false, unended: 0 };

describe.each(['directly', 'behind the gate of a journal'])('%s', (way) => {
  beforeEach(() => {
    journal = way === 'directly' ? undefined : createGroupJournal(folder);
  });

  describe('a command that ends by itself', () => {
    test('tells its exit code and both streams apart, in its folder', async () => {
      const { end, stdout, stderr } = run('pwd; echo bad >&2; exit 3');
      expect(await end).toEqual({ ...ended, exitCode: 3 });
      expect(stdout()).toBe(`${folder}\n`);
      expect(stderr()).toBe('bad\n');
    });

    test('gets only the environment it is given and no standard input', async () => {
      const { end, stdout } = run('cat; echo "[$SECRET][$GIVEN]"', { env: { GIVEN: 'yes' } });
      await end;
      expect(stdout()).toBe('[][yes]\n');
    });

    test('characters that are cut between two pieces arrive whole', async () => {
      const { end, stdout } = run(String.raw`printf '\303'; sleep 0.05; printf '\244'`);
      await end;
      expect(stdout()).toBe('ä');
    });

    test('tells the signal that ended it', async () => {
      expect(await run('kill -SEGV $$').end).toMatchObject({
        exitCode: null,
        signal: 'SIGSEGV',
        killed: null,
      });
    });

    test('a program that does not exist rejects', async () => {
      await expect(run('', { file: '/no/such/program', args: [] }).end).rejects.toThrow('ENOENT');
    });

    test('a folder that does not exist rejects', async () => {
      await expect(run('true', { cwd: join(folder, 'missing') }).end).rejects.toThrow('ENOENT');
    });
  });

  describe('a command that is stopped', () => {
    test('never starts when the stop came first', async () => {
      const end = run('touch started', { signal: AbortSignal.abort() }).end;
      expect(await end).toMatchObject({ killed: 'cancelled', exitCode: null });
      await expect(readFile(join(folder, 'started'))).rejects.toThrow('ENOENT');
    });

    test('takes its children and grandchildren with it', async () => {
      const { end, stdout, stop, says } = run(
        'sh -c "sleep 60 & echo \\$!; wait" & sleep 60 & echo $!; echo all; wait',
      );
      await says('all');
      await expect.poll(() => stdout().match(/\d+/g)?.length).toBe(2);
      stop();
      expect(await end).toMatchObject({ killed: 'cancelled', signal: 'SIGTERM' });
      for (const pid of stdout().match(/\d+/g) ?? []) expect(await lives(pid)).toBe(false);
    });

    test('has time to clean up', async () => {
      const { end, stdout, stop, says } = run(
        'trap "echo cleaned; exit 7" TERM; echo ready; while :; do sleep 0.02; done',
      );
      await says('ready');
      stop();
      expect(await end).toMatchObject({ killed: 'cancelled', exitCode: 7 });
      expect(stdout()).toContain('cleaned');
    });

    test('is killed when it ignores the polite signal', async () => {
      const { end, stop, says } = run('trap "" TERM; echo ready; while :; do sleep 0.02; done', {}, hurried);
      await says('ready');
      stop();
      expect(await end).toMatchObject({ killed: 'cancelled', signal: 'SIGKILL' });
    });

    test('is ended when it floods, and no more than the limit was passed on', async () => {
      const { end, stdout } = run('yes', { outputLimit: 100_000 });
      expect(await end).toMatchObject({ killed: 'output_limit' });
      expect(stdout()).toHaveLength(100_000);
    });

    // Where the others are looked at costs a program, or is not told.
    describe.runIf(process.platform === 'linux')('beyond the memory that it may use', () => {
      const megabyte = 1024 * 1024;
      const taking = (megabytes: number): string =>
        `python3 -c 'import time; held = bytearray(${String(megabytes * megabyte)}); time.sleep(60)'`;

      test('is ended, also where each of its processes uses less', async () => {
        const two = `${taking(80)} & ${taking(80)}`;
        const { end } = run(two, { memoryLimit: 120 * megabyte }, hurried);
        expect(await end).toMatchObject({ killed: 'memory_limit', leftovers: false });
      });

      test('is not ended for what its processes share', async () => {
        const share = `
import os, time
held = bytearray(${String(80 * megabyte)})
for each in range(3):
  if os.fork() == 0:
    time.sleep(60)
time.sleep(0.6)
os.killpg(0, 9)`;
        const { end } = run(`python3 -c '${share}'`, { memoryLimit: 220 * megabyte }, hurried);
        expect(await end).toMatchObject({ killed: null, signal: 'SIGKILL' });
      });
    });
  });

  describe('a command that leaves something behind', () => {
    test('its background processes end with it, and that is told', async () => {
      const { end, stdout } = run('sleep 60 & echo $!');
      expect(await end).toEqual({ ...ended, leftovers: true });
      expect(await lives(stdout().trim())).toBe(false);
    });

    test('a command whose process fled from its group takes it along, and tells that', async () => {
      const { end, stdout } = run('env -i setsid sleep 60 & echo $!; sleep 0.1');
      expect(await end).toEqual({ ...ended, leftovers: true });
      expect(await lives(stdout().trim())).toBe(false);
    });
  });
});

test('Of two commands that end together each tells and ends what it left itself', async () => {
  const processes = createProcesses(systemClock);
  const one = (): Promise<ProcessEnd> =>
    processes.run({
      file: '/bin/sh',
      args: ['-c', '(sleep 60 >/dev/null 2>&1 &)'],
      cwd: folder,
      env: { PATH: process.env['PATH'] ?? '' },
      onOutput: () => undefined,
      signal: new AbortController().signal,
      outputLimit: 1_000,
      isContained: true,
    });
  for (let round = 0; round < 6; round += 1) {
    const ends = await Promise.all([one(), one(), one()]);
    expect(ends.map(({ leftovers }) => leftovers)).toEqual([true, true, true]);
  }
});

test('A group is asked to end first and made to then, as the platform knows it (desk-F7)', () => {
  expect(endStep('linux', 42, false, {})).toEqual({ target: -42, signal: 'SIGTERM' });
  expect(endStep('darwin', 42, true, {})).toEqual({ target: -42, signal: 'SIGKILL' });
  const windows = { file: 'D:\\Win\\System32\\taskkill.exe', args: ['/F', '/T', '/PID', '42'] };
  for (const force of [false, true])
    expect(endStep('win32', 42, force, { SYSTEMROOT: 'D:\\Win' })).toEqual(windows);
});
