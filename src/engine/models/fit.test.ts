import { expect, test } from 'vitest';
import type { EngineState } from '../../protocol/model.ts';
import { openPlanStore } from './plan-store.ts';
import { createFacts } from '../base/engine-facts.ts';
import { createStateStore, initialState } from '../base/state.ts';
import { createCatalogue } from './catalogue.ts';
import { fakeDeps, gib, settle } from '../testing/fakes.ts';
import { openFitStore } from './fit-store.ts';
import { FitRoom } from './fit.ts';
import type { ModelNumbers } from './numbers.ts';
import { shapeByName } from './families.ts';

const gpu = (totalGib: number, usedGib: number) => ({
  name: 'GPU',
  vramTotalBytes: totalGib * gib,
  vramUsedBytes: usedGib * gib,
  utilization: null,
  temperatureC: null,
  powerW: null,
  at: 0,
});

const apple = { ...gpu(10.67, 0.4), name: 'Apple M4', unified: true as const };
/** Of 16 GiB. */
const memory = (usedGib: number) => ({ totalBytes: 16 * gib, usedBytes: usedGib * gib, cpuLoad: null });

interface Setup {
  state?: Partial<EngineState>;
  numbers?: ModelNumbers | null;
  seesGpu?: boolean;
  listed?: Record<string, number>;
}

const llama = shapeByName('llama3.1:8b');

const url = (): string => 'http://127.0.0.1:11434';

async function open({ state: changes = {}, numbers = llama, seesGpu = true, listed = {} }: Setup = {}) {
  const deps = fakeDeps();
  const state = createStateStore({
    ...initialState,
    gpus: [gpu(16, 1)],
    memory: { totalBytes: 32 * gib, usedBytes: 8 * gib, cpuLoad: null },
    ...changes,
  });
  const catalogue = createCatalogue(deps, state, { url, watched: () => false, facts: createFacts(deps.log) });
  deps.ollama.install('llama:8b', { bytes: 4.6 * gib, trained: 131_072 });
  await catalogue.read();
  const plans = openPlanStore(deps.files, null, deps.log);
  const store = openFitStore(deps.files, null, deps.log);
  const asked: string[] = [];
  const told = { numbers, failure: null as Error | null, hangs: false };
  const fit = new FitRoom(deps, state, {
    url,
    seesGpu: () => seesGpu,
    catalogue,
    plans,
    store,
    async describe(_, model) {
      asked.push(model);
      if (told.failure) throw told.failure;
      if (told.hangs) await new Promise(() => undefined);
      return told.numbers;
    },
    listedBytes: (name) => listed[name] ?? null,
  });
  const [model] = state.current().models;
  if (!model) throw new Error('no model');
  const fits = (contextTokens: number[], name = 'llama:8b') => fit.fitsOf(name, contextTokens);
  const loaded = (bytes: number, contextTokens: number, vramBytes = bytes) => {
    plans.put('llama:8b', {
      digest: model.digest,
      plan: { model: 'llama:8b', options: { num_ctx: contextTokens, num_batch: 512 }, shift: false },
      onCpu: false,
      sizeBytes: bytes,
      loadMs: 1,
    });
    const row = {
      name: 'llama:8b',
      sizeBytes: bytes,
      vramBytes,
      contextTokens,
      expiresAt: '',
      asPlanned: true,
    };
    state.update({ loaded: [row] });
  };
  return { deps, state, fit, fits, loaded, model, asked, told, store, catalogue };
}

test('a slider may move as it likes: Ollama is asked once for each model', async () => {
  const { fits, asked } = await open();
  const [small, large] = await fits([4_096, 131_072]);
  await Promise.all([fits([8_192]), fits([16_384, 32_768])]);
  expect(asked).toEqual(['llama:8b']);
  expect(small).toMatchObject({ model: 'llama:8b', contextTokens: 4_096, verdict: 'fits', basis: 'formula' });
  expect(large).toMatchObject({ contextTokens: 131_072, cacheBytes: 16 * gib, verdict: 'spills' });
});

