import { expect, test } from 'vitest';
import { createStateStore, initialState } from '../base/state.ts';
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
  deps.processes.system = new Promise(() => undefined);
  await monitor.now();
  expect(state.current().gpus).toBeNull();
  const bare = open();
  bare.monitor.lookAgain();
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
  const stuck = Promise.withResolvers<string>();
  let begun = 0;
  smi(() => {
    begun += 1;
    return stuck.promise;
  });
  await deps.clock.advance(30_000);
  // The question for the cards, and the one for their processes.
  expect(begun).toBe(2);
  expect(state.current().gpus).toMatchObject([{ name: 'RTX 4090', vramUsedBytes: null }]);
  smi(line(7));
  stuck.resolve(line(7));
  await deps.clock.advance(60_000);
  expect(state.current().gpus).toMatchObject([{ vramUsedBytes: 7 * 1024 ** 2 }]);
});

test('a driver that fails again and again is asked ever more seldom, and again at once after a new inventory', async () => {
  const { deps, state, monitor, smi, questions } = open();
  smi(line(1));
  await monitor.now();
  smi('Unable to determine the device handle for GPU 0000:01:00.0: Unknown Error');
  await deps.clock.advance(300_000);
  expect(questions.cards).toBeLessThan(16);
  expect(state.current().gpus).toMatchObject([{ name: 'RTX 4090', vramUsedBytes: null }]);
  smi(line(2));
  monitor.lookAgain();
  await settle();
  expect(state.current().gpus).toMatchObject([{ vramUsedBytes: 2 * 1024 ** 2 }]);
});

test('a card that comes or goes is there or gone', async () => {
  const { deps, state, monitor, smi } = open();
  smi(line(1) + line(2));
  await monitor.now();
  smi(line(2));
  await deps.clock.advance(2_000);
  expect(state.current().gpus).toHaveLength(1);
  smi(line(1) + line(2) + line(3));
  await deps.clock.advance(2_000);
  expect(state.current().gpus).toHaveLength(3);
});

test('a slow driver does not hold up the card of another maker', async () => {
  const { deps, state, monitor, smi } = open();
  const card = '/sys/class/drm/card1/device';
  const files = deps.files.texts;
  files
    .set(`${card}/vendor`, '0x1002')
    .set(`${card}/mem_info_vram_total`, '9')
    .set(`${card}/mem_info_vram_used`, '1');
  smi(line(1));
  await monitor.now();
  const slow = Promise.withResolvers<string>();
  smi(() => slow.promise);
  files.set(`${card}/mem_info_vram_used`, '5');
  await deps.clock.advance(4_500);
  expect(state.current().gpus).toMatchObject([{ name: 'RTX 4090' }, { vramUsedBytes: 5 }]);
});

test('during a load it is sampled twice a second', async () => {
  const { deps, state, monitor, smi, questions } = open({ watched: false });
  smi(line(1));
  await monitor.now();
  const before = questions.cards;
  state.update({ loading: { model: 'm', since: 0, expectedMs: null } });
  await deps.clock.advance(5_000);
  expect(questions.cards - before).toBe(11);
  state.update({ loading: null });
  await deps.clock.advance(20_000);
  expect(questions.cards - before).toBeLessThan(14);
});

test('where no driver says anything, systeminformation names the cards', async () => {
  const { deps, state, monitor } = open();
  deps.processes.system = { controllers: [{ vendor: 'Intel', model: 'Arc A770', vram: 16_384 }] };
  monitor.lookAgain();
  await settle();
  expect(state.current().gpus).toMatchObject([{ name: 'Arc A770', utilization: null }]);
});

test('where there is no nvidia-smi it is looked for once, and again after a new inventory', async () => {
  const { deps, state, monitor, smi, questions } = open();
  await monitor.now();
  await deps.clock.advance(10_000);
  expect(questions.cards).toBe(1);
  smi(line(5));
  monitor.lookAgain();
  await settle();
  expect(state.current().gpus).toHaveLength(1);
});

test('hidden windows are sampled for every 30 seconds, visible ones every 2', async () => {
  const counts = [];
  for (const watched of [true, false]) {
    const { deps, monitor, smi, questions } = open({ watched });
    smi(line(1));
    await monitor.now();
    const before = questions.cards;
    await deps.clock.advance(60_000);
    counts.push(questions.cards - before);
  }
  expect(counts).toEqual([30, 2]);
});

test('no GPU is known only once a sample is there; a hanging one is not waited for long', async () => {
  const { deps, monitor } = open();
  const sample = Promise.withResolvers<unknown>();
  deps.processes.system = sample.promise;
  monitor.lookAgain();
  const early = monitor.hasNoGpu();
  await deps.clock.advance(3_000);
  expect(await early).toBeNull();
  sample.resolve({ controllers: [] });
  await settle();
  expect(await monitor.hasNoGpu()).toBe(true);
});

test('The system readings stay alive and fill in what no driver tells (audit-A13)', async () => {
  const { deps, state, monitor, smi } = open();
  deps.processes.system = {
    controllers: [
      { model: 'UHD Graphics 770', utilizationGpu: 3 },
      { model: 'NVIDIA RTX 4090', memoryTotal: 24_564, memoryUsed: 5, temperatureGpu: 77, powerDraw: 88 },
    ],
    memory: { total: 64 * 1024 ** 3, available: 48 * 1024 ** 3 },
    cpuLoad: 12,
  };
  smi('RTX 4090, 24564, 1320, 0, [N/A], [N/A]\n');
  await monitor.now();
  await deps.clock.advance(60_000);
  expect(deps.processes.samplers.started).toBe(1);
  const mib = 1024 ** 2;
  // The driver's own figures win, its zero included; what it does not know is filled in.
  expect(state.current().gpus).toMatchObject([
    { name: 'RTX 4090', vramUsedBytes: 1_320 * mib, utilization: 0, temperatureC: 77, powerW: 88 },
  ]);
});

test('A sample is told in one event, whatever it changes (audit-A13)', async () => {
  const { deps, monitor, changes, smi } = open();
  deps.processes.system = { controllers: [], memory: { total: 64 * 1024 ** 3, available: 0 }, cpuLoad: 50 };
  smi(line(1_320));
  await monitor.now();
  await deps.clock.advance(2_000);
  const told = changes.length;
  deps.processes.system = { controllers: [], memory: { total: 64 * 1024 ** 3, available: 0 }, cpuLoad: 90 };
  smi(line(9_000));
  await deps.clock.advance(2_000);
  expect(changes.length - told).toBe(1);
});

test('Readings that fall silent are killed, tried three times and then said to have failed (audit-A13)', async () => {
  const { deps, state, monitor, smi } = open();
  smi(line(1_320));
  deps.processes.system = new Promise(() => undefined);
  await monitor.now();
  await deps.clock.advance(120_000);
  expect(deps.processes.samplers).toEqual({ started: 3, kills: 3 });
  expect(state.current()).toMatchObject({
    systemReadings: 'failed',
    gpus: [{ vramUsedBytes: 1_320 * 1024 ** 2 }],
  });
  deps.processes.system = { controllers: [] };
  monitor.lookAgain();
  await settle();
  await deps.clock.advance(4_000);
  expect(state.current().systemReadings).toBe('working');
});

test('An answer of another form counts as a failure, and nothing of it is shown (audit-A13)', async () => {
  const { deps, state, monitor } = open();
  deps.processes.system = { controllers: 'none' };
  await monitor.now();
  await deps.clock.advance(60_000);
  expect(deps.processes.samplers.kills).toBe(3);
  expect(state.current()).toMatchObject({ systemReadings: 'failed', gpus: [] });
});
