import { expect, test } from 'vitest';
import type { EngineState, GpuSample, LoadedModel } from '../../protocol/model.ts';
import type { OurModel } from '../memory/ours.ts';
import { initialState } from '../base/state.ts';
import { gib, manualClock } from '../testing/fakes.ts';
import type { NewIncident } from '../incidents/incidents.ts';
import type { OtherProgram } from './nvidia-reader.ts';
import { createOtherProgramsWatch } from './other-programs.ts';
import { createSpillWatch } from './spill.ts';
import { createThrottleWatch } from './throttling.ts';

const card: GpuSample = {
  name: 'RTX 4090',
  vramTotalBytes: 24 * gib,
  vramUsedBytes: 6 * gib,
  utilization: 90,
  temperatureC: 87,
  powerW: 300,
  at: 0,
};
const row: LoadedModel = {
  name: 'qwen3:8b',
  sizeBytes: 8 * gib,
  vramBytes: 8 * gib,
  contextTokens: 8_192,
  expiresAt: '',
  asPlanned: true,
};
const ours: OurModel = {
  plan: { model: 'qwen3:8b', options: { num_ctx: 8_192 }, shift: false },
  keepAlive: '10m',
};

function spillWorld(load: OurModel | null = ours, gpus: GpuSample[] | null = [card]) {
  const told: NewIncident[] = [];
  const watch = createSpillWatch(() => load ?? undefined);
  return {
    told,
    watch: { ...watch, look: (rows: LoadedModel[]) => void told.push(...watch.look(rows, gpus)) },
  };
}

test('a model that only partly fits the GPU is called out once per load, with how much', () => {
  const { told, watch } = spillWorld();
  const spilled = { ...row, vramBytes: 6 * gib };
  watch.look([spilled]);
  watch.look([spilled]);
  expect(told).toMatchObject([{ kind: 'spill', model: 'qwen3:8b' }]);
  expect(told[0]?.message).toBe('qwen3:8b does not fit the GPU: 2.0 GB of 8.0 GB run on the processor.');
  watch.loadBegan('qwen3:8b');
  watch.look([spilled]);
  watch.look([]);
  watch.look([spilled]);
  expect(told).toHaveLength(3);
});

test('one that is wholly on the processor is called out where there is a card for models', () => {
  const onCpu = { ...row, vramBytes: 0 };
  const { told, watch } = spillWorld();
  watch.look([onCpu]);
  expect(told[0]?.message).toContain('all of its 8.0 GB');
  for (const gpus of [
    [],
    null,
    [{ ...card, vramTotalBytes: 0.5 * gib }],
    [{ ...card, vramUsedBytes: null }],
  ]) {
    const bare = spillWorld(ours, gpus);
    bare.watch.look([onCpu]);
    expect(bare.told).toEqual([]);
  }
});

test("a whole fit, another program's model and layers left out on purpose are no spill", () => {
  const { told, watch } = spillWorld();
  watch.look([row]);
  expect(told).toEqual([]);
  const chosen = { ...ours, plan: { ...ours.plan, options: { num_ctx: 8_192, num_gpu: 10 } } };
  for (const world of [spillWorld(chosen), spillWorld(null)]) {
    world.watch.look([{ ...row, vramBytes: 1 }]);
    expect(world.told).toEqual([]);
  }
});

async function throttle(samples: readonly (Partial<GpuSample> | null)[]) {
  const clock = manualClock();
  const told: NewIncident[] = [];
  const watch = createThrottleWatch(clock);
  for (const sample of samples) {
    told.push(...watch.look(sample ? [{ ...card, ...sample }] : [], 'qwen3:8b'));
    await clock.advance(2_000);
  }
  return told;
}

const hot = { throttled: ['heat' as const] };

test('a card that is held back under load for more than half a minute is called out once', async () => {
  const told = await throttle(Array.from({ length: 100 }, () => hot));
  expect(told).toMatchObject([{ kind: 'throttled', model: 'qwen3:8b' }]);
  expect(told[0]?.message).toBe(
    'RTX 4090 has run slower than it could for 32 seconds: it is too hot (87 °C).',
  );
});

test('half a minute is not more than half a minute, and a short breath ends no spell', async () => {
  const fifteen = Array.from({ length: 15 }, () => hot);
  expect(await throttle(fifteen)).toEqual([]);
  expect(await throttle([...fifteen, {}, {}, hot, hot])).toHaveLength(1);
  expect(await throttle([...fifteen, {}, {}, {}, {}, {}, {}, ...fifteen])).toEqual([]);
});

test('an idle card that saves power is no news', async () => {
  expect(await throttle(Array.from({ length: 60 }, () => ({ ...hot, utilization: 3 })))).toEqual([]);
});

const loadedState: EngineState = {
  ...initialState,
  loaded: [row],
  gpus: [{ ...card, vramModelBytes: 5 * gib }],
};

/** Looks once per step, two seconds apart, after things have settled. */
async function beside(steps: readonly (Partial<EngineState> & { programs?: OtherProgram[] })[]) {
  const clock = manualClock();
  const told: NewIncident[] = [];
  const watch = createOtherProgramsWatch(clock);
  watch.look(loadedState, []);
  await clock.advance(20_000);
  for (const { programs = [], ...changes } of steps) {
    told.push(...watch.look({ ...loadedState, ...changes }, programs));
    await clock.advance(2_000);
  }
  return told;
}

const uses = (others: number, more: Partial<GpuSample> = {}) => ({
  gpus: [{ ...card, vramUsedBytes: (5 + others) * gib, vramModelBytes: 5 * gib, ...more }],
});

const blender = (bytes: number): OtherProgram[] => [{ name: 'blender', bytes: bytes * gib }];
const silent = (used: number) => ({ gpus: [{ ...card, vramUsedBytes: used * gib }] });

test('another program that takes more than a gigabyte is called out once per growth, by its name', async () => {
  const told = await beside([
    uses(1),
    { ...uses(3.5), programs: blender(2.5) },
    { ...uses(3.5), programs: blender(2.5) },
    { ...uses(3.5), programs: blender(2.5) },
    { ...uses(4), programs: blender(3) },
  ]);
  expect(told.map(({ message }) => message)).toEqual([
    'blender took 2.5 GB of video memory beside qwen3:8b; other programs now hold 3.5 GB.',
  ]);
});

test('a peak of one sample, slow growth below the limit and memory given back are no news', async () => {
  expect(await beside([uses(1), uses(4), uses(1), uses(2), uses(2), uses(0.5)])).toEqual([]);
});

test('what comes back is a growth again', async () => {
  expect(await beside([uses(1), uses(3), uses(3), uses(1), uses(3), uses(3)])).toHaveLength(2);
});

test('without a list of processes, what no loaded model accounts for is other programs', async () => {
  const told = await beside([silent(9), silent(11), silent(11)]);
  expect(told[0]?.message).toContain('Another program took 2.0 GB');
});

test('a load, an unload and what is lent are nobody else', async () => {
  const loading = { loading: { model: 'gemma4:12b', since: 0, expectedMs: null } };
  const lent = { lent: { model: 'qwen3:8b', contextTokens: 1, since: 0, freedBytes: 1 } };
  expect(
    await beside([uses(1), { ...uses(9), ...loading }, { ...uses(9), ...loading }, uses(9), uses(9)]),
  ).toEqual([]);
  expect(await beside([uses(1), { ...uses(9), ...lent }, { ...uses(9), ...lent }])).toEqual([]);
  expect(await beside([uses(1), { ...uses(9), loaded: [] }, { ...uses(9), loaded: [] }])).toEqual([]);
});
