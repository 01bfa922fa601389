/**
 * The facts of one person that are nearest to a message. All of them are looked at: a person has thousands at most, so an
 * index would cost more than it saves. In slices, so that nobody else waits.
 */
import { yieldToOthers } from '../../../platform/event-loop.ts';
import type { VectorStore } from '../../store/vector-store.ts';

/** Found by meaning: a fact, and how far it is from the message. */
export interface Near {
  id: string;
  distance: number;
}

export interface NearestQuery {
  userId: string;
  digest: string;
  vector: Float32Array;
  /** What is further away does not belong to it. */
  bound: number;
  limit: number;
}

/** So many are read and compared in one go: 2 ms with 768 numbers each, which nobody notices. */
const slice = 100;

/** The nearest first. Rejects with the signal's reason. */
export async function nearestFacts(
  store: Pick<VectorStore, 'vectorsAfter'>,
  { vector, bound, limit, ...whose }: NearestQuery,
  now: number,
  signal: AbortSignal,
): Promise<Near[]> {
  let found: Near[] = [];
  for (let after = -1; ;) {
    signal.throwIfAborted();
    const page = store.vectorsAfter(whose, after, now, slice);
    for (const each of page) {
      const apart = distance(vector, each.vector);
      if (apart < bound) found.push({ id: each.id, distance: apart });
    }
    found = found.toSorted((a, b) => a.distance - b.distance).slice(0, limit);
    const last = page.at(-1);
    if (!last || page.length < slice) return found;
    after = last.number;
    await yieldToOthers();
  }
}

/** Cosine distance of two vectors of length 1; of different models or sizes as far apart as can be. */
export function distance(a: Float32Array, b: Float32Array): number {
  if (a.length !== b.length) return 2;
  let sum = 0;
  for (let at = 0; at < a.length; at += 1) sum += (a[at] ?? 0) * (b[at] ?? 0);
  return 1 - sum;
}

/** Of length 1; null = there is no direction in it, or something that is no number. */
export function toVector(numbers: readonly number[]): Float32Array | null {
  const length = Math.hypot(...numbers);
  if (!Number.isFinite(length) || length === 0) return null;
  return Float32Array.from(numbers, (value) => value / length);
}
