import { expect, test } from 'vitest';
import { AndironError } from '../../protocol/errors.ts';
import type { EmbedAnswer } from '../../protocol/engine-room.ts';
import { failureOf, gib, settle } from '../testing/fakes.ts';
import { openEngine } from '../testing/open-engine.ts';

const small = 'all-minilm:22m';
const vectors = { vectors: [[1, 0]], why: null };

async function openWithEmbedder() {
  const bench = await openEngine();
  const { ollama, client } = bench;
  ollama.install(small, {
    bytes: gib / 20,
    show: {
      capabilities: ['embedding'],
      model_info: { 'general.architecture': 'bert', 'bert.context_length': 512 },
    },
  });
  await client.call('engine/refresh', {});
  const embed = (urgent = false, texts = ['one'], signal?: AbortSignal): Promise<EmbedAnswer> =>
    client.call('model/embed', { model: small, texts, urgent }, signal);
  /** A request that stays at work until `finish` is called or its client leaves. */
  const slow = (): { finish: () => void } => {
    const { promise, resolve } = Promise.withResolvers<void>();
    ollama.whileEmbedding = () => promise;
    return {
      finish() {
        ollama.whileEmbedding = () => Promise.resolve();
        resolve();
      },
    };
  };
  const embedsSent = () => ollama.sent.filter(({ call }) => call === 'embed');
  return { ...bench, embed, slow, embedsSent };
}

test('vectors are made on a quarter of the processor, with a small window and for five minutes', async () => {
  const { embed, ollama } = await openWithEmbedder();
  expect(await embed()).toMatchObject(vectors);
  expect(ollama.residents.get(small)?.plan.options).toEqual({ num_gpu: 0, num_ctx: 512, num_thread: 2 });
  expect(ollama.sent.at(-1)).toMatchObject({ call: 'embed', keepAlive: '5m' });
});

test('a turn has the GPU without waiting for vectors that are being made, and these are given up', async () => {
  const { embed, slow, acquire } = await openWithEmbedder();
  slow();
  const making = embed();
  await settle();
  expect(await acquire()).toMatchObject({ loaded: true });
  expect(await making).toEqual({ vectors: null, why: 'gpu_wanted', tokens: null });
});

test('no vectors are made for later while a turn has the GPU', async () => {
  const { embed, embedsSent, acquire, release } = await openWithEmbedder();
  const { leaseId } = await acquire();
  expect((await embed()).why).toBe('gpu_wanted');
  expect(embedsSent()).toEqual([]);
  await release(leaseId);
  expect(await embed()).toMatchObject(vectors);
});

test('a load for vectors is thrown away as soon as a turn wants to load its own model', async () => {
  const { embed, ollama, acquire } = await openWithEmbedder();
  ollama.whileLoading = () => new Promise(() => undefined);
  const making = embed();
  await settle();
  ollama.whileLoading = () => Promise.resolve();
  expect(await acquire()).toMatchObject({ loaded: true });
  expect((await making).why).toBe('gpu_wanted');
  expect([...ollama.residents.keys()]).toEqual(['qwen3:8b']);
});

test('nothing is loaded for a message that waits, and no keep-alive is sent with it', async () => {
  const { embed, embedsSent, acquire } = await openWithEmbedder();
  expect((await embed(true)).why).toBe('not_loaded');
  expect(embedsSent()).toEqual([]);
  await embed();
  await acquire();
  expect(await embed(true)).toMatchObject(vectors);
  expect(embedsSent().at(-1)).toMatchObject({ keepAlive: undefined });
});

test('a message that waits goes before vectors that are made for later', async () => {
  const { embed, slow } = await openWithEmbedder();
  await embed();
  const { finish } = slow();
  const later = embed();
  await settle();
  const now = embed(true);
  expect((await later).why).toBe('gpu_wanted');
  finish();
  expect(await now).toMatchObject(vectors);
});

test('no model is loaded for vectors where Ollama may keep no more', async () => {
  const { embed, client, acquire, release, ollama } = await openWithEmbedder();
  ollama.install('third:1b');
  await client.call('engine/refresh', {});
  for (const model of ['qwen3:8b', 'gemma4:12b', 'third:1b']) await release((await acquire(model)).leaseId);
  expect(ollama.residents.size).toBe(3);
  expect((await embed()).why).toBe('no_place');
  expect(ollama.residents.size).toBe(3);
});

test('a chat model that had to go for vectors is told, and goes once at most', async () => {
  const { embed, acquire, release, ollama, engine } = await openWithEmbedder();
  ollama.places = 1;
  await release((await acquire()).leaseId);
  expect(await embed()).toMatchObject(vectors);
  expect(engine.state().incidents.map(({ kind, message }) => [kind, message])).toEqual([
    ['evicted', expect.stringContaining(`qwen3:8b had to leave memory for ${small}, with which Andiron`)],
  ]);
  ollama.residents.delete(small);
  await release((await acquire()).leaseId);
  expect((await embed()).why).toBe('no_place');
  expect([...ollama.residents.keys()]).toEqual(['qwen3:8b']);
});

test('a model that answers too is refused: each request for vectors would load it again', async () => {
  const { client, ollama } = await openWithEmbedder();
  ollama.install('both:7b', { show: { capabilities: ['completion', 'embedding'] } });
  await client.call('engine/refresh', {});
  const asked = client.call('model/embed', { model: 'both:7b', texts: ['one'], urgent: false });
  expect(await failureOf(asked)).toMatchObject({ code: 'invalid_params' });
});

test('an Ollama that goes away under vectors is told, and the next ones are made when it is back', async () => {
  const { embed, ollama } = await openWithEmbedder();
  ollama.whileEmbedding = () => Promise.reject(new AndironError('stream_cut', 'The connection broke.'));
  expect(await failureOf(embed())).toMatchObject({ code: 'stream_cut' });
  ollama.whileEmbedding = () => Promise.resolve();
  expect(await embed()).toMatchObject(vectors);
});

test('a runner that says nothing for two minutes is unloaded', async () => {
  const { embed, slow, deps, ollama } = await openWithEmbedder();
  slow();
  const making = failureOf(embed());
  await settle();
  await deps.clock.advance(120_000);
  await making;
  await settle();
  expect(ollama.sent.at(-1)).toEqual({ call: 'unload', model: small });
});

test('who asked for vectors can leave', async () => {
  const { embed, slow } = await openWithEmbedder();
  slow();
  const leaving = new AbortController();
  const making = failureOf(embed(false, ['one'], leaving.signal));
  await settle();
  leaving.abort();
  expect(await making).toMatchObject({ code: 'cancelled' });
  slow().finish();
  expect(await embed()).toMatchObject(vectors);
});

test('what only makes vectors is marked among what is loaded, since it has no place on the GPU to give up', async () => {
  const { embed, acquire, client, engine } = await openWithEmbedder();
  await embed();
  await acquire();
  await client.call('engine/refresh', {});
  expect(engine.state().loaded.map(({ name, makesVectors }) => [name, makesVectors])).toEqual([
    [small, true],
    ['qwen3:8b', undefined],
  ]);
});
