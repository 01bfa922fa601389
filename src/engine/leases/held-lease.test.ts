/** What may be asked of a lease that is held, what happens beside it, and how one that is gone answers. */
import { describe, expect, test } from 'vitest';
import { AndironError } from '../../protocol/errors.ts';
import { createTransportPair } from '../../protocol/transport.ts';
import { failureOf, settle } from '../testing/fakes.ts';
import { openEngine } from '../testing/open-engine.ts';
import { createGpuQueue } from './gpu-queue.ts';

const text = (): string => expect.stringMatching(/\S/) as string;

describe('a slot that is lost', () => {
  test('is cured by loading the model again under the same lease, and told with its time', async () => {
    const { deps, acquire, client, ollama, engine } = await openEngine();
    const { leaseId } = await acquire();
    ollama.whileLoading = () => deps.clock.advance(2_000);
    expect(await client.call('lease/cure', { leaseId })).toEqual({ tookMs: 2_000 });
    expect(ollama.loads).toBe(2);
    expect(engine.state()).toMatchObject({
      lease: { id: leaseId },
      loading: null,
      incidents: [{ model: 'qwen3:8b', costMs: 2_000 }],
    });
  });

  test('is no longer waited for when the turn stops, with the model in memory again', async () => {
    const { acquire, client, ollama } = await openEngine();
    const { leaseId } = await acquire();
    const loading = Promise.withResolvers<void>();
    ollama.whileLoading = () => loading.promise;
    const controller = new AbortController();
    const cured = failureOf(client.call('lease/cure', { leaseId }, controller.signal));
    await settle();
    controller.abort();
    expect(await cured).toMatchObject({ code: 'cancelled', message: text() });
    loading.resolve();
    await settle();
    expect([...ollama.residents.keys()]).toEqual(['qwen3:8b']);
  });
});

describe('a lease that is gone', () => {
  test.each(['lease/wanted', 'lease/regain', 'lease/cure'] as const)(
    'is refused by %s in words, and touches no model',
    async (method) => {
      const { client, acquire, release, loadsSent } = await openEngine();
      const { leaseId } = await acquire();
      await release(leaseId);
      const sent = loadsSent().length;
      expect(await failureOf(client.call(method, { leaseId }))).toMatchObject({
        code: 'cancelled',
        message: 'The GPU lease has expired.',
        ...(method !== 'lease/wanted' && { advice: 'Send again.' }),
      });
      expect(loadsSent().length).toBe(sent);
    },
  );

  test('while Ollama is away loads no model when Ollama comes back', async () => {
    const { deps, client, acquire, release, ollama, loadsSent } = await openEngine();
    const { leaseId } = await acquire();
    ollama.residents.clear();
    ollama.listensAt.clear();
    const regained = failureOf(client.call('lease/regain', { leaseId }));
    await deps.clock.advance(5_000);
    await release(leaseId);
    ollama.listensAt.add('http://127.0.0.1:11434');
    await deps.clock.advance(2_000);
    expect(await regained).toMatchObject({
      code: 'cancelled',
      message: 'The GPU lease has expired.',
    });
    expect(loadsSent()).toHaveLength(1);
  });

  test('while its model is unloaded for a cure is not loaded again', async () => {
    const { deps, client, acquire, release, ollama, loadsSent } = await openEngine();
    const { leaseId } = await acquire();
    const unload = ollama.unload.bind(ollama);
    const unloading = Promise.withResolvers<void>();
    ollama.unload = async (...args) => {
      await unloading.promise;
      await unload(...args);
    };
    const cured = failureOf(client.call('lease/cure', { leaseId }));
    await settle();
    await release(leaseId);
    unloading.resolve();
    await deps.clock.advance(1_000);
    expect(await cured).toMatchObject({ code: 'cancelled' });
    expect(loadsSent()).toHaveLength(1);
  });

  test('is given back again without an effect on the one that is held', async () => {
    const { acquire, release, engine } = await openEngine();
    const { leaseId: first } = await acquire();
    await release(first);
    const { leaseId: second } = await acquire();
    await release(first);
    expect(engine.state().lease).toMatchObject({ id: second });
  });
});

