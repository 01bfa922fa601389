import { expect, test } from 'vitest';
import { failureOf, gib } from '../testing/fakes.ts';
import { openEngine, withGpu } from '../testing/open-engine.ts';
import { pause } from '../base/timing.ts';

/** Loads take two seconds for each GiB. */
async function withLoads(changes = withGpu(24_000, 1_000)) {
  const house = await openEngine(changes);
  const { ollama, deps, client } = house;
  const preload = async (model: string): Promise<void> => {
    const bytes = ollama.installed.get(model)?.tag.size ?? 0;
    ollama.whileLoading = () => pause(deps.clock, (bytes / gib) * 2_000);
    const done = client.call('model/preload', { model });
    await deps.clock.advance(30_000);
    await done;
  };
  const price = (model: string, contextTokens = 16_384) =>
    client.call('model/price', { model, contextTokens });
  return { ...house, preload, price };
}

test('a model that is loaded costs nothing, also with a smaller window', async () => {
  const { preload, price } = await withLoads();
  await preload('qwen3:8b');
  const nothing = { loads: false, loadBytes: 0, loadMs: 0, unloads: [], contextTokens: 16_384 };
  expect(await price('qwen3:8b')).toMatchObject(nothing);
  expect(await price('qwen3:8b', 4_096)).toMatchObject(nothing);
});

test('a larger window is a reload: its bytes, and the time of the last load', async () => {
  const { preload, price } = await withLoads();
  await preload('qwen3:8b');
  expect(await price('qwen3:8b', 32_768)).toMatchObject({
    contextTokens: 32_768,
    loads: true,
    loadBytes: 4 * gib,
    loadMs: 8_000,
    unloads: [],
    verdict: 'fits',
  });
});

test('a model that was never loaded is expected to be as fast as the others, by its size', async () => {
  const { preload, price } = await withLoads();
  expect(await price('gemma4:12b')).toMatchObject({ loads: true, loadBytes: 9 * gib, loadMs: null });
  await preload('qwen3:8b');
  expect(await price('gemma4:12b')).toMatchObject({ loadMs: 18_000 });
});

test('what has to be unloaded first is named, and only what has to be', async () => {
  const { preload, price, deps } = await withLoads(withGpu(12_000, 1_000));
  await preload('qwen3:8b');
  deps.processes.outputs.set('nvidia-smi', 'GPU, 12000, 5100, 50, 40, 200');
  expect(await price('gemma4:12b')).toMatchObject({ unloads: ['qwen3:8b'] });
  deps.processes.outputs.set('nvidia-smi', 'GPU, 48000, 5100, 50, 40, 200');
  await deps.clock.advance(30_000);
  expect(await price('gemma4:12b')).toMatchObject({ unloads: [], verdict: 'fits' });
});

test('what does not fit at all spills, and where nobody knows what is free that is said', async () => {
  const small = await withLoads(withGpu(6_000, 1_000));
  expect(await small.price('gemma4:12b')).toMatchObject({ verdict: 'spills' });
  const elsewhere = await withLoads({ simulated: true });
  expect(await elsewhere.price('gemma4:12b')).toMatchObject({ verdict: 'unknown', unloads: [] });
});

test('a price loads nothing and renews nothing', async () => {
  const { price, ollama } = await withLoads();
  await price('qwen3:8b');
  await price('gemma4:12b', 32_768);
  expect(ollama.sent.filter(({ call }) => call !== 'show')).toEqual([]);
});

test('a model that is not installed has no price', async () => {
  const { price } = await withLoads();
  expect(await failureOf(price('nope'))).toMatchObject({ code: 'model_missing' });
});
