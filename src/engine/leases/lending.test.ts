import { expect, test } from 'vitest';
import { AndironError } from '../../protocol/errors.ts';
import { failureOf, gib, settle } from '../testing/fakes.ts';
import { openEngine, withGpu } from '../testing/open-engine.ts';

/** Two models in memory, the larger one used last, with a window of its own. */
async function twoLoaded() {
  const house = await openEngine(withGpu(48_000, 1_000));
  await house.release((await house.acquire()).leaseId);
  await house.release((await house.acquire('gemma4:12b', { contextTokens: 8_192 })).leaseId);
  return house;
}

test('everything of ours leaves the GPU, and what was used last is remembered with its window', async () => {
  const { client, ollama, engine } = await twoLoaded();
  await client.call('engine/lend', {});
  expect(ollama.residents.size).toBe(0);
  expect(engine.state()).toMatchObject({
    lent: { model: 'gemma4:12b', contextTokens: 8_192, freedBytes: 13 * gib },
    loaded: [],
    incidents: [],
  });
});

test('what an earlier Andiron left in memory is lent too, and what other programs loaded is left alone', async () => {
  const first = await openEngine();
  await first.acquire();
  await first.engine.stop();
  const second = await openEngine({ clock: first.deps.clock, files: first.deps.files, ollama: first.ollama });
  const plan = { model: 'theirs', options: { num_ctx: 4_096 }, shift: false } as const;
  const expiresAt = first.deps.clock.now() + 600_000;
  first.ollama.residents.set('theirs', { plan, bytes: 1, vramBytes: 1, expiresAt });
  await second.client.call('engine/lend', {});
  expect([...first.ollama.residents.keys()]).toEqual(['theirs']);
  expect(second.engine.state().lent).toMatchObject({ model: 'qwen3:8b', contextTokens: 16_384 });
});

test('a model that another program loaded with a window of its own is left alone (audit-A14)', async () => {
  const first = await openEngine();
  await first.acquire();
  await first.engine.stop();
  const { clock, files, ollama } = first.deps;
  const ours = ollama.residents.get('qwen3:8b');
  if (!ours) throw new Error('It is not in memory.');
  const { plan } = ours;
  ollama.residents.set('qwen3:8b', {
    ...ours,
    plan: { ...plan, options: { ...plan.options, num_ctx: 4_096 } },
  });
  const { client } = await openEngine({ clock, files, ollama });
  expect(await failureOf(client.call('engine/lend', {}))).toMatchObject({ code: 'not_found' });
  expect([...ollama.residents.keys()]).toEqual(['qwen3:8b']);
});

test('the one that was used last comes first, also when it was loaded first', async () => {
  const { client, acquire, release, engine } = await twoLoaded();
  await release((await acquire()).leaseId);
  await client.call('engine/lend', {});
  expect(engine.state().lent).toMatchObject({ model: 'qwen3:8b', contextTokens: 16_384 });
});

test('with nothing of ours in memory there is nothing to lend', async () => {
  const { client, engine } = await openEngine();
  expect(await failureOf(client.call('engine/lend', {}))).toMatchObject({ code: 'not_found' });
  expect(engine.state().lent).toBeNull();
});

test('what is still being loaded by hand is lent as soon as it is there', async () => {
  const { client, ollama, engine } = await openEngine();
  const loading = Promise.withResolvers<void>();
  ollama.whileLoading = () => loading.promise;
  const preload = client.call('model/preload', { model: 'qwen3:8b' });
  await settle();
  const lent = client.call('engine/lend', {});
  await settle();
  loading.resolve();
  await Promise.all([preload, lent]);
  expect(ollama.residents.size).toBe(0);
  expect(engine.state().lent).toMatchObject({ model: 'qwen3:8b' });
});

test('while a turn runs or waits it is refused, and nothing happens to the model', async () => {
  const { client, acquire, ollama } = await openEngine();
  await acquire();
  expect(await failureOf(client.call('engine/lend', {}))).toMatchObject({
    code: 'busy',
    advice: expect.stringContaining('Stop the turn') as string,
  });
  expect(ollama.residents.size).toBe(1);
});

test('a warm-up gives way to it', async () => {
  const { client, acquire, release, engine } = await openEngine();
  const { leaseId } = await acquire('qwen3:8b', { purpose: 'warm' });
  const wanted = client.call('lease/wanted', { leaseId });
  const lent = client.call('engine/lend', {});
  expect(await wanted).toMatchObject({ by: { label: 'Free the GPU' } });
  await release(leaseId);
  await lent;
  expect(engine.state().lent).toMatchObject({ model: 'qwen3:8b' });
});

