import { expect, test } from 'vitest';
import { engineTopic } from './base/state.ts';
import { AndironError } from '../protocol/errors.ts';
import type { EngineState } from '../protocol/model.ts';
import { failureOf, fakeDeps, fakeMachine, gib, settle } from './testing/fakes.ts';
import { openEngine, withGpu } from './testing/open-engine.ts';

const minute = 60_000;

test('a snapshot, then only what changes, counted without a gap', async () => {
  const { client, acquire } = await openEngine();
  const { seq, epoch, state } = await client.call('engine/subscribe', {});
  expect(epoch).toMatch(/^engine_/);
  expect(state.status.kind).toBe('running');
  expect(state.models.map(({ name }) => name)).toEqual(['qwen3:8b', 'gemma4:12b']);
  let seen: EngineState = state;
  const seqs: number[] = [];
  client.onEvent((topic, at, event) => {
    expect(topic).toBe(engineTopic);
    seqs.push(at);
    seen = { ...seen, ...(event as { changes: Partial<EngineState> }).changes };
  });
  const { leaseId } = await acquire();
  await settle();
  expect(seqs[0]).toBe(seq + 1);
  expect(seqs).toEqual(seqs.map((_, index) => seq + 1 + index));
  expect(seen.lease).toMatchObject({ id: leaseId, model: 'qwen3:8b', label: 'a turn' });
  expect(seen.loaded).toMatchObject([{ name: 'qwen3:8b', contextTokens: 16_384, asPlanned: true }]);
});

test('an idle engine with a watching window tells nothing', async () => {
  const { deps, client } = await openEngine(withGpu(24_000, 1_000));
  await client.call('engine/subscribe', {});
  await client.call('engine/watch', { visible: true });
  await deps.clock.advance(5_000);
  const events: unknown[] = [];
  client.onEvent((_, __, event) => events.push(event));
  await deps.clock.advance(10 * minute);
  expect(events).toEqual([]);
});

test('a lease comes with a loaded model, and its plan is what was sent', async () => {
  const { acquire, loadsSent } = await openEngine(withGpu(24_000, 1_000));
  const lease = await acquire();
  expect(lease).toMatchObject({
    url: 'http://127.0.0.1:11434',
    plan: { model: 'qwen3:8b', options: { num_ctx: 16_384 }, shift: false },
    model: { name: 'qwen3:8b', trainedContext: 32_768 },
    loaded: true,
  });
  expect(loadsSent()).toEqual([{ call: 'load', plan: lease.plan, keepAlive: '10m' }]);
});

test('the second lease finds the model loaded and sends nothing', async () => {
  const { acquire, release, ollama, loadsSent } = await openEngine();
  await release((await acquire()).leaseId);
  expect(await acquire()).toMatchObject({ loaded: false });
  expect(ollama.loads).toBe(1);
  expect(loadsSent()).toHaveLength(1);
});

test('a plan stays frozen while the model is loaded, whatever window the next caller names', async () => {
  const { acquire, release, ollama } = await openEngine();
  const first = await acquire();
  await release(first.leaseId);
  const second = await acquire('qwen3:8b', { contextTokens: 32_768 });
  expect(second.plan).toEqual(first.plan);
  expect(ollama.loads).toBe(1);
});

test('asked for by name, a larger window is loaded, once; a smaller one is not', async () => {
  const { client, ollama, engine } = await openEngine();
  await client.call('model/preload', { model: 'qwen3:8b' });
  await client.call('model/preload', { model: 'qwen3:8b', contextTokens: 32_768 });
  await client.call('model/preload', { model: 'qwen3:8b', contextTokens: 4_096 });
  await client.call('model/preload', { model: 'qwen3:8b' });
  expect(ollama.loads).toBe(2);
  expect(engine.state().loaded).toMatchObject([{ contextTokens: 32_768, asPlanned: true }]);
});

test('a larger window that failed is forgotten, and the old one loads again', async () => {
  const { client, acquire, ollama } = await openEngine();
  await client.call('model/preload', { model: 'qwen3:8b', contextTokens: 16_384 });
  ollama.whileLoading = () => Promise.reject(new AndironError('load_failed', 'out of memory'));
  const large = client.call('model/preload', { model: 'qwen3:8b', contextTokens: 32_768 });
  expect(await failureOf(large)).toMatchObject({ code: 'load_failed' });
  ollama.whileLoading = () => Promise.resolve();
  await client.call('model/preload', { model: 'qwen3:8b' });
  expect((await acquire()).plan.options.num_ctx).toBe(16_384);
});

