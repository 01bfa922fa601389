/** When the kill comes: at any time, or aimed at what is hardest to survive. */
import type { SessionEvent } from '../../../src/protocol/events.ts';
import type { Chance } from '../../bench/prefix/chance.ts';
import type { Work } from './work.ts';

export interface Moment {
  name: string;
  /** The event after which the kill comes; null = after the message was sent, whether or not it arrived. */
  event: SessionEvent['event']['type'] | null;
  /** The n-th of them; drawn from 1 to this. */
  nth: number;
  /** Milliseconds from there, drawn from 0 to this. */
  withinMs: number;
  /** Where such a thing happens. */
  works: readonly Work[];
}

const commands = ['append', 'chain', 'both', 'slow', 'stubborn'] as const;

export const moments: readonly Moment[] = [
  {
    name: 'any time',
    event: null,
    nth: 1,
    withinMs: 400,
    works: ['talk', 'append', 'chain', 'both', 'read', 'slow'],
  },
  { name: 'as the message is sent', event: null, nth: 1, withinMs: 6, works: ['talk', 'append', 'read'] },
  {
    name: 'as the turn starts',
    event: 'turn/started',
    nth: 1,
    withinMs: 4,
    works: ['talk', 'chain', 'read'],
  },
  { name: 'mid-stream', event: 'item/delta', nth: 8, withinMs: 12, works: ['talk'] },
  { name: 'as an item ends', event: 'item/completed', nth: 2, withinMs: 2, works: ['talk', 'append'] },
  { name: 'mid-approval', event: 'approval/requested', nth: 2, withinMs: 12, works: commands },
  { name: 'as it is answered', event: 'approval/resolved', nth: 2, withinMs: 2, works: commands },
  { name: 'mid-tool', event: 'tool/started', nth: 2, withinMs: 30, works: commands },
  {
    name: 'in a tool that never ends',
    event: 'tool/started',
    nth: 1,
    withinMs: 120,
    works: ['slow', 'stubborn'],
  },
  {
    name: 'as a tool ends',
    event: 'tool/finished',
    nth: 2,
    withinMs: 3,
    works: ['append', 'chain', 'both', 'read'],
  },
  {
    name: 'as the turn ends',
    event: 'turn/finished',
    nth: 1,
    withinMs: 3,
    works: ['talk', 'append', 'chain', 'read'],
  },
  { name: 'after the turn', event: 'turn/closed', nth: 1, withinMs: 20, works: ['talk', 'append', 'both'] },
];

/** Calls `strike` once, at the moment; at the latest when `lateMs` have passed since it was armed. */
export function aim(moment: Moment, chance: Chance, lateMs: number, strike: () => void) {
  let left = 1 + chance.below(moment.nth);
  const delayMs = chance.below(moment.withinMs * 10 + 1) / 10;
  let done = false;
  const fire = (): void => {
    clearTimeout(late);
    if (!done) strike();
    done = true;
  };
  const late = setTimeout(fire, lateMs);
  const soon = (): void => {
    // Below a millisecond there is no timer, only the rest of this round or the next.
    if (delayMs < 0.3) fire();
    else if (delayMs < 1) setImmediate(fire);
    else setTimeout(fire, delayMs);
  };
  return {
    sent: () => {
      if (moment.event === null) soon();
    },
    saw: ({ event }: SessionEvent) => {
      if (event.type === moment.event) left -= 1;
      // A turn that is over without it will not bring it any more.
      if (left === 0 || event.type === 'turn/closed') soon();
    },
  };
}
