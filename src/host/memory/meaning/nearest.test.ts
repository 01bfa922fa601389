import { expect, test } from 'vitest';
import type { FactVector } from '../../store/vector-store.ts';
import { distance, nearestFacts, toVector } from './nearest.ts';

const at = (angle: number): Float32Array => Float32Array.from([Math.cos(angle), Math.sin(angle)]);

/** A person with a fact at each of these angles. */
const storeOf = (angles: readonly number[]) => ({
  vectorsAfter: (_whose: object, after: number, _now: number, limit: number): FactVector[] =>
    angles
      .map((angle, number) => ({ number, id: String(number), vector: at(angle) }))
      .filter(({ number }) => number > after)
      .slice(0, limit),
});
const near = (
  angles: readonly number[],
  more: { bound?: number; limit?: number; signal?: AbortSignal } = {},
) =>
  nearestFacts(
    storeOf(angles),
    { userId: 'u', digest: 'd', vector: at(0), bound: 0.5, limit: 3, ...more },
    0,
    more.signal ?? new AbortController().signal,
  );

test('the nearest facts come first, and only those within the bound', async () => {
  expect((await near([0.5, 0.1, 3, 0.9, 1.4])).map(({ id }) => id)).toEqual(['1', '0', '3']);
  expect(await near([2, 3])).toEqual([]);
});

test('all facts of a person are looked at, however many there are', async () => {
  const angles = [...Array.from({ length: 3_000 }, () => 0.8), 0.01];
  expect((await near(angles, { limit: 1 })).map(({ id }) => id)).toEqual(['3000']);
});

test('a search that is called off ends between two slices', async () => {
  const stopping = new AbortController();
  const found = near(
    Array.from({ length: 3_000 }, () => 0.1),
    { signal: stopping.signal },
  );
  stopping.abort(new Error('enough'));
  await expect(found).rejects.toThrow('enough');
});

test('vectors of different sizes are as far apart as can be', () => {
  expect(distance(at(0), Float32Array.from([1, 0, 0]))).toBe(2);
});

test('a vector has length 1, and what has no direction is none', () => {
  expect(toVector([3, 4])).toEqual(Float32Array.from([0.6, 0.8]));
  expect([toVector([]), toVector([0, 0]), toVector([Number.NaN, 1])]).toEqual([null, null, null]);
});