test('the plan outlives the engine: the next one finds its model loaded as planned and reloads nothing', async () => {
  const first = await openEngine();
  await first.acquire('qwen3:8b', { contextTokens: 8_192 });
  await first.engine.stop();
  const second = await openEngine({ clock: first.deps.clock, files: first.deps.files, ollama: first.ollama });
  expect(second.engine.state().loaded).toMatchObject([{ asPlanned: true }]);
  expect(await second.acquire()).toMatchObject({ loaded: false, plan: { options: { num_ctx: 8_192 } } });
  expect(first.ollama.loads).toBe(1);
});

test('what another program loaded differently is reloaded by the plan, and the lease says so', async () => {
  const { deps, acquire, ollama, engine } = await openEngine();
  const plan = { model: 'qwen3:8b', options: { num_ctx: 4_096 }, shift: false } as const;
  ollama.residents.set('qwen3:8b', { plan, bytes: 1, vramBytes: 1, expiresAt: deps.clock.now() + minute });
  expect(await acquire()).toMatchObject({ loaded: true });
  expect(engine.state().loaded).toMatchObject([{ contextTokens: 16_384 }]);
});

test('without any GPU the plan has a small batch; where the load shows one, the next load has none', async () => {
  const { acquire, release, client } = await openEngine();
  const first = await acquire();
  expect(first.plan.options).toEqual({ num_ctx: 16_384, num_batch: 256 });
  await release(first.leaseId);
  await client.call('model/unload', { model: 'qwen3:8b' });
  expect((await acquire()).plan.options).toEqual({ num_ctx: 16_384 });
});

test('a load of which Ollama tells no size teaches nothing: without a GPU the batch stays small', async () => {
  const { deps, acquire, release, client, ollama } = await openEngine();
  ollama.tellsSizes = false;
  const first = await acquire();
  await release(first.leaseId);
  expect(deps.files.texts.get('/data/engine.json')).not.toContain('"sizeBytes":0');
  await client.call('model/unload', { model: 'qwen3:8b' });
  expect((await acquire()).plan.options).toEqual(first.plan.options);
});

test('a model that spills to the CPU gets the small batch at its next natural load, never by a reload', async () => {
  const { acquire, release, client, ollama } = await openEngine(withGpu(24_000, 1_000));
  ollama.vramShare = 0.6;
  await release((await acquire()).leaseId);
  const again = await acquire();
  expect(again.plan.options).toEqual({ num_ctx: 16_384 });
  await release(again.leaseId);
  expect(ollama.loads).toBe(1);
  await client.call('model/unload', { model: 'qwen3:8b' });
  expect((await acquire()).plan.options).toEqual({ num_ctx: 16_384, num_batch: 256 });
});

test('the GPU of this machine says nothing about the simulated engine, and nothing of it is kept', async () => {
  const { deps, acquire } = await openEngine({ simulated: true });
  expect((await acquire()).plan.options).toEqual({ num_ctx: 16_384 });
  expect(deps.files.texts.size).toBe(0);
});

test('leases are serial, turns before warm-ups', async () => {
  const { acquire, release, engine } = await openEngine();
  const first = await acquire();
  const order: string[] = [];
  const warm = acquire('qwen3:8b', { purpose: 'warm' }).then((lease) => {
    order.push('warm');
    return lease;
  });
  const turn = acquire('qwen3:8b').then((lease) => {
    order.push('turn');
    return lease;
  });
  await settle();
  expect(engine.state()).toMatchObject({ waiting: 2, lease: { id: first.leaseId } });
  await release(first.leaseId);
  await release((await turn).leaseId);
  await release((await warm).leaseId);
  expect(order).toEqual(['turn', 'warm']);
  expect(engine.state()).toMatchObject({ waiting: 0, lease: null });
});

test('a caller that leaves the queue leaves no trace', async () => {
  const { acquire, release, engine } = await openEngine();
  const first = await acquire();
  const controller = new AbortController();
  const waiting = failureOf(acquire('gemma4:12b', { signal: controller.signal }));
  await settle();
  controller.abort();
  expect(await waiting).toMatchObject({ code: 'cancelled' });
  await settle();
  expect(engine.state().waiting).toBe(0);
  await release(first.leaseId);
  expect(engine.state().loaded).toHaveLength(1);
});

