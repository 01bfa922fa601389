import { expect, test } from 'vitest';
import type { LoadPlan } from '../../protocol/model.ts';
import { pause } from '../base/timing.ts';
import { openEngine } from '../testing/open-engine.ts';

const minute = 60_000;
const at = 'http://127.0.0.1:11434';

/** One model in memory, idle, and what another program does. */
async function loaded() {
  const house = await openEngine();
  const { leaseId, plan } = await house.acquire();
  await house.release(leaseId);
  const byOthers = (model: string, window: number): Promise<void> =>
    house.ollama.load(
      at,
      { model, options: { num_ctx: window }, shift: false } satisfies LoadPlan,
      '10m',
      new AbortController().signal,
    );
  const incidents = () =>
    house.engine.state().incidents.map(({ kind, model, message }) => ({ kind, model, message }));
  return { ...house, plan, byOthers, incidents };
}

test('another program that loads the model with another window is told, once, and what it will cost', async () => {
  const { deps, acquire, byOthers, incidents, engine } = await loaded();
  await byOthers('qwen3:8b', 4_096);
  await deps.clock.advance(2 * minute);
  expect(incidents()).toEqual([
    {
      kind: 'reload',
      model: 'qwen3:8b',
      message: 'Another program reloaded qwen3:8b with a context of 4096 tokens instead of 16384.',
    },
  ]);
  expect(engine.state().loaded).toMatchObject([
    { contextTokens: 4_096, plannedTokens: 16_384, asPlanned: false },
  ]);
  expect(await acquire()).toMatchObject({ loaded: true });
  await deps.clock.advance(2 * minute);
  expect(incidents()).toHaveLength(1);
});

test('a model that had to leave for one that another program loaded is told with its name', async () => {
  const { deps, ollama, byOthers, incidents } = await loaded();
  ollama.install('theirs');
  ollama.residents.delete('qwen3:8b');
  await byOthers('theirs', 4_096);
  await deps.clock.advance(minute);
  expect(incidents()).toEqual([
    {
      kind: 'evicted',
      model: 'qwen3:8b',
      message: 'qwen3:8b had to leave memory for theirs, which another program loaded.',
    },
  ]);
});

test('a model that is only listed when it has been loaded is named all the same', async () => {
  const { deps, client, ollama, byOthers, incidents } = await loaded();
  ollama.install('theirs');
  ollama.residents.delete('qwen3:8b');
  await client.call('engine/refresh', {});
  await deps.clock.advance(5_000);
  expect(incidents()).toEqual([]);
  await byOthers('theirs', 4_096);
  await client.call('engine/refresh', {});
  expect(incidents()).toMatchObject([{ message: expect.stringContaining('for theirs') as string }]);
});

test('a model that another program unloaded is told', async () => {
  const { deps, ollama, incidents } = await loaded();
  ollama.residents.delete('qwen3:8b');
  await deps.clock.advance(minute);
  expect(incidents()).toMatchObject([
    { kind: 'evicted', message: 'Another program unloaded qwen3:8b, or Ollama was restarted.' },
  ]);
});

test('what Andiron does itself is no incident: unload, larger window, switch, expiry', async () => {
  const { deps, client, acquire, release, ollama, incidents } = await loaded();
  await client.call('model/preload', { model: 'qwen3:8b', contextTokens: 32_768 });
  await client.call('model/unload', { model: 'qwen3:8b' });
  await release((await acquire('gemma4:12b')).leaseId);
  // Ollama makes room for a load of ours by itself where it is unknown what fits.
  ollama.whileLoading = async () => void ollama.residents.delete('gemma4:12b');
  await release((await acquire()).leaseId);
  ollama.whileLoading = () => Promise.resolve();
  await client.call('engine/set-keep-alive', { policy: 'minutes', minutes: 2 });
  await deps.clock.advance(5 * minute);
  expect(ollama.residents.size).toBe(0);
  expect(incidents()).toEqual([]);
});

test('a runner that had died is told when its model is proved, with what the load took', async () => {
  const { deps, client, acquire, ollama, incidents, engine } = await loaded();
  const { leaseId } = await acquire();
  await client.call('lease/release', { leaseId, failed: true });
  const load = ollama.load.bind(ollama);
  ollama.load = async (...args) => {
    await pause(deps.clock, 9_000);
    return load(...args);
  };
  const next = acquire();
  await deps.clock.advance(9_000);
  expect(await next).toMatchObject({ loaded: false });
  expect(incidents()).toMatchObject([{ kind: 'runner_died', model: 'qwen3:8b' }]);
  expect(engine.state().incidents[0]).toMatchObject({ costMs: 9_000 });
});

test('a renewal that turns out to be a load is told', async () => {
  const { deps, ollama, incidents } = await loaded();
  const load = ollama.load.bind(ollama);
  ollama.load = async (...args) => {
    await pause(deps.clock, 5_000);
    return load(...args);
  };
  await deps.clock.advance(6 * minute);
  expect(incidents()).toMatchObject([{ kind: 'reload', model: 'qwen3:8b' }]);
});

test('a model that is gone after a failed request is its runner’s end', async () => {
  const { client, acquire, ollama, incidents } = await loaded();
  const { leaseId } = await acquire();
  ollama.residents.delete('qwen3:8b');
  await client.call('lease/release', { leaseId, failed: true });
  expect(await acquire()).toMatchObject({ loaded: true });
  expect(incidents()).toMatchObject([{ kind: 'runner_died' }]);
});

test('an Ollama that ends takes its models with it, and no program is blamed', async () => {
  const { deps, ollama, incidents } = await loaded();
  ollama.residents.clear();
  ollama.listensAt.clear();
  await deps.clock.advance(minute);
  ollama.listensAt.add(at);
  await deps.clock.advance(minute);
  expect(incidents()).toEqual([]);
});
