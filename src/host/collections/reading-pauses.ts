/** When files are tried again that could not be read for a reason that passes. */
import type { Clock } from '../../platform/clock.ts';
import { stateOf, type PlacedFile } from './list-place.ts';

interface Pause {
  /** Of the file; once it has changed there is no pause. */
  state: string;
  ms: number;
  until: number;
}

const firstMs = 10 * 60_000;
const maxPauseMs = 24 * 60 * 60_000;

export type Pauses = ReturnType<typeof createPauses>;

/** Each pause of a file is twice as long as the one before: some take all the time that they may, each time. */
export function createPauses(clock: Pick<Clock, 'monotonic'>) {
  const pauses = new Map<string, Map<string, Pause>>();
  const pauseOf = (collection: string, { path, stat }: PlacedFile): Pause | undefined => {
    const pause = pauses.get(collection)?.get(path);
    return pause?.state === stateOf(stat) ? pause : undefined;
  };
  return {
    begin(collection: string, file: PlacedFile): void {
      const files = pauses.get(collection) ?? new Map<string, Pause>();
      pauses.set(collection, files);
      const last = pauseOf(collection, file);
      const ms = last ? Math.min(maxPauseMs, last.ms * 2) : firstMs;
      files.set(file.path, { state: stateOf(file.stat), ms, until: clock.monotonic() + ms });
    },
    /** As it is now it could not be read before, however long ago. */
    isKnown: (collection: string, file: PlacedFile): boolean => pauseOf(collection, file) !== undefined,
    isPaused: (collection: string, file: PlacedFile): boolean =>
      clock.monotonic() < (pauseOf(collection, file)?.until ?? 0),
    end: (collection: string, path: string): void => void pauses.get(collection)?.delete(path),
    endAll: (collection: string): void => void pauses.delete(collection),
  };
}
