import { describe, expect, test } from 'vitest';
import type { Clock } from './clock.ts';
import type { ProgramCall, WindowsProcess } from './windows-processes.ts';
import { createWindowsTree, endWindowsGroupNow, type WindowsEdges } from './windows-tree.ts';

const began = 1_000_000;

/** A Windows whose processes end when they are told to, but for those that are `immortal`. */
function machine(processes: WindowsProcess[], immortal: readonly number[] = []) {
  const alive = new Map(processes.map((each) => [each.pid, each]));
  const told: (number[] | { tree: number })[] = [];
  const timers: (() => void)[] = [];
  const clock: Clock = {
    now: () => began,
    monotonic: () => 0,
    after(_ms, run) {
      timers.push(run);
      return { cancel: () => void timers.splice(timers.indexOf(run), 1) };
    },
  };
  const state = { canList: true };
  const edges: WindowsEdges = {
    list: async () => (state.canList ? [...alive.values()] : null),
    async end(pids) {
      told.push([...pids]);
      for (const pid of pids) if (!immortal.includes(pid)) alive.delete(pid);
    },
    async endTree(pid) {
      told.push({ tree: pid });
      alive.delete(pid);
    },
  };
  const tree = createWindowsTree({ pid: 100, isAlive: () => alive.has(100) }, clock, edges);
  return { alive, told, timers, state, tree };
}

const shell = { pid: 100, parent: 1, started: began };
const server = { pid: 5, parent: 100, started: began + 10 };
const worker = { pid: 6, parent: 5, started: began + 20 };
const neighbour = { pid: 9, parent: 1, started: began + 20 };

describe('A command of Windows (desk-F7)', () => {
  test('is ended with all that it started, and nobody else', async () => {
    const { tree, alive } = machine([shell, server, worker, neighbour]);
    expect(await tree.end()).toBe(0);
    expect([...alive.keys()]).toEqual([9]);
  });

  test('lives on in what its shell left behind, which is ended too', async () => {
    const { tree, alive } = machine([server, worker, neighbour]);
    expect(await tree.isAlive()).toBe(true);
    expect(await tree.end()).toBe(0);
    expect([...alive.keys()]).toEqual([9]);
  });

  test('is over once all of it has ended, and then nobody is told to end', async () => {
    const { tree, told } = machine([neighbour]);
    expect(await tree.isAlive()).toBe(false);
    expect(await tree.end()).toBe(0);
    expect(told).toEqual([]);
  });

  test('tells how many of it could not be ended, and does not try for ever', async () => {
    const { tree, told } = machine([shell, server], [5]);
    expect(await tree.end()).toBe(1);
    expect(told).toEqual([[100, 5], [5], [5], [5]]);
  });

  test('takes along what lost its parent since it was looked at', async () => {
    const { tree, alive, timers } = machine([shell, server, worker]);
    timers.shift()?.();
    await expect.poll(() => timers.length).toBe(1);
    for (const pid of [100, 5]) alive.delete(pid);
    expect(await tree.end()).toBe(0);
    expect([...alive.keys()]).toEqual([]);
  });

  test('is ended by its shell where nothing can be listed', async () => {
    const { tree, told, state } = machine([shell]);
    state.canList = false;
    expect(await tree.end()).toBe(0);
    expect(told).toEqual([{ tree: 100 }]);
  });

  test('whose shell has ended where nothing can be listed is left alone, as its id may be another', async () => {
    const { tree, told, state } = machine([neighbour]);
    state.canList = false;
    expect(await tree.isAlive()).toBe(false);
    expect(await tree.end()).toBe(0);
    expect(told).toEqual([]);
  });

  test('is looked for no more once it is forgotten', async () => {
    const { tree, timers } = machine([shell]);
    const look = timers[0];
    tree.forget();
    look?.();
    await Promise.resolve();
    await Promise.resolve();
    expect(timers).toEqual([]);
  });
});

/** What taskkill is told. */
const ended = (since: number | null, stdout: string): string[][] => {
  const calls: ProgramCall[] = [];
  endWindowsGroupNow(100, since, (call) => {
    calls.push(call);
    return call.file.endsWith('powershell.exe') ? stdout : '';
  });
  return calls.filter(({ file }) => file.endsWith('taskkill.exe')).map(({ args }) => args);
};

describe('What a dead host left on Windows (desk-F7, desk-F3)', () => {
  const list = '100 1 2026-11-03T08:05:09Z\r\n5 100 2026-11-03T08:05:10Z\r\n9 1 2026-11-03T08:05:10Z\r\n';
  const at = Date.parse('2026-11-03T08:05:09Z');
  test.each([
    [
      'is ended one by one where it is known since when it ran',
      at,
      list,
      [['/F', '/PID', '100', '/PID', '5']],
    ],
    ['is ended as a tree where that is not known', null, list, [['/F', '/T', '/PID', '100']]],
    ['is ended as a tree where nothing can be listed', at, '', [['/F', '/T', '/PID', '100']]],
    ['is not looked for in a process of another time', at - 3_600_000, list, []],
  ])('%s', (_what, since, stdout, expected) => {
    expect(ended(since, stdout)).toEqual(expected);
  });
});
