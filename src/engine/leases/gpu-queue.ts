/** Who is next on the GPU. One at a time; turns before warm-ups, in order of arrival within each (design 7). */
import { AndironError } from '../../protocol/errors.ts';

export type Rank = 'turn' | 'warm';

export interface GpuQueue {
  /** Resolves with the way to leave again (idempotent). Rejects `cancelled` when the signal fires first. */
  enter(rank: Rank, signal?: AbortSignal): Promise<() => void>;
  waiting(): number;
}

interface Ticket {
  rank: Rank;
  admit: () => void;
}

/** @param onChange called when the number of those who wait has changed. */
export function createGpuQueue(onChange: () => void): GpuQueue {
  const waiting: Ticket[] = [];
  let occupied = false;

  const admitNext = (): void => {
    if (occupied) return;
    const turn = waiting.findIndex((ticket) => ticket.rank === 'turn');
    const [next] = waiting.splice(Math.max(turn, 0), 1);
    if (!next) return;
    occupied = true;
    next.admit();
  };
  const leaver = (): (() => void) => {
    let left = false;
    return () => {
      if (left) return;
      left = true;
      occupied = false;
      admitNext();
      onChange();
    };
  };

  return {
    enter(rank, signal) {
      return new Promise((resolve, reject) => {
        if (signal?.aborted) {
          reject(cancelled());
          return;
        }
        const ticket: Ticket = {
          rank,
          admit: () => {
            signal?.removeEventListener('abort', onAbort);
            resolve(leaver());
          },
        };
        const onAbort = (): void => {
          waiting.splice(waiting.indexOf(ticket), 1);
          onChange();
          reject(cancelled());
        };
        signal?.addEventListener('abort', onAbort, { once: true });
        waiting.push(ticket);
        admitNext();
        onChange();
      });
    },
    waiting: () => waiting.length,
  };
}

function cancelled(): AndironError {
  return new AndironError('cancelled', 'Cancelled while it waited for the GPU.');
}