test('a caller that leaves during the load leaves at once; the load goes on, and the next one waits for it', async () => {
  const { acquire, ollama, engine } = await openEngine();
  const loading = Promise.withResolvers<void>();
  ollama.whileLoading = () => loading.promise;
  const controller = new AbortController();
  const left = failureOf(acquire('qwen3:8b', { signal: controller.signal }));
  await settle();
  expect(engine.state().loading).toMatchObject({ model: 'qwen3:8b', expectedMs: null });
  controller.abort();
  expect(await left).toMatchObject({ code: 'cancelled' });
  const next = acquire();
  await settle();
  expect(engine.state()).toMatchObject({ waiting: 1, loading: { model: 'qwen3:8b' } });
  loading.resolve();
  expect(await next).toMatchObject({ loaded: false });
  expect(ollama.loads).toBe(1);
});

test('a lost connection ends its lease and its place in the queue, and nobody else’s', async () => {
  const { client, connect, acquire, release, engine } = await openEngine();
  await acquire();
  const other = connect();
  const params = { model: 'qwen3:8b', contextTokens: 16_384, purpose: 'turn', label: 'other' } as const;
  const theirs = other.call('lease/acquire', params);
  await settle();
  client.close();
  const { leaseId } = await theirs;
  await settle();
  expect(engine.state().lease).toMatchObject({ id: leaseId, label: 'other' });
  await failureOf(release('lease_nobody'));
  expect(engine.state().lease).toMatchObject({ id: leaseId });
});

test('a model that does not fit beside the old one: the old one is unloaded first, and gone before the load', async () => {
  const { acquire, release, ollama, deps } = await openEngine(withGpu(12_000, 1_000));
  await release((await acquire()).leaseId);
  deps.processes.outputs.set('nvidia-smi', 'GPU, 12000, 5400, 50, 40, 200');
  await acquire('gemma4:12b');
  expect(ollama.sent.filter(({ call }) => call !== 'show').map((sent) => sent.call)).toEqual([
    'load',
    'unload',
    'load',
  ]);
  expect([...ollama.residents.keys()]).toEqual(['gemma4:12b']);
});

test('models that fit together stay together', async () => {
  const { acquire, release, ollama } = await openEngine(withGpu(48_000, 1_000));
  await release((await acquire()).leaseId);
  await release((await acquire('gemma4:12b')).leaseId);
  await release((await acquire()).leaseId);
  expect(ollama.loads).toBe(2);
  expect([...ollama.residents.keys()]).toEqual(['qwen3:8b', 'gemma4:12b']);
});

test('while nobody knows what fits, nothing is unloaded for another model', async () => {
  const machine = fakeMachine({ env: { OLLAMA_HOST: 'gpu.lan' } });
  const deps = fakeDeps();
  deps.ollama.listensAt = new Set(['http://gpu.lan:11434']);
  const { acquire, release, ollama } = await openEngine({ machine, ollama: deps.ollama, clock: deps.clock });
  await release((await acquire()).leaseId);
  await acquire('gemma4:12b');
  expect(ollama.residents.size).toBe(2);
});

test('unload waits until the model is gone', async () => {
  const { deps, client, ollama, engine } = await openEngine();
  await client.call('model/preload', { model: 'qwen3:8b' });
  ollama.unload = () => Promise.resolve();
  const done = client.call('model/unload', { model: 'qwen3:8b' });
  await deps.clock.advance(5_000);
  ollama.residents.clear();
  await deps.clock.advance(250);
  await done;
  expect(engine.state().loaded).toEqual([]);
});

test('a model in use is not unloaded: refused, with what to do', async () => {
  const { client, acquire, ollama } = await openEngine();
  await acquire();
  const refused = await failureOf(client.call('model/unload', { model: 'qwen3:8b' }));
  expect(refused).toMatchObject({ code: 'busy', advice: expect.stringContaining('Stop the turn') });
  expect(ollama.residents.size).toBe(1);
});

test('a model that is not installed is said to be missing, by every caller', async () => {
  const { client, acquire } = await openEngine();
  expect(await failureOf(acquire('nope'))).toMatchObject({ code: 'model_missing' });
  for (const method of ['model/preload', 'model/unload', 'model/residency'] as const)
    expect(await failureOf(client.call(method, { model: 'nope' }))).toMatchObject({ code: 'model_missing' });
});

test('residency is asked of the engine at that moment', async () => {
  const { client, ollama } = await openEngine();
  await client.call('model/preload', { model: 'qwen3:8b' });
  expect(await client.call('model/residency', { model: 'qwen3:8b' })).toEqual({
    loaded: true,
    vramBytes: 4 * gib,
  });
  ollama.residents.clear();
  expect(await client.call('model/residency', { model: 'qwen3:8b' })).toEqual({
    loaded: false,
    vramBytes: null,
  });
});

