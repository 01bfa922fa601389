/** What a command starts ends with it, however it leaves: run for real, with the command tool that a turn has. */
import { spawn, type ChildProcess } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createProcesses } from '../../src/platform/processes.ts';
import { systemFiles } from '../../src/platform/files.ts';
import { workbench, type Workbench } from '../../src/host/tools/testing.ts';
import { fastClock } from '../helpers/fast-clock.ts';
import { availableWays, findSurvivors, waysOfLeaving, type RunCommand } from '../helpers/ways-of-leaving.ts';

let bench: Workbench;
beforeEach(() => {
  // What ignores the polite signal is given two seconds, each time.
  const clock = fastClock(4);
  bench = workbench(systemFiles, { clock, processes: createProcesses(clock) });
});
afterEach(() => bench.remove());

const run: RunCommand = (command, { signal, onOutput }) =>
  bench.call('run_command', { command }, { signal, output: onOutput });

describe.skipIf(process.platform === 'win32')('ways of leaving', () => {
  test('a machine that runs the tests has at least twelve ways to leave a command', () => {
    expect(availableWays().length).toBeGreaterThanOrEqual(12);
    expect(waysOfLeaving.map(({ name }) => name)).toContain('env -i setsid');
  });

  test.each(availableWays())(
    'a command that leaves by "$name" leaves nothing running (audit-S5)',
    async (way) => {
      const folder = join(bench.root, 'ways');
      mkdirSync(folder);
      expect(await findSurvivors({ run, folder, ways: [way] })).toEqual([]);
    },
  );

  test('a process that sheds its marks is ended all the same once it was seen (audit-S5)', async () => {
    const folder = join(bench.root, 'ways');
    mkdirSync(folder);
    const shed = '{ ulimit -w 5 || ulimit -x 5; } 2>/dev/null; sleep 0.8';
    const shell = (payload: string): string => `setsid sh -c '${shed}; env -i ${payload} & exit' & sleep 1`;
    const way = { name: 'shed marks', shell };
    expect(await findSurvivors({ run, folder, ways: [way] })).toEqual([]);
  });

  test('a chain in which each process starts the next and ends is caught in the middle (audit-S5)', async () => {
    const hop = join(bench.root, 'hop');
    const lines = ['#!/bin/sh', '[ $1 = 0 ] && exec $2', 'exec setsid -f env -i /bin/sh $0 $(($1 - 1)) $2'];
    writeFileSync(hop, `${lines.join('\n')}\n`, { mode: 0o755 });
    const folder = join(bench.root, 'ways');
    mkdirSync(folder);
    const ways = Array.from({ length: 12 }, (_, n) => ({
      name: `${String(n * 3)} hops`,
      shell: (payload: string) => `env -i setsid -f /bin/sh ${hop} ${String(n * 3)} ${payload}`,
    }));
    expect(await findSurvivors({ run, folder, ways, watchMs: 150 })).toEqual([]);
  });

  test('a person’s own processes go on, also with the same name and variable (audit-S5)', async () => {
    const own: ChildProcess[] = [];
    const begin = (env: NodeJS.ProcessEnv = {}): void =>
      void own.push(spawn('/bin/sleep', ['77777'], { env, stdio: 'ignore', detached: true }));
    try {
      begin();
      let printed = '';
      await run('env -i setsid sleep 77777 & echo "[$ANDIRON_COMMAND]"; sleep 1', {
        signal: new AbortController().signal,
        onOutput(text) {
          printed += text;
          const mark = /\[(\d+)\]/.exec(printed)?.[1];
          if (own.length > 1 || mark === undefined) return;
          begin();
          begin({ ANDIRON_COMMAND: mark });
        },
      });
      expect(own).toHaveLength(3);
      // A signal is delivered before this one is answered, but its victim may take a moment to go.
      for (let n = 0; n < 20; n++)
        await run('true', { signal: AbortSignal.timeout(60_000), onOutput: () => undefined });
      expect(own.map(({ exitCode, signalCode }) => exitCode ?? signalCode)).toEqual([null, null, null]);
    } finally {
      for (const each of own) each.kill('SIGKILL');
    }
  });
});
