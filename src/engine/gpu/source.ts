/** One of several sources of figures: none of them holds up the others. */
import type { Clock } from '../../platform/clock.ts';
import { settledWithin } from './patient-run.ts';

export interface Source<T> {
  /** undefined = it has never answered. */
  latest(): T | undefined;
  /** Asks anew and waits a while, the first time as long as it takes. Never rejects. */
  refresh(): Promise<void>;
}

/** @param read ends within limits of its own. @param onLate an answer came after nobody waited for it any more. */
export function createSource<T>(
  clock: Clock,
  patienceMs: number,
  read: () => Promise<T>,
  onLate: () => void,
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
      const isFirst = latest === undefined;
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
