/** What was read last of which file, as long as that is the same; bounded by number and by length. */

const maxKept = 16;
/** Characters of all of them. */
const maxKeptLength = 12_000_000;

export function createKeptTexts<T>(lengthOf: (found: T) => number) {
  /** By path, the one that was used last at the end. */
  const kept = new Map<string, { state: string; found: T; length: number }>();

  const isTooMuch = (): boolean =>
    kept.size > maxKept || [...kept.values()].reduce((sum, { length }) => sum + length, 0) > maxKeptLength;

  return {
    find(path: string, state: string): T | undefined {
      const entry = kept.get(path);
      if (entry?.state !== state) return undefined;
      kept.delete(path);
      kept.set(path, entry);
      return entry.found;
    },
    /** The newest stays, whatever its length. */
    keep(path: string, state: string, found: T): void {
      kept.delete(path);
      kept.set(path, { state, found, length: lengthOf(found) });
      for (const oldest of [...kept.keys()].slice(0, -1)) if (isTooMuch()) kept.delete(oldest);
    },
  };
}