test('the parts make the total', async () => {
  const { fits } = await open();
  const [fit] = await fits([16_384]);
  if (!fit) throw new Error('no fit');
  const { weightsBytes, cacheBytes, bufferBytes, overheadBytes, totalBytes, freeBytes } = fit;
  expect(weightsBytes + cacheBytes + bufferBytes + overheadBytes).toBe(totalBytes);
  expect([cacheBytes, overheadBytes, freeBytes]).toEqual([2 * gib, gib / 2, 15 * gib]);
});

test('on Apple silicon a model fits only beside the programs that fill the main memory', async () => {
  const { fits, state } = await open({ state: { gpus: [apple], memory: memory(4) } });
  expect((await fits([16_384]))[0]).toMatchObject({
    verdict: 'fits',
    freeBytes: expect.closeTo(10.27 * gib),
  });
  state.update({ memory: memory(13) });
  expect((await fits([16_384]))[0]).toMatchObject({ verdict: 'too_big', freeBytes: 3 * gib });
});

test('a window beyond the trained one takes no more than that', async () => {
  const { fits } = await open();
  const [trained, beyond] = await fits([131_072, 1_000_000]);
  expect(beyond).toEqual({ ...trained, contextTokens: 1_000_000 });
});

test('what is loaded of the model itself is as good as free', async () => {
  const { fits, loaded, state } = await open();
  state.update({ gpus: [gpu(16, 8)] });
  expect((await fits([16_384]))[0]?.freeBytes).toBe(8 * gib);
  loaded(7 * gib, 16_384);
  expect((await fits([16_384]))[0]?.freeBytes).toBe(15 * gib);
});

test('what /api/ps leaves out of a loaded model is as good as free too', async () => {
  const { fits, loaded, state } = await open({ numbers: shapeByName('gemma4:12b') });
  // Planned, so that its batch is known.
  loaded(gib, 65_536, 0);
  const [fit] = await fits([65_536]);
  const unreported = 65_536 * 8 * 1_024 * 2;
  loaded((fit?.totalBytes ?? 0) - (fit?.overheadBytes ?? 0) - unreported, 65_536);
  state.update({ gpus: [gpu(16, 10)] });
  const [again] = await fits([65_536]);
  expect(again?.totalBytes).toBeCloseTo(fit?.totalBytes ?? 0, -1);
  expect(again?.freeBytes).toBeCloseTo(6 * gib + (fit?.totalBytes ?? 0) - (fit?.overheadBytes ?? 0), -1);
});

test('a load is remembered: the same plan takes what it took, another window is corrected', async () => {
  const { fits, loaded } = await open();
  const [before] = await fits([32_768]);
  loaded(7.3 * gib, 16_384);
  const [same, other] = await fits([16_384, 32_768]);
  expect(same?.basis).toBe('measured');
  expect((same?.totalBytes ?? 0) - (same?.overheadBytes ?? 0)).toBeCloseTo(7.3 * gib, -1);
  expect(other?.basis).toBe('learnt');
  expect(other?.totalBytes).not.toBe(before?.totalBytes);
});

test('what lies partly on the CPU teaches nothing: it is counted twice', async () => {
  const { fits, loaded } = await open();
  loaded(9 * gib, 16_384, 6 * gib);
  expect((await fits([16_384]))[0]?.basis).toBe('formula');
});

test('without a GPU there is no overhead of one, and main memory counts', async () => {
  const { fits } = await open({ state: { gpus: [] } });
  expect((await fits([16_384]))[0]).toMatchObject({ overheadBytes: 0, freeBytes: 24 * gib, verdict: 'fits' });
});

test('a model that needs two GPUs has the overhead of both', async () => {
  const { fits } = await open({ state: { gpus: [gpu(8, 0), gpu(8, 0)] } });
  const [small, large] = await fits([4_096, 49_152]);
  expect([small?.overheadBytes, large?.overheadBytes]).toEqual([gib / 2, gib]);
});

