/** One of several sources of figures: none of them holds up the others. */
import type { Clock } from '../../platform/clock.ts';
import { settledWithin } from '../base/timing.ts';

export interface Source<T> {
  /** undefined = it has never answered. */
  latest(): T | undefined;
  /** Asks anew, and waits a while. Never rejects. */
  refresh(): Promise<void>;
}

export interface SourceOptions {
  patienceMs: number;
  /** Is what there is only known once it has answered? Then the first answer is waited for as long as it takes. */
  isNeeded: boolean;
  /** An answer came after nobody waited for it any more. */
  onLate: () => void;
}

/** @param read ends within limits of its own. */
export function createSource<T>(
  clock: Clock,
  { patienceMs, isNeeded, onLate }: SourceOptions,
  read: () => Promise<T>,
): Source<T> {
  let latest: T | undefined;
  let asking: Promise<void> | undefined;

  const ask = async (): Promise<void> => {
    try {
      latest = await read();
    } catch {
      // Whoever reads says itself what went wrong; here it is only that there is nothing new.
    } finally {
      asking = undefined;
    }
  };

  return {
    latest: () => latest,
    async refresh() {
      const isFirst = isNeeded && latest === undefined;
      const already = asking;
      const answer = (asking ??= ask());
      if (isFirst) return answer;
      const inTime = await settledWithin(
        clock,
        patienceMs,
        answer.then(() => true),
      );
      if (!inTime && !already) void answer.then(onLate);
    },
  };
}
