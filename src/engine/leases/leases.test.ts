import { describe, expect, test } from 'vitest';
import { AndironError } from '../../protocol/errors.ts';
import { failureOf, settle } from '../testing/fakes.ts';
import { openEngine } from '../testing/open-engine.ts';

describe('the queue', () => {
  test('is told in the order in which they come in: turns before warm-ups and preloads', async () => {
    const { client, acquire, release, engine } = await openEngine();
    const first = await acquire();
    const warm = acquire('qwen3:8b', { purpose: 'warm' });
    const load = client.call('model/preload', { model: 'gemma4:12b' });
    const turn = acquire('gemma4:12b');
    await settle();
    expect(engine.state().queue).toMatchObject([
      { model: 'gemma4:12b', purpose: 'turn', label: 'a turn', since: expect.any(Number) as number },
      { model: 'qwen3:8b', purpose: 'warm' },
      { model: 'gemma4:12b', purpose: 'warm', label: 'Load gemma4:12b' },
    ]);
    await release(first.leaseId);
    await release((await turn).leaseId);
    await release((await warm).leaseId);
    await load;
    expect(engine.state()).toMatchObject({ queue: [], waiting: 0 });
  });
});

describe('a warm-up', () => {
  test('hears at once of the turn that waits behind it', async () => {
    const { client, acquire, release } = await openEngine();
    const { leaseId } = await acquire('qwen3:8b', { purpose: 'warm' });
    const wanted = client.call('lease/wanted', { leaseId });
    const turn = acquire();
    expect(await wanted).toMatchObject({ by: { model: 'qwen3:8b', purpose: 'turn', label: 'a turn' } });
    await release(leaseId);
    expect(await turn).toMatchObject({ loaded: false });
  });

  test('hears of a turn that waited before it asked', async () => {
    const { client, acquire } = await openEngine();
    const { leaseId } = await acquire('qwen3:8b', { purpose: 'warm' });
    void acquire().catch(() => undefined);
    await settle();
    expect(await client.call('lease/wanted', { leaseId })).toMatchObject({ by: { purpose: 'turn' } });
  });

  test('hears nothing of other warm-ups, and its question ends with it', async () => {
    const { client, acquire, release } = await openEngine();
    const { leaseId } = await acquire('qwen3:8b', { purpose: 'warm' });
    const wanted = failureOf(client.call('lease/wanted', { leaseId }));
    const next = acquire('qwen3:8b', { purpose: 'warm' });
    await settle();
    await release(leaseId);
    expect(await wanted).toMatchObject({ code: 'cancelled' });
    await next;
  });

  test('whose lease is gone is told so', async () => {
    const { client } = await openEngine();
    expect(await failureOf(client.call('lease/wanted', { leaseId: 'lease_gone' }))).toMatchObject({
      code: 'cancelled',
    });
  });
});

/** A load that never ends by itself, with one who asked for it and one who waits for the same model. */
async function loading() {
  const house = await openEngine();
  const { ollama, acquire } = house;
  ollama.whileLoading = () => new Promise(() => undefined);
  const first = failureOf(acquire());
  await settle();
  const second = failureOf(acquire());
  const other = acquire('gemma4:12b');
  await settle();
  return { ...house, first, second, other };
}

describe('a load that is given up', () => {
  test('is closed, and who waits for that model is told; others go on', async () => {
    const { client, ollama, engine, first, second, other } = await loading();
    expect(engine.state().loading).toMatchObject({ model: 'qwen3:8b' });
    ollama.whileLoading = () => Promise.resolve();
    await client.call('model/cancel-load', {});
    for (const each of [first, second])
      expect(await each).toMatchObject({
        code: 'cancelled',
        message: 'The load of qwen3:8b was given up.',
        advice: expect.stringContaining('Send again') as string,
      });
    expect(await other).toMatchObject({ model: { name: 'gemma4:12b' }, loaded: true });
    expect(engine.state()).toMatchObject({ loading: null, problem: null });
    expect([...ollama.residents.keys()]).toEqual(['gemma4:12b']);
  });

  test('may be asked for again', async () => {
    const { client, ollama, acquire, release, other } = await loading();
    ollama.whileLoading = () => Promise.resolve();
    await client.call('model/cancel-load', {});
    await release((await other).leaseId);
    expect(await acquire()).toMatchObject({ loaded: true });
  });

  test('is none when nothing is loaded', async () => {
    const { client, acquire } = await openEngine();
    await acquire();
    expect(await client.call('model/cancel-load', {})).toEqual({});
  });

  test('is given up too while its Ollama is away', async () => {
    const { deps, client, acquire, ollama, engine } = await openEngine();
    ollama.whileLoading = () => {
      ollama.listensAt.clear();
      return Promise.reject(new AndironError('stream_cut', 'socket hang up'));
    };
    const lease = failureOf(acquire());
    await deps.clock.advance(5_000);
    await client.call('model/cancel-load', {});
    expect(await lease).toMatchObject({ code: 'cancelled', message: 'The load of qwen3:8b was given up.' });
    expect(engine.state()).toMatchObject({ lease: null, queue: [] });
  });
});