test("another machine's memory is unknown, its models' sizes are not", async () => {
  const { fits } = await open({ seesGpu: false });
  expect((await fits([16_384]))[0]).toMatchObject({
    freeBytes: null,
    verdict: 'unknown',
    cacheBytes: 2 * gib,
  });
});

test('a model that cannot be described is judged by its size, and asked again after a minute', async () => {
  const { fits, told, asked, deps } = await open();
  told.failure = new Error('500');
  expect((await fits([16_384]))[0]?.basis).toBe('file_size');
  await fits([16_384]);
  expect(asked).toHaveLength(1);
  told.failure = null;
  await deps.clock.advance(60_000);
  expect((await fits([16_384]))[0]?.basis).toBe('formula');
});

test('a model that says nothing of itself is not asked again', async () => {
  const { fits, asked } = await open({ numbers: null });
  await fits([16_384]);
  expect((await fits([16_384]))[0]?.basis).toBe('file_size');
  expect(asked).toHaveLength(1);
});

test('before a download: by the family that its name says, and its size', async () => {
  const { fits, fit, asked } = await open({ listed: { 'qwen3.5:9b': 6.5e9, 'strange:7b': 5e9 } });
  expect((await fits([16_384], 'qwen3.5:9b'))[0]).toMatchObject({ basis: 'formula', verdict: 'fits' });
  expect((await fits([16_384], 'strange:7b'))[0]).toMatchObject({ basis: 'file_size' });
  expect(fit.fitOf({ name: 'qwen3.5:9b', downloadBytes: 6.5e9 })).toBe('fits');
  expect(fit.fitOf({ name: 'qwen3.6:35b', downloadBytes: 22e9 })).toBe('spills');
  expect(fit.fitOf({ name: 'qwen3.5:2b', downloadBytes: null })).toBe('unknown');
  expect(asked).toEqual([]);
});

test('a model that is nowhere is called missing', async () => {
  const { fits } = await open();
  await expect(fits([4_096], 'nowhere:1b')).rejects.toMatchObject({ code: 'model_missing' });
});

test('a verdict for so many free bytes, as the loader asks for it', async () => {
  const { fit, model } = await open();
  expect(await fit.judge(model, 16_384, 12 * gib)).toBe('fits');
  expect(await fit.judge(model, 16_384, 8.6 * gib)).toBe('tight');
  expect(await fit.judge(model, 16_384, 8 * gib)).toBe('spills');
  expect(await fit.judge(model, 16_384, null)).toBe('unknown');
});

test('a load waits three seconds for the shape of its model, not longer', async () => {
  const { fit, model, told, deps } = await open();
  told.hangs = true;
  const verdict = fit.judge(model, 16_384, 4 * gib);
  await deps.clock.advance(3_000);
  expect(await verdict).toBe('spills');
});

test('the estimate and the bytes for each token are there once the model was asked', async () => {
  const { fit, fits, model } = await open();
  expect(fit.estimate(model, 16_384)).toBeNull();
  expect(fit.cacheBytesPerToken(model)).toBeNull();
  await fits([16_384]);
  expect(fit.cacheBytesPerToken(model)).toBe(131_072);
  expect((fit.estimate(model, 16_384) ?? 0) / gib).toBeCloseTo(6.85, 1);
});

test('once stopped it learns nothing more', async () => {
  const { fit, loaded, store, model } = await open();
  await fit.stop();
  loaded(7 * gib, 16_384);
  await settle();
  expect(store.loads(model.digest)).toEqual([]);
});

test('of a model that lies whole on the GPU the weights are told, once its shape is known', async () => {
  const { fit, fits, loaded, state } = await open();
  const weights = (): number | null => {
    const [row] = state.current().loaded;
    return row ? fit.weightsOf(row) : null;
  };
  loaded(7 * gib, 16_384);
  expect(weights()).toBeNull();
  const [parts] = await fits([16_384]);
  expect(weights()).toBe(parts?.weightsBytes);
  loaded(7 * gib, 16_384, 5 * gib);
  expect(weights()).toBeNull();
  loaded(7 * gib, 16_384, 0);
  expect(weights()).toBeNull();
});
