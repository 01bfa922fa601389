/** One at a time on the GPU: who has it, who waits, and how to leave. Who is next, `gpu-order.ts` decides. */
import { AndironError } from '../../protocol/errors.ts';
import type { WaitingLease } from '../../protocol/model.ts';
import { comesIn, inOrder, nextOf, type Past, type Ticket } from './gpu-order.ts';

interface Waiting extends Ticket {
  admit: () => void;
  refuse: (reason: AndironError) => void;
}

/** @param onChange called when those who wait have changed. */
export function createGpuQueue(onChange: (waiting: WaitingLease[]) => void) {
  const waiting: Waiting[] = [];
  let occupied = false;

  const past: Past = { lastTurn: new Map(), held: undefined };

  const report = (): void => onChange(inOrder(waiting, past).map(({ who }) => who));
  const admitNext = (): void => {
    if (occupied) return;
    const next = nextOf(waiting, past);
    if (!next) {
      // Nobody waits: whoever comes next is as new as all others.
      past.lastTurn.clear();
      return;
    }
    comesIn(next, waiting, past);
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
        const ticket: Waiting = {
          who,
          passedOver: 0,
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
        waiting.push(ticket);
        admitNext();
        report();
      });
    },
    /** In the order in which they will come in. */
    waiting: (): readonly WaitingLease[] => inOrder(waiting, past).map(({ who }) => who),
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
