/** What the engine does when Ollama goes away, or lets another program keep the memory that a load needs. */
import { describe, expect, test } from 'vitest';
import { AndironError } from '../protocol/errors.ts';
import { failureOf, fakeFiles, settle, type FakeOllama } from './testing/fakes.ts';
import { openEngine, withGpu } from './testing/open-engine.ts';

/** Ollama ends under the next load, and is gone. */
function dieWhileLoading(ollama: FakeOllama): void {
  ollama.whileLoading = () => {
    ollama.listensAt.clear();
    ollama.residents.clear();
    ollama.whileLoading = () => Promise.resolve();
    return Promise.reject(new AndironError('stream_cut', 'The connection to Ollama broke: socket hang up'));
  };
}

test('Ollama going away during a load is noticed at once, waited for, said after a minute, and forgiven', async () => {
  const { deps, acquire, ollama, engine } = await openEngine({ files: fakeFiles({ '/usr/bin/ollama': '' }) });
  dieWhileLoading(ollama);
  const failure = failureOf(acquire());
  await deps.clock.advance(2_000);
  expect(engine.state()).toMatchObject({ status: { kind: 'stopped' } });
  await deps.clock.advance(60_000);
  expect(await failure).toMatchObject({
    code: 'engine_unavailable',
    message: expect.stringContaining('did not come back within a minute'),
    advice: 'Run: ollama serve',
  });
  expect(engine.state()).toMatchObject({ problem: { code: 'engine_unavailable' } });
  expect(await failureOf(acquire())).toMatchObject({ advice: 'Run: ollama serve' });
  ollama.listensAt.add('http://127.0.0.1:11434');
  await deps.clock.advance(10_000);
  expect(engine.state()).toMatchObject({ status: { kind: 'running' }, problem: null });
});

test('a load goes on with an Ollama that comes back within a minute', async () => {
  const { deps, acquire, ollama } = await openEngine();
  dieWhileLoading(ollama);
  const lease = acquire();
  await deps.clock.advance(20_000);
  ollama.listensAt.add('http://127.0.0.1:11434');
  await deps.clock.advance(2_000);
  expect(await lease).toMatchObject({ loaded: true, model: { name: 'qwen3:8b' } });
});

test('who waits for an Ollama that went away may leave at once, and the next one gets his turn', async () => {
  const { deps, acquire, ollama } = await openEngine();
  dieWhileLoading(ollama);
  const controller = new AbortController();
  const left = failureOf(acquire('qwen3:8b', { signal: controller.signal }));
  await deps.clock.advance(5_000);
  controller.abort();
  expect(await left).toMatchObject({ code: 'cancelled' });
  ollama.listensAt.add('http://127.0.0.1:11434');
  await deps.clock.advance(2_000);
  expect(await acquire()).toMatchObject({ loaded: true });
});

describe('a lease whose answer broke off', () => {
  test('is regained from an Ollama that came back as another version, with the model loaded again', async () => {
    const { deps, acquire, client, ollama, engine } = await openEngine();
    const { leaseId } = await acquire();
    ollama.residents.clear();
    ollama.listensAt.clear();
    const regained = client.call('lease/regain', { leaseId });
    await deps.clock.advance(5_000);
    ollama.answersAs = '0.41.0';
    ollama.listensAt.add('http://127.0.0.1:11434');
    await deps.clock.advance(2_000);
    expect(await regained).toMatchObject({ loaded: true, versions: { before: '0.40.2', now: '0.41.0' } });
    expect(engine.state().lease).toMatchObject({ id: leaseId });
  });

  test('costs one load that proves the model where nothing had happened to it', async () => {
    const { acquire, client, ollama, loadsSent } = await openEngine();
    const { leaseId } = await acquire();
    expect(await client.call('lease/regain', { leaseId })).toMatchObject({ loaded: false });
    expect([loadsSent().length, ollama.loads]).toEqual([2, 1]);
  });

  test('is no more once it was given back', async () => {
    const { acquire, client, release } = await openEngine();
    const { leaseId } = await acquire();
    await release(leaseId);
    expect(await failureOf(client.call('lease/regain', { leaseId }))).toMatchObject({ code: 'cancelled' });
  });
});

test('a model that another program loaded anew with another window is loaded by its plan again', async () => {
  const { acquire, release, ollama } = await openEngine();
  const { leaseId, plan } = await acquire();
  await release(leaseId);
  await ollama.load(
    'http://127.0.0.1:11434',
    { ...plan, options: { num_ctx: 4_096 } },
    '10m',
    new AbortController().signal,
  );
  expect(await acquire()).toMatchObject({
    loaded: true,
    plan: { options: { num_ctx: plan.options.num_ctx } },
  });
});

test('a failed request makes the next lease prove the model and look at the list again', async () => {
  const { acquire, client, ollama, engine, loadsSent } = await openEngine();
  const { leaseId } = await acquire();
  ollama.installed.delete('gemma4:12b');
  await client.call('lease/release', { leaseId, failed: true });
  await settle();
  expect(engine.state().models.map(({ name }) => name)).toEqual(['qwen3:8b']);
  expect(await acquire()).toMatchObject({ loaded: false });
  expect(loadsSent()).toHaveLength(2);
});

/** A model is needed for which there is no room beside the one that another program uses. */
async function crowd() {
  const house = await openEngine(withGpu(6_000, 5_000));
  await house.acquire('gemma4:12b').then(({ leaseId }) => house.release(leaseId));
  house.ollama.busy.add('gemma4:12b');
  return house;
}

describe('a load that waits for what another program keeps', () => {
  test('is told by name once an idle model would be gone, and no longer when it is loaded', async () => {
    const { deps, acquire, ollama, engine } = await crowd();
    const lease = acquire();
    await deps.clock.advance(7_000);
    expect(engine.state().problem).toBeNull();
    await deps.clock.advance(2_000);
    expect(engine.state().problem).toMatchObject({
      code: 'load_starved',
      message: expect.stringContaining('gemma4:12b'),
      advice: expect.stringContaining('unload gemma4:12b'),
    });
    await deps.clock.advance(60_000);
    expect(engine.state().problem).toMatchObject({ code: 'load_starved' });
    ollama.busy.clear();
    ollama.residents.delete('gemma4:12b');
    await deps.clock.advance(3_000);
    expect(await lease).toMatchObject({ loaded: true });
    expect(engine.state().problem).toBeNull();
  });

  test('is given up when nobody waits for it, so that the GPU is free for others', async () => {
    const { deps, acquire, ollama, engine, loadsSent } = await crowd();
    const controller = new AbortController();
    const left = failureOf(acquire('qwen3:8b', { signal: controller.signal }));
    await deps.clock.advance(9_000);
    controller.abort();
    expect(await left).toMatchObject({ code: 'cancelled' });
    await deps.clock.advance(1_000);
    expect(engine.state()).toMatchObject({ problem: null, loading: null, lease: null });
    expect(await acquire('gemma4:12b')).toMatchObject({ model: { name: 'gemma4:12b' } });
    expect(loadsSent().map(({ plan }) => plan.model)).not.toContain('qwen3:8b');
    expect(ollama.residents.has('gemma4:12b')).toBe(true);
  });

  test('does not keep the model that is in the way from being unloaded by hand', async () => {
    const { deps, acquire, client, ollama } = await crowd();
    const lease = acquire();
    await deps.clock.advance(45_000);
    ollama.busy.clear();
    const unloaded = client.call('model/unload', { model: 'gemma4:12b' });
    await deps.clock.advance(3_000);
    await unloaded;
    expect(await lease).toMatchObject({ loaded: true });
  });
});