describe('a warm-up', () => {
  test('hears of a turn that came while its model was still being loaded', async () => {
    const { client, acquire, ollama } = await openEngine();
    const loading = Promise.withResolvers<void>();
    ollama.whileLoading = () => loading.promise;
    const warm = acquire('qwen3:8b', { purpose: 'warm' });
    await settle();
    void acquire().catch(() => undefined);
    await settle();
    loading.resolve();
    const { leaseId } = await warm;
    expect(await client.call('lease/wanted', { leaseId })).toMatchObject({ by: { purpose: 'turn' } });
  });

  test('that ends tells whoever asked that it is over', async () => {
    const { client, acquire, release } = await openEngine();
    const { leaseId } = await acquire('qwen3:8b', { purpose: 'warm' });
    const wanted = failureOf(client.call('lease/wanted', { leaseId }));
    await release(leaseId);
    expect(await wanted).toMatchObject({ message: 'The GPU lease has expired.' });
  });
});

/** A turn that is stopped so many steps after the load, with what the engine answers. */
async function stoppedAfter(steps: number) {
  const house = await openEngine();
  const [here, there] = createTransportPair();
  house.engine.connect(there);
  const answer = Promise.withResolvers<{ ok: boolean; error?: unknown }>();
  here.onFrame((frame) => {
    const each = frame as { type: string; ok: boolean; error?: unknown };
    if (each.type === 'response') answer.resolve(each);
  });
  const loading = Promise.withResolvers<void>();
  house.ollama.whileLoading = () => loading.promise;
  const params = { model: 'qwen3:8b', contextTokens: 16_384, purpose: 'turn', label: 'a turn' };
  here.send({ type: 'request', id: 1, method: 'lease/acquire', params });
  await settle();
  loading.resolve();
  for (let step = 0; step < steps; step += 1) await Promise.resolve();
  here.send({ type: 'cancel', id: 1 });
  return { ...house, answer: await answer.promise };
}

describe('a turn that is stopped as its load ends', () => {
  test('has the lease, or is told in words and leaves the GPU to the next one (audit-A14)', async () => {
    const outcomes = new Set<boolean>();
    for (let steps = 0; steps < 60; steps += 1) {
      const { answer, engine, acquire } = await stoppedAfter(steps);
      outcomes.add(answer.ok);
      expect(engine.state().lease !== null).toBe(answer.ok);
      if (answer.ok) continue;
      expect(answer.error).toMatchObject({ code: 'cancelled', message: text() });
      expect(await acquire()).toMatchObject({ loaded: false });
    }
    expect(outcomes).toEqual(new Set([true, false]));
  });
});

describe('a load by hand', () => {
  test('of the model in use is done at once where its window is large enough', async () => {
    const { client, acquire, loadsSent } = await openEngine();
    await acquire('qwen3:8b', { contextTokens: 8_192 });
    for (const contextTokens of [undefined, 4_096, 8_192])
      expect(await client.call('model/preload', { model: 'qwen3:8b', contextTokens })).toEqual({});
    expect(loadsSent()).toHaveLength(1);
  });

  test('with a larger window waits for the turn, and then the model has it', async () => {
    const { client, acquire, release, ollama, engine } = await openEngine();
    const { leaseId } = await acquire('qwen3:8b', { contextTokens: 8_192 });
    const load = client.call('model/preload', { model: 'qwen3:8b', contextTokens: 16_384 });
    await settle();
    expect(engine.state().waiting).toBe(1);
    await release(leaseId);
    await load;
    expect(ollama.residents.get('qwen3:8b')?.plan.options.num_ctx).toBe(16_384);
  });

  test('of another model waits for the turn, and lets the next one in when it is done', async () => {
    const { client, acquire, release, engine } = await openEngine();
    const { leaseId } = await acquire();
    const load = client.call('model/preload', { model: 'gemma4:12b' });
    await settle();
    expect(engine.state().queue).toMatchObject([{ model: 'gemma4:12b', purpose: 'warm' }]);
    await release(leaseId);
    await load;
    expect(await acquire()).toMatchObject({ model: { name: 'qwen3:8b' } });
  });

  test('asks for no larger window than the model was trained for', async () => {
    const { client, acquire, ollama, loadsSent } = await openEngine();
    ollama.install('small', { trained: 4_096 });
    await client.call('engine/refresh', {});
    await settle();
    await acquire('small', { contextTokens: 4_096 });
    await client.call('model/preload', { model: 'small', contextTokens: 131_072 });
    expect(loadsSent()).toHaveLength(1);
  });

  test('without a window keeps the one that is loaded', async () => {
    const { client, acquire, release, ollama } = await openEngine();
    await release((await acquire('qwen3:8b', { contextTokens: 8_192 })).leaseId);
    await client.call('model/preload', { model: 'qwen3:8b' });
    expect(ollama.residents.get('qwen3:8b')?.plan.options.num_ctx).toBe(8_192);
  });
});

