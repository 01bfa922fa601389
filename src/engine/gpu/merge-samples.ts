/**
 * Lays what Andiron's own readers know over what systeminformation knows, field by field: a value that is there wins over
 * one that is not, the newer one over the older one, and the reader's where both are of one moment.
 */
import type { GpuReading } from './gpu-reading.ts';

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
  const free = new Set(base?.value);
  if (base && own.value.length === 0) {
    return base.value.map((card) => ({ ...card, from: sourcesOf(card, known(card)) }));
  }
  return own.value.map((reading) => {
    const twin = closest(reading, free);
    if (!base || !twin) return { ...reading, from: sourcesOf(reading, []) };
    free.delete(twin);
    const [from, to] = [
      { value: twin, at: base.at },
      { value: reading, at: own.at },
    ];
    const merged = mergeFields(from, to);
    return { ...merged, from: sourcesOf(merged, fieldsOfBase(from, to)) };
  });
}

/** Every field of `own`; those of `base` where they are known and newer, or the only ones. */
export function mergeFields<T extends object>(base: Sampled<T>, own: Sampled<T>): T {
  const values = new Map(Object.entries(base.value));
  const taken = fieldsOfBase(base, own).map((field) => [field, values.get(field)]);
  return { ...own.value, ...Object.fromEntries(taken) };
}

function fieldsOfBase<T extends object>(base: Sampled<T>, own: Sampled<T>): string[] {
  const ofOwn = new Set(known(own.value));
  return known(base.value).filter((field) => base.at > own.at || !ofOwn.has(field));
}

const noFigures: ReadonlySet<string> = new Set(['name', 'from', 'unified']);

/** Names of the figures that are there. */
function known(value: object): string[] {
  return Object.entries(value).flatMap(([field, figure]) =>
    noFigures.has(field) || figure === null || figure === undefined ? [] : [field],
  );
}

function sourcesOf(card: GpuReading, ofSystem: readonly string[]): NonNullable<GpuReading['from']> {
  const system = new Set(ofSystem);
  return Object.fromEntries(
    known(card).map((field) => [field, system.has(field) ? 'systeminformation' : 'reader']),
  );
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
