import { describe, expect, test } from 'vitest';
import { fakeDeps, gib, settle, type FakeOllama } from '../testing/fakes.ts';
import { openEngine, withGpu } from '../testing/open-engine.ts';

const mib = 1024 ** 2;
const minute = 60_000;

/** One GPU, whose memory in use is what Ollama holds. */
function gpuOf(totalMib: number, ollama: FakeOllama) {
  const { processes } = withGpu(totalMib, 0);
  processes?.outputs.set('nvidia-smi', async () => {
    const bytes = [...ollama.residents.values()].reduce((sum, { vramBytes }) => sum + vramBytes, 0);
    return `GPU, ${String(totalMib)}, ${String(Math.round(bytes / mib) + 500)}, 0, 40, 20`;
  });
  return processes ? { processes } : {};
}

async function onGpu(totalMib: number) {
  const { clock, ollama } = fakeDeps();
  const house = await openEngine({ clock, ollama, ...gpuOf(totalMib, ollama) });
  const use = async (model: string): Promise<void> => house.release((await house.acquire(model)).leaseId);
  const sent = () =>
    ollama.sent.flatMap((each) =>
      each.call === 'load'
        ? [`load ${each.plan.model}`]
        : each.call === 'unload'
          ? [`unload ${each.model}`]
          : [],
    );
  return { ...house, use, sent };
}

describe('a model switch', () => {
  test('among three that do not fit together unloads what is in the way, and each load finds its room', async () => {
    const { ollama, use, sent, client } = await onGpu(14_000);
    ollama.install('llama3.1:8b', { bytes: 5 * gib });
    await client.call('engine/refresh', {});
    await use('qwen3:8b');
    await use('llama3.1:8b');
    await use('gemma4:12b');
    await use('qwen3:8b');
    expect(sent()).toEqual([
      'load qwen3:8b',
      'load llama3.1:8b',
      'unload qwen3:8b',
      'unload llama3.1:8b',
      'load gemma4:12b',
      'unload gemma4:12b',
      'load qwen3:8b',
    ]);
  });

  test('with the policy `never` lets the old one go by itself while the new one works', async () => {
    const { client, deps, use, acquire, sent } = await onGpu(48_000);
    await client.call('engine/set-keep-alive', { policy: 'never' });
    await use('qwen3:8b');
    await acquire('gemma4:12b');
    await deps.clock.advance(11_000);
    expect(sent()).toEqual(['load qwen3:8b', 'load gemma4:12b', 'unload qwen3:8b']);
  });
});

const show = (trained: number) => ({
  capabilities: ['completion', 'tools'],
  model_info: {
    'general.architecture': 'qwen3',
    'qwen3.context_length': trained,
    'qwen3.block_count': 32,
    'qwen3.attention.head_count': 32,
    'qwen3.attention.head_count_kv': 8,
    'qwen3.embedding_length': 4_096,
  },
});

/** 128 KiB of cache for each token: 16k tokens take 2 GiB. */
async function withCache(totalMib: number) {
  const house = await onGpu(totalMib);
  house.ollama.install('cached:8b', { bytes: 4 * gib, show: show(131_072) });
  await house.client.call('engine/refresh', {});
  return house;
}

describe('the window of a load', () => {
  test('is what was wished where it fits', async () => {
    const { acquire } = await withCache(24_000);
    expect((await acquire('cached:8b', { contextTokens: 65_536 })).plan.options.num_ctx).toBe(65_536);
  });

  test('is half of the wish where the wish would spill to the CPU', async () => {
    const { acquire } = await withCache(12_000);
    expect((await acquire('cached:8b', { contextTokens: 65_536 })).plan.options.num_ctx).toBe(32_768);
  });

  test('counts what Andiron itself keeps there as free, because it goes', async () => {
    const { acquire, use } = await withCache(12_000);
    await use('qwen3:8b');
    expect((await acquire('cached:8b', { contextTokens: 32_768 })).plan.options.num_ctx).toBe(32_768);
  });

  test('is what a person named, whatever it costs', async () => {
    const { client, ollama } = await withCache(12_000);
    await client.call('model/preload', { model: 'cached:8b', contextTokens: 131_072 });
    expect(ollama.residents.get('cached:8b')?.plan.options.num_ctx).toBe(131_072);
  });

  test('is after a loan what it was before, even where that spills to the CPU (audit-A14)', async () => {
    const { client, ollama } = await withCache(12_000);
    await client.call('model/preload', { model: 'cached:8b', contextTokens: 131_072 });
    await client.call('engine/lend', {});
    expect(ollama.residents.size).toBe(0);
    await client.call('engine/take-back', {});
    expect(ollama.residents.get('cached:8b')?.plan.options.num_ctx).toBe(131_072);
  });
});