test('while it is lent nothing of ours loads by itself', async () => {
  const { deps, client, acquire, ollama } = await twoLoaded();
  await client.call('engine/lend', {});
  await client.call('engine/set-keep-alive', { policy: 'always' });
  const loads = ollama.loads;
  for (const call of [
    acquire('gemma4:12b', { purpose: 'warm' }),
    client.call('model/preload', { model: 'gemma4:12b' }),
  ])
    expect(await failureOf(call)).toMatchObject({
      code: 'lent',
      advice: expect.stringContaining('Take the GPU back') as string,
    });
  await deps.clock.advance(30 * 60_000);
  expect(ollama.loads).toBe(loads);
  expect(ollama.residents.size).toBe(0);
});

test('a warm-up that waited while it was lent is refused as well', async () => {
  const { client, acquire, release } = await openEngine();
  const { leaseId } = await acquire('qwen3:8b', { purpose: 'warm' });
  const lent = client.call('engine/lend', {});
  await settle();
  const late = failureOf(acquire('qwen3:8b', { purpose: 'warm' }));
  await settle();
  await release(leaseId);
  await lent;
  expect(await late).toMatchObject({ code: 'lent' });
});

test('taken back, the same model has the same window, and the loan is over', async () => {
  const { client, ollama, engine } = await twoLoaded();
  const before = ollama.residents.get('gemma4:12b')?.plan;
  await client.call('engine/lend', {});
  await client.call('engine/take-back', {});
  expect(ollama.residents.get('gemma4:12b')?.plan).toEqual(before);
  expect(engine.state()).toMatchObject({ lent: null, loaded: [{ name: 'gemma4:12b' }] });
});

test('a turn takes it back by itself, with the window that was lent', async () => {
  const { client, acquire, engine } = await twoLoaded();
  await client.call('engine/lend', {});
  const lease = await acquire('gemma4:12b', { contextTokens: 32_768 });
  expect(lease).toMatchObject({ loaded: true, plan: { options: { num_ctx: 8_192 } } });
  expect(engine.state().lent).toBeNull();
});

test('a turn that comes while it is being lent gets its model back', async () => {
  const { client, acquire, ollama, engine } = await twoLoaded();
  const leases: ReturnType<typeof acquire>[] = [];
  const unload = ollama.unload.bind(ollama);
  ollama.unload = (...args) => {
    if (leases.length === 0) leases.push(acquire('gemma4:12b'));
    return unload(...args);
  };
  await client.call('engine/lend', {});
  expect(await leases[0]).toMatchObject({ loaded: true, plan: { options: { num_ctx: 8_192 } } });
  expect(engine.state().lent).toBeNull();
});

test('a turn that is stopped while its model comes back has ended the loan all the same', async () => {
  const { client, acquire, ollama, engine } = await twoLoaded();
  await client.call('engine/lend', {});
  const loading = Promise.withResolvers<void>();
  ollama.whileLoading = () => loading.promise;
  const controller = new AbortController();
  const stopped = failureOf(acquire('gemma4:12b', { signal: controller.signal }));
  await settle();
  controller.abort();
  expect(await stopped).toMatchObject({ code: 'cancelled' });
  expect(engine.state().lent).not.toBeNull();
  loading.resolve();
  await settle();
  expect(engine.state()).toMatchObject({ lent: null, loaded: [{ name: 'gemma4:12b' }] });
});

test('what cannot be loaded yet stays lent', async () => {
  const { client, ollama, engine } = await twoLoaded();
  await client.call('engine/lend', {});
  ollama.whileLoading = () => Promise.reject(new AndironError('load_failed', 'out of memory'));
  expect(await failureOf(client.call('engine/take-back', {}))).toMatchObject({ code: 'load_failed' });
  expect(engine.state().lent).toMatchObject({ model: 'gemma4:12b' });
});

test('lending twice and taking back twice is lending and taking back once', async () => {
  const { client, ollama, engine } = await twoLoaded();
  await client.call('engine/lend', {});
  await client.call('engine/lend', {});
  expect(engine.state().lent).toMatchObject({ model: 'gemma4:12b' });
  const loads = ollama.loads;
  await client.call('engine/take-back', {});
  await client.call('engine/take-back', {});
  expect(ollama.loads).toBe(loads + 1);
});
