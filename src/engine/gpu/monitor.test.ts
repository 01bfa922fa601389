import { expect, test } from 'vitest';
import { createStateStore, initialState } from '../state.ts';
import { fakeDeps, settle } from '../testing/fakes.ts';
import { createGpuMonitor } from './monitor.ts';

const line = (used: number) => `RTX 4090, 24564, ${String(used)}, 0, 41, 23.4\n`;

function open({ watched = true } = {}) {
  const deps = fakeDeps();
  const state = createStateStore(initialState);
  const changes: unknown[] = [];
  state.onChange((change) => changes.push(change));
  const monitor = createGpuMonitor(deps, state, () => watched);
  const smi = (output: string | (() => Promise<string>)) => deps.processes.outputs.set('nvidia-smi', output);
  /** How often the cards were asked for; their processes are another question. */
  const questions = { cards: 0 };
  const run = deps.processes.run.bind(deps.processes);
  deps.processes.run = (command, args, ms) => {
    if (command === 'nvidia-smi' && args[0]?.startsWith('--query-gpu')) questions.cards += 1;
    return run(command, args, ms);
  };
  return { deps, state, monitor, changes, smi, questions };
}

test('before anything was read the GPUs are unknown; a machine without one has none', async () => {
  const { deps, state, monitor } = open();
  deps.processes.inventory = () => new Promise(() => undefined);
  monitor.takeInventory();
  await monitor.now();
  expect(state.current().gpus).toBeNull();
  const bare = open();
  bare.monitor.takeInventory();
  await settle();
  expect(bare.state.current().gpus).toEqual([]);
});

test('a change is told, an unchanged reading is not, and keeps its moment', async () => {
  const { deps, state, monitor, changes, smi } = open();
  smi(line(1_320));
  await monitor.now();
  const first = state.current().gpus;
  const told = changes.length;
  await deps.clock.advance(10_000);
  expect(changes).toHaveLength(told);
  expect(state.current().gpus).toBe(first);
  smi(line(9_000));
  await deps.clock.advance(2_000);
  expect(changes).toHaveLength(told + 1);
  expect(state.current().gpus?.[0]).toMatchObject({ at: deps.clock.now(), vramUsedBytes: 9_000 * 1024 ** 2 });
});

test('a driver that hangs leaves the card with unknown values, and nothing waits for it', async () => {
  const { deps, state, monitor, smi } = open();
  smi(line(1_320));
  await monitor.now();
  smi(() => Promise.reject(new Error('killed after 3000 ms')));
  await deps.clock.advance(2_000);
  expect(state.current().gpus).toMatchObject([{ name: 'RTX 4090', vramUsedBytes: null, utilization: null }]);
  smi(line(1_320));
  await deps.clock.advance(2_000);
  expect(state.current().gpus).toMatchObject([{ utilization: 0 }]);
});

test('a driver whose process cannot be killed is asked once, and sampling goes on', async () => {
  const { deps, state, monitor, smi } = open();
  smi(line(1_320));
  await monitor.now();
  let asked = 0;
  const stuck = Promise.withResolvers<string>();
  smi(() => {
    asked += 1;
    return stuck.promise;
  });
  await deps.clock.advance(30_000);
  expect(asked).toBe(1);
  expect(state.current().gpus).toMatchObject([{ name: 'RTX 4090', vramUsedBytes: null }]);
  stuck.resolve(line(7));
  await deps.clock.advance(6_000);
  expect(state.current().gpus).toMatchObject([{ vramUsedBytes: 7 * 1024 ** 2 }]);
});

test('where the driver says nothing, the inventory names the cards', async () => {
  const { deps, state, monitor } = open();
  deps.processes.inventory = '{"controllers":[{"vendor":"Intel","model":"Arc A770","vram":16384}]}';
  monitor.takeInventory();
  await settle();
  expect(state.current().gpus).toMatchObject([{ name: 'Arc A770', utilization: null }]);
});

test('nvidia-smi is looked for once, and again after a new inventory', async () => {
  const { deps, state, monitor, smi } = open();
  let asked = 0;
  smi(() => {
    asked += 1;
    return Promise.reject(new Error('no driver'));
  });
  await monitor.now();
  await deps.clock.advance(10_000);
  expect(asked).toBe(1);
  smi(line(5));
  monitor.takeInventory();
  await settle();
  expect(state.current().gpus).toHaveLength(1);
});

test('hidden windows are sampled for every 30 seconds, visible ones every 2', async () => {
  const counts = [];
  for (const watched of [true, false]) {
    const { deps, monitor, smi } = open({ watched });
    let asked = 0;
    smi(() => {
      asked += 1;
      return Promise.resolve(line(asked));
    });
    await monitor.now();
    await deps.clock.advance(60_000);
    counts.push(asked);
  }
  expect(counts).toEqual([31, 3]);
});

test('no GPU is known only once the inventory is there; a hanging one is not waited for long', async () => {
  const { deps, monitor } = open();
  const inventory = Promise.withResolvers<string>();
  deps.processes.inventory = () => inventory.promise;
  monitor.takeInventory();
  const early = monitor.hasNoGpu();
  await deps.clock.advance(3_000);
  expect(await early).toBeNull();
  inventory.resolve('{"controllers":[]}');
  expect(await monitor.hasNoGpu()).toBe(true);
});
