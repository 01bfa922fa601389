import { afterEach, beforeEach, expect, test } from 'vitest';
import { ownerId } from '../../protocol/principal.ts';
import { memoryBench, type MemoryBench } from '../memory/testing.ts';
import { createMemoryStore } from './memory-store.ts';
import { createVectorStore, type VectorStore } from './vector-store.ts';

let bench: MemoryBench;
let store: VectorStore;
beforeEach(() => {
  bench = memoryBench();
  store = createVectorStore(bench.database);
});
afterEach(() => bench.remove());

const one = Float32Array.from([0.6, -0.8]);
const save = (key: string, value: string, expiresAt?: number): string =>
  bench.memory.save({ key, value, expiresAt }, null).fact.id;
/** All facts get this vector of the model `d`. */
const index = (digest = 'd'): void => {
  for (const fact of store.factsWithoutVector(digest, 0, 99)) store.putVector(fact, digest, one);
};
const idsOf = (userId = ownerId, digest = 'd'): string[] =>
  store.vectorsAfter({ userId, digest }, -1, 2_000, 99).map(({ id }) => id);

test('a vector comes back as it was, with the fact that it is of', () => {
  const id = save('editor', 'Vim');
  index();
  expect(store.vectorsAfter({ userId: ownerId, digest: 'd' }, -1, 0, 9)).toEqual([
    { number: expect.any(Number) as number, id, vector: one },
  ]);
});

test('facts without a vector of a model are the newest first, and none of another model counts', () => {
  save('editor', 'Vim');
  save('city', 'Oslo');
  expect(store.factsWithoutVector('d', 0, 9).map(({ key }) => key)).toEqual(['city', 'editor']);
  index();
  expect(store.factsWithoutVector('d', 0, 9)).toEqual([]);
  expect(store.factsWithoutVector('other', 0, 1).map(({ key }) => key)).toEqual(['city']);
});

test('a vector of another model takes the place of the one before', () => {
  save('editor', 'Vim');
  index();
  index('other');
  expect([idsOf(), idsOf(ownerId, 'other')]).toEqual([[], [expect.any(String)]]);
  expect(store.digestOfMost()).toBe('other');
});

test('a fact that says something else needs another vector, one that is saved as it was keeps it', () => {
  const id = save('editor', 'Vim');
  index();
  save('editor', 'Vim');
  expect(idsOf()).toEqual([id]);
  bench.memory.update(id, 'Helix');
  expect(idsOf()).toEqual([]);
  expect(store.factsWithoutVector('d', 0, 9)).toEqual([
    { number: expect.any(Number) as number, key: 'editor', value: 'Helix' },
  ]);
});

test('a vector that was made of words that are gone is not kept', () => {
  const id = save('editor', 'Vim');
  const [before] = store.factsWithoutVector('d', 0, 9);
  if (!before) throw new Error('There is no fact.');
  bench.memory.update(id, 'Helix');
  expect(store.putVector(before, 'd', one)).toBe(false);
  bench.memory.forget(id);
  expect(store.putVector({ ...before, value: 'Helix' }, 'd', one)).toBe(false);
  expect(store.digestOfMost()).toBeNull();
});

test('a vector goes with its fact, and with its person', () => {
  const id = save('editor', 'Vim');
  index();
  bench.memory.forget(id);
  expect(store.digestOfMost()).toBeNull();
  bench.database.exec(
    "INSERT INTO users (id, name, level, reset_at, created_at) VALUES ('u2', 'Ada', 'user', 0, 0)",
  );
  const now = { sourceSession: null, confidence: 0.8, createdAt: 0, updatedAt: 0, expiresAt: null };
  createMemoryStore(bench.database)
    .memoryOf('u2')
    .putFact(
      { id: 'hers', category: 'c', key: 'city', value: 'Oslo', ...now },
      { category: [], key: [], value: [] },
    );
  index();
  expect([idsOf(), idsOf('u2')]).toEqual([[], ['hers']]);
  bench.database.exec("DELETE FROM users WHERE id = 'u2'");
  expect(store.digestOfMost()).toBeNull();
});

test('facts are counted for each person, expired ones for nobody', () => {
  save('editor', 'Vim');
  index();
  save('city', 'Oslo');
  save('visit', 'tomorrow', 1_500);
  expect(store.countVectors(ownerId, 'd', 1_000)).toEqual({ indexed: 1, total: 3 });
  expect(store.countVectors(ownerId, 'd', 2_000)).toEqual({ indexed: 1, total: 2 });
  expect(store.countVectors('u2', 'd', 1_000)).toEqual({ indexed: 0, total: 0 });
});

test('an expired fact is near to nothing', () => {
  save('visit', 'tomorrow', 1_500);
  index();
  expect(idsOf()).toEqual([]);
});

test('what is no vector is refused by the table itself', () => {
  save('editor', 'Vim');
  const [fact] = store.factsWithoutVector('d', 0, 9);
  if (!fact) throw new Error('There is no fact.');
  expect(() => store.putVector(fact, 'd', new Float32Array(0))).toThrow('CHECK');
});