describe('the batch', () => {
  test('is learnt from prefills, and named at the next natural load, never by a reload', async () => {
    const { client, acquire, release, ollama, deps } = await openEngine(withGpu(24_000, 1_000));
    await release((await acquire()).leaseId);
    for (let index = 0; index < 5; index += 1)
      await client.call('model/report-prefill', { model: 'qwen3:8b', evaluatedTokens: 3_000, ms: 10_000 });
    const again = await acquire();
    expect(again).toMatchObject({ loaded: false, plan: { options: { num_ctx: 16_384 } } });
    expect(again.plan.options.num_batch).toBeUndefined();
    await release(again.leaseId);
    await client.call('model/unload', { model: 'qwen3:8b' });
    expect((await acquire()).plan.options).toEqual({ num_ctx: 16_384, num_batch: 256 });
    expect(ollama.loads).toBe(2);
    expect(JSON.parse(deps.files.texts.get('/data/engine.json') ?? '')).toMatchObject({
      models: { 'qwen3:8b': { rate: { tokensPerSecond: 300, samples: 5 } } },
    });
  });

  test('of a model that was never loaded here has nothing to learn from', async () => {
    const { client } = await openEngine();
    const report = { model: 'nope', evaluatedTokens: 3_000, ms: 10_000 };
    expect(await client.call('model/report-prefill', report)).toEqual({});
  });
});

describe('how long a model is kept', () => {
  test('in minutes reaches an idle model at once, outlives the engine, and ends by itself', async () => {
    const { deps, client, ollama, engine, loadsSent } = await openEngine();
    await client.call('model/preload', { model: 'qwen3:8b' });
    await client.call('engine/set-keep-alive', { policy: 'minutes', minutes: 45 });
    await settle();
    expect(loadsSent().map(({ keepAlive }) => keepAlive)).toEqual(['10m', 2_700]);
    expect(engine.state()).toMatchObject({ keepAlive: 'minutes', keepMinutes: 45 });
    await deps.clock.advance(44 * minute);
    expect(ollama.residents.size).toBe(1);
    await deps.clock.advance(2 * minute);
    expect(await ollama.ps('http://127.0.0.1:11434', AbortSignal.timeout(1))).toEqual([]);
    const next = await openEngine({ clock: deps.clock, files: deps.files, ollama });
    expect(next.engine.state()).toMatchObject({ keepAlive: 'minutes', keepMinutes: 45 });
  });

  test('is told to a model in use when its turn is over, and not before', async () => {
    const { deps, client, acquire, release, loadsSent } = await openEngine();
    const { leaseId } = await acquire();
    await client.call('engine/set-keep-alive', { policy: 'minutes', minutes: 20 });
    await deps.clock.advance(minute);
    expect(loadsSent().map(({ keepAlive }) => keepAlive)).toEqual(['10m']);
    await release(leaseId);
    expect(loadsSent().map(({ keepAlive }) => keepAlive)).toEqual(['10m', 1_200]);
  });

  test('never, chosen for an idle model, frees the memory at once', async () => {
    const { client, ollama } = await openEngine();
    await client.call('model/preload', { model: 'qwen3:8b' });
    await client.call('engine/set-keep-alive', { policy: 'never' });
    await settle();
    expect(ollama.residents.size).toBe(0);
  });
});

describe('a model whose context size nobody knows', () => {
  const nameless = { capabilities: ['completion'], model_info: { 'general.architecture': 'odd' } };
  async function unknown() {
    const house = await onGpu(48_000);
    house.ollama.install('odd:1b', { show: nameless });
    await house.client.call('engine/refresh', {});
    const windows = () =>
      house.loadsSent().flatMap((sent) => (sent.call === 'load' ? [sent.plan.options.num_ctx] : []));
    return { ...house, windows };
  }

  test('is loaded with 8,192 where only the default is asked for (audit-A7, I7)', async () => {
    const { use, windows } = await unknown();
    await use('odd:1b');
    expect(windows()).toEqual([8_192]);
  });

  test('is loaded with the size that a profile names (audit-A7, I7)', async () => {
    const { acquire, windows } = await unknown();
    await acquire('odd:1b', { contextTokens: 32_768 });
    expect(windows()).toEqual([32_768]);
  });

  test('keeps the size that the person loaded it with, the default size too (audit-A7, I7)', async () => {
    const { client, use, windows } = await unknown();
    await client.call('model/preload', { model: 'odd:1b', contextTokens: 16_384 });
    await use('odd:1b');
    expect(windows()).toEqual([16_384]);
  });
});
