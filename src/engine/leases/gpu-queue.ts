/** Who is next on the GPU. One at a time; turns before warm-ups, in order of arrival within each. */
import { AndironError } from '../../protocol/errors.ts';
import type { WaitingLease } from '../../protocol/model.ts';

interface Ticket {
  who: WaitingLease;
  admit: () => void;
  refuse: (reason: AndironError) => void;
}

/** @param onChange called when those who wait have changed. */
export function createGpuQueue(onChange: (waiting: WaitingLease[]) => void) {
  const waiting: Ticket[] = [];
  let occupied = false;

  const report = (): void => onChange(waiting.map(({ who }) => who));
  const line = (ticket: Ticket): void => {
    const warm = waiting.findIndex(({ who }) => who.purpose === 'warm');
    const place = ticket.who.purpose === 'turn' && warm >= 0 ? warm : waiting.length;
    waiting.splice(place, 0, ticket);
  };
  const admitNext = (): void => {
    if (occupied) return;
    const next = waiting.shift();
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
      report();
    };
  };

  return {
    /** Resolves with the way to leave again (idempotent). Rejects `cancelled` when the signal fires first. */
    enter(who: WaitingLease, signal?: AbortSignal): Promise<() => void> {
      return new Promise((resolve, reject) => {
        if (signal?.aborted) {
          reject(cancelled());
          return;
        }
        const onAbort = (): void => {
          waiting.splice(waiting.indexOf(ticket), 1);
          report();
          reject(cancelled());
        };
        const ticket: Ticket = {
          who,
          admit: () => {
            signal?.removeEventListener('abort', onAbort);
            resolve(leaver());
          },
          refuse: (reason) => {
            signal?.removeEventListener('abort', onAbort);
            reject(reason);
          },
        };
        signal?.addEventListener('abort', onAbort, { once: true });
        line(ticket);
        admitNext();
        report();
      });
    },
    /** In the order in which they will come in. */
    waiting: (): readonly WaitingLease[] => waiting.map(({ who }) => who),
    /** Nobody uses the GPU or waits for it. */
    isIdle: (): boolean => !occupied && waiting.length === 0,
    /** Rejects those who wait for what will not come. */
    dismiss(whom: (who: WaitingLease) => boolean, reason: AndironError): void {
      const dismissed = waiting.filter(({ who }) => whom(who));
      for (const ticket of dismissed) {
        waiting.splice(waiting.indexOf(ticket), 1);
        ticket.refuse(reason);
      }
      if (dismissed.length > 0) report();
    },
  };
}

export type GpuQueue = ReturnType<typeof createGpuQueue>;

function cancelled(): AndironError {
  return new AndironError('cancelled', 'Cancelled while it waited for the GPU.');
}