test('a model that is gone when it is to be loaded is gone from the list too', async () => {
  const { acquire, ollama, engine } = await openEngine();
  ollama.whileLoading = () => {
    ollama.installed.delete('gemma4:12b');
    return Promise.reject(new AndironError('model_missing', 'gemma4:12b is not installed.'));
  };
  expect(await failureOf(acquire('gemma4:12b'))).toMatchObject({ code: 'model_missing' });
  expect(engine.state().models.map(({ name }) => name)).toEqual(['qwen3:8b']);
});

describe('an Ollama that ends under each load', () => {
  test('is tried three times, and then the turn is told', async () => {
    const { deps, acquire, ollama, loadsSent } = await openEngine();
    ollama.whileLoading = () => Promise.reject(new AndironError('stream_cut', 'socket hang up'));
    const lease = failureOf(acquire());
    await deps.clock.advance(60_000);
    expect(await lease).toMatchObject({ code: 'engine_unavailable' });
    expect(loadsSent()).toHaveLength(3);
  });

  test('is not tried again after another kind of failure', async () => {
    const { deps, acquire, ollama, loadsSent } = await openEngine();
    ollama.whileLoading = () => Promise.reject(new AndironError('load_failed', 'out of memory'));
    const lease = failureOf(acquire());
    await deps.clock.advance(60_000);
    expect(await lease).toMatchObject({ code: 'load_failed' });
    expect(loadsSent()).toHaveLength(1);
  });
});

describe('what is told of the GPU', () => {
  test('a model that was taken back leaves the GPU to the next turn, and is named while it waits', async () => {
    const { client, acquire, release, ollama, engine } = await openEngine();
    await release((await acquire('gemma4:12b')).leaseId);
    await client.call('engine/lend', {});
    const loading = Promise.withResolvers<void>();
    ollama.whileLoading = () => loading.promise;
    const turn = acquire();
    await settle();
    const back = client.call('engine/take-back', {});
    await settle();
    expect(engine.state().queue).toMatchObject([{ purpose: 'turn', label: 'Take back gemma4:12b' }]);
    loading.resolve();
    const { leaseId } = await turn;
    await release(leaseId);
    await back;
    expect(await acquire()).toMatchObject({ model: { name: 'qwen3:8b' } });
  });

  test('a turn that is stopped while it waits says what it waited for', async () => {
    const { acquire } = await openEngine();
    await acquire();
    const controller = new AbortController();
    const waiting = failureOf(acquire('qwen3:8b', { signal: controller.signal }));
    await settle();
    controller.abort();
    expect(await waiting).toMatchObject({ code: 'cancelled', message: text() });
  });

  test('a queue from which nobody was sent away tells no change', async () => {
    let changes = 0;
    const queue = createGpuQueue(() => (changes += 1));
    const who = { id: 'a', model: 'qwen3:8b', purpose: 'turn', label: 'a', since: 0 } as const;
    await queue.enter(who);
    const second = failureOf(queue.enter({ ...who, id: 'b' }));
    const before = changes;
    const reason = new AndironError('cancelled', 'It was given up.');
    queue.dismiss(() => false, reason);
    expect(changes).toBe(before);
    queue.dismiss(({ id }) => id === 'b', reason);
    expect(changes).toBe(before + 1);
    expect(await second).toBe(reason);
  });
});
