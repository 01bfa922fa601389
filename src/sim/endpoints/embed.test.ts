import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { EMBEDDING_MODEL, startSim, systemClock } from '../index.ts';
import type { Sim, SimOptions } from '../index.ts';

const { name } = EMBEDDING_MODEL;
const models: SimOptions['models'] = [
  EMBEDDING_MODEL,
  { name: 'big:30b', family: 'qwen3.5', bytes: 24.1e9 },
  { name: 'b:4b', family: 'template-gemma3', bytes: 6e9 },
];

let sim: Sim;
const start = async (options: SimOptions = {}): Promise<void> => {
  sim = await startSim({ speed: 1000, clock: systemClock(10), models, ...options });
};
beforeEach(() => start());
afterEach(() => sim.close());

interface Answer {
  status: number;
  body: { embeddings?: number[][]; error?: string; prompt_eval_count?: number; done_reason?: string };
}

async function post(path: string, body: object): Promise<Answer> {
  const response = await fetch(sim.url + path, { method: 'POST', body: JSON.stringify(body) });
  return { status: response.status, body: (await response.json()) as Answer['body'] };
}
const embed = (more: object): Promise<Answer> => post('/api/embed', { model: name, ...more });

const loaded = async (): Promise<string[]> => {
  const { models: rows } = (await (await fetch(`${sim.url}/api/ps`)).json()) as {
    models: { name: string }[];
  };
  return rows.map((row) => row.name).toSorted();
};

const near = ([a, b]: number[][] = []): number =>
  (a ?? []).reduce((sum, value, at) => sum + value * (b?.[at] ?? 0), 0);

test('each text gets a vector of length 1, and texts that share parts of words are near each other', async () => {
  const input = ['favourite editor', 'favouring editing', 'black holes evaporate'];
  const { body } = await embed({ input });
  const [first = [], second = [], third = []] = body.embeddings ?? [];
  expect(first).toHaveLength(384);
  expect(near([first, first])).toBeCloseTo(1);
  expect(near([first, second])).toBeGreaterThan(0.25);
  expect(near([first, third])).toBeLessThan(0.15);
  expect(body.prompt_eval_count).toBeGreaterThan(0);
  expect((await embed({ input })).body.embeddings).toEqual(body.embeddings);
});

test('vectors that are cut are of length 1 again', async () => {
  const { body } = await embed({ input: 'favourite editor', dimensions: 64 });
  expect(body.embeddings?.[0]).toHaveLength(64);
  expect(near([body.embeddings?.[0] ?? [], body.embeddings?.[0] ?? []])).toBeCloseTo(1);
});

test('a request without a text only loads', async () => {
  expect((await embed({})).body.embeddings).toEqual([]);
  expect((await embed({ input: '' })).body.embeddings).toEqual([]);
  expect(await loaded()).toEqual([name]);
});

describe('a request for vectors is refused', () => {
  test.each([
    ['of an unknown model', { model: 'nobody' }, 404, 'model "nobody" not found, try pulling it first'],
    ['of no text', { input: 5 }, 400, 'invalid input type'],
    ['of a list with something else', { input: ['a', 5] }, 400, 'invalid input type'],
    [
      'of a text that is too long, where it may not be cut',
      { input: 'word '.repeat(2_000), truncate: false },
      400,
      'the input length exceeds the context length',
    ],
  ])('a request for vectors %s is refused', async (_, request, status, error) => {
    expect(await embed(request)).toMatchObject({ status, body: { error } });
  });
});

test('a model that only makes vectors neither chats nor generates', async () => {
  const messages = [{ role: 'user', content: 'Hello' }];
  expect((await post('/api/chat', { model: name, messages })).body.error).toBe(
    `"${name}" does not support chat`,
  );
  expect((await post('/api/generate', { model: name, prompt: 'Hello' })).body.error).toBe(
    `"${name}" does not support generate`,
  );
});

test('what runs on the processor puts nobody out of a full GPU, what may run on the GPU does', async () => {
  await post('/api/generate', { model: 'big:30b', options: { num_ctx: 4096, num_gpu: 999 } });
  await embed({ options: { num_gpu: 0 } });
  expect(await loaded()).toEqual([name, 'big:30b']);
  await post('/api/generate', { model: 'b:4b', options: { num_ctx: 4096 } });
  expect(await loaded()).not.toContain('big:30b');
});

test('what runs on the processor counts among the models that are kept', async () => {
  await sim.close();
  await start({ maxLoaded: 1 });
  await post('/api/generate', { model: 'b:4b' });
  await embed({ options: { num_gpu: 0 } });
  expect(await loaded()).toEqual([name]);
});