test('while open, an idle model is renewed before its ten minutes are over, with its plan', async () => {
  const { deps, client, ollama, loadsSent } = await openEngine();
  await client.call('model/preload', { model: 'qwen3:8b' });
  await deps.clock.advance(60 * minute);
  expect(ollama.residents.size).toBe(1);
  expect(ollama.loads).toBe(1);
  expect(new Set(loadsSent().map((sent) => JSON.stringify(sent))).size).toBe(1);
  expect(loadsSent().length).toBeGreaterThan(10);
});

test('when everybody has left, the GPU is free ten minutes later', async () => {
  const { deps, client, ollama } = await openEngine();
  await client.call('model/preload', { model: 'qwen3:8b' });
  client.close();
  await deps.clock.advance(11 * minute);
  expect(await ollama.ps('http://127.0.0.1:11434', AbortSignal.timeout(1))).toEqual([]);
});

test('always keeps the model for ever, from the moment it is chosen', async () => {
  const { deps, client, engine, loadsSent } = await openEngine();
  await client.call('model/preload', { model: 'qwen3:8b' });
  await client.call('engine/set-keep-alive', { policy: 'always' });
  await deps.clock.advance(60 * minute);
  for (const policy of ['while_open', 'always'] as const) {
    await client.call('engine/set-keep-alive', { policy });
    await settle();
  }
  expect(loadsSent().map((sent) => sent.keepAlive)).toEqual(['10m', -1, '10m', -1]);
  expect(engine.state().keepAlive).toBe('always');
  expect(JSON.parse(deps.files.texts.get('/data/engine.json') ?? '')).toMatchObject({ keepAlive: 'always' });
});

test('never unloads when the turn is over and no other follows', async () => {
  const { deps, client, acquire, release, ollama } = await openEngine();
  await client.call('engine/set-keep-alive', { policy: 'never' });
  await release((await acquire()).leaseId);
  await deps.clock.advance(5_000);
  await release((await acquire()).leaseId);
  expect(ollama.loads).toBe(1);
  await deps.clock.advance(9_000);
  expect(ollama.residents.size).toBe(1);
  await deps.clock.advance(2_000);
  expect(ollama.residents.size).toBe(0);
});

test('a load that fails is a problem in the state, until a load works', async () => {
  const { acquire, ollama, engine } = await openEngine();
  ollama.whileLoading = () => Promise.reject(new AndironError('load_failed', 'out of memory', 'Free some.'));
  expect(await failureOf(acquire())).toMatchObject({ code: 'load_failed', advice: 'Free some.' });
  expect(engine.state()).toMatchObject({
    loading: null,
    lease: null,
    problem: { code: 'load_failed', message: 'out of memory', advice: 'Free some.' },
  });
  ollama.whileLoading = () => Promise.resolve();
  await acquire();
  expect(engine.state().problem).toBeNull();
});

test('refresh looks at everything now', async () => {
  const { client, ollama, engine } = await openEngine();
  ollama.install('new:latest');
  await client.call('engine/refresh', {});
  expect(engine.state().models).toHaveLength(3);
});

test('one hundred requests of all kinds load each model once', async () => {
  const { client, acquire, release, ollama } = await openEngine(withGpu(48_000, 1_000));
  const models = ['qwen3:8b', 'gemma4:12b'];
  for (let index = 0; index < 100; index += 1) {
    const model = models[index % 2] ?? '';
    const contextTokens = [4_096, 16_384, 32_768][index % 3] ?? 0;
    if (index % 10 === 9) await client.call('model/preload', { model });
    else if (index % 10 === 8) await client.call('model/residency', { model });
    else {
      const purpose = index % 4 === 0 ? 'warm' : 'turn';
      await release((await acquire(model, { contextTokens, purpose })).leaseId);
    }
  }
  expect(ollama.loads / models.length).toBe(1);
});

test('a stopped engine looks at nothing and unloads nothing', async () => {
  const { deps, client, engine, ollama } = await openEngine();
  await client.call('model/preload', { model: 'qwen3:8b' });
  await engine.stop();
  const asked = ollama.versionsAsked;
  await deps.clock.advance(60_000);
  expect(ollama.versionsAsked).toBe(asked);
  expect(ollama.residents.size).toBe(1);
});
