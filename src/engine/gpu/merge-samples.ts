/**
 * Lays what Andiron's own readers know over what systeminformation knows, field by field: a value that is there wins over
 * one that is not, the newer one over the older one, and the reader's where both are of one moment.
 */
import type { GpuReading } from './reading.ts';

export interface Sampled<T> {
  value: T;
  /** ms of one clock. */
  at: number;
}

/** Cards of the readers, each with what the other source adds; without readers the cards of the other source. */
export function mergeGpus(
  base: Sampled<readonly GpuReading[]> | null,
  own: Sampled<readonly GpuReading[]>,
): GpuReading[] {
  if (!base) return [...own.value];
  if (own.value.length === 0) return [...base.value];
  const free = new Set(base.value);
  return own.value.map((reading) => {
    const twin = closest(reading, free);
    if (!twin) return reading;
    free.delete(twin);
    return mergeFields({ value: twin, at: base.at }, { value: reading, at: own.at });
  });
}

/** Every field of `own`; those of `base` where they are known and newer, or the only ones. */
export function mergeFields<T extends object>(base: Sampled<T>, own: Sampled<T>): T {
  const isNewer = base.at > own.at;
  const fromBase = Object.entries(base.value).filter(([key, value]) => {
    if (isUnknown(value) || key === 'name') return false;
    return isNewer || isUnknown((own.value as Record<string, unknown>)[key]);
  });
  return { ...own.value, ...Object.fromEntries(fromBase) };
}

function isUnknown(value: unknown): boolean {
  return value === null || value === undefined;
}

/** The card that shares most words of its name; undefined = none shares a word that says anything. */
function closest(reading: GpuReading, cards: ReadonlySet<GpuReading>): GpuReading | undefined {
  const words = wordsOf(reading.name);
  let best: { card: GpuReading; shared: number } | undefined;
  for (const card of cards) {
    const shared = [...wordsOf(card.name)].filter((word) => words.has(word)).length;
    if (shared > (best?.shared ?? 0)) best = { card, shared };
  }
  return best?.card;
}

const generic = new Set(['gpu', 'graphics', 'corporation', 'inc', 'series', 'card', 'adapter']);

function wordsOf(name: string): Set<string> {
  const words = name.toLowerCase().match(/[\p{L}\d]+/gu) ?? [];
  return new Set(words.filter((word) => word.length > 1 && !generic.has(word)));
}
