/**
 * Who is next on the GPU. One at a time: turns of the owner, then those of other people, then those of guests, then
 * warm-ups. Within each, people take turns, whoever had it longest ago first; what one person wants comes in its order, and
 * nobody is overtaken more than twice.
 */
import { AndironError } from '../../protocol/errors.ts';
import { ownerId } from '../../protocol/principal.ts';
import type { WaitingLease } from '../../protocol/model.ts';

interface Ticket {
  who: WaitingLease;
  /** How many of its own rank came later and had it before. */
  overtaken: number;
  admit: () => void;
  refuse: (reason: AndironError) => void;
}

/** @param onChange called when those who wait have changed. */
export function createGpuQueue(onChange: (waiting: WaitingLease[]) => void) {
  const waiting: Ticket[] = [];
  let occupied = false;

  /** When each person last had it, as a count of turns. */
  const lastTurn = new Map<string, number>();
  let turns = 0;

  const line = (): WaitingLease[] => inOrder(waiting, lastTurn).map(({ who }) => who);
  const report = (): void => onChange(line());
  const admitNext = (): void => {
    if (occupied) return;
    const next = inOrder(waiting, lastTurn)[0];
    if (!next) {
      // Nobody waits: whoever comes next is as new as all others.
      lastTurn.clear();
      return;
    }
    for (const passed of waiting.slice(0, waiting.indexOf(next)))
      if (rankOf(passed) === rankOf(next)) passed.overtaken += 1;
    waiting.splice(waiting.indexOf(next), 1);
    occupied = true;
    lastTurn.set(personOf(next), (turns += 1));
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
          overtaken: 0,
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
    waiting: (): readonly WaitingLease[] => line(),
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

const warmRank = 3;
/** New people go first, but not before the same one again and again. */
const maxOvertaken = 2;
const rankOf = ({ who }: Ticket): number => (who.purpose === 'warm' ? warmRank : (who.wantedFor?.rank ?? 0));
const personOf = ({ who }: Ticket): string => who.wantedFor?.userId ?? ownerId;

/** As they will come in, when nobody else comes. @param waiting in the order in which they came */
function inOrder(waiting: readonly Ticket[], lastTurn: ReadonlyMap<string, number>): Ticket[] {
  const left = [...waiting];
  const last = new Map(lastTurn);
  const overtaken = new Map(waiting.map((ticket) => [ticket, ticket.overtaken]));
  let turns = Math.max(0, ...last.values());
  const key = (ticket: Ticket): number =>
    (overtaken.get(ticket) ?? 0) >= maxOvertaken ? -1 : (last.get(personOf(ticket)) ?? 0);
  const line: Ticket[] = [];
  while (left.length > 0) {
    const isBefore = (a: Ticket, b: Ticket): boolean =>
      rankOf(a) < rankOf(b) || (rankOf(a) === rankOf(b) && key(a) < key(b));
    const next = left.reduce((first, each) => (isBefore(each, first) ? each : first));
    for (const passed of left.slice(0, left.indexOf(next)))
      if (rankOf(passed) === rankOf(next)) overtaken.set(passed, (overtaken.get(passed) ?? 0) + 1);
    left.splice(left.indexOf(next), 1);
    last.set(personOf(next), (turns += 1));
    line.push(next);
  }
  return line;
}

export type GpuQueue = ReturnType<typeof createGpuQueue>;

function cancelled(): AndironError {
  return new AndironError('cancelled', 'Cancelled while it waited for the GPU.');
}
