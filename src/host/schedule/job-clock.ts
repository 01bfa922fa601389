/** Looks at the clock when a job is due, and twice a minute: sleep and a clock that is set are seen by nothing else. */
import type { Clock, Timer } from '../../platform/clock.ts';
import type { Log } from '../../platform/log.ts';
import { absenceBetween, type Absence, type Moment } from '../../rules/run-verdict.ts';

const maxWaitMs = 30_000;
/** A clock that is corrected by less was not set. */
const toleratedMs = 1_000;

export interface JobClockDeps {
  clock: Pick<Clock, 'now' | 'after' | 'sinceBoot'>;
  /** When the next job is due; null = none is, and no timer runs. */
  nextAt: () => number | null;
  /** `absence`: why nobody looked for as long as since the last look. */
  onLook: (now: number, absence: Absence) => void;
  /** Called before the look that found it. */
  onSetBack: (now: number) => void;
  log: Pick<Log, 'error'>;
}

/** Nothing is looked at before `start`. */
export function createJobClock({ clock, nextAt, onLook, onSetBack, log }: JobClockDeps) {
  let before: Moment | null = null;
  let timer: Timer | null = null;
  let state: 'new' | 'started' | 'closed' = 'new';
  /** As it was asked for last. */
  let next: number | null = null;

  const moment = (): Moment => ({ now: clock.now(), sinceBoot: clock.sinceBoot?.() ?? null });

  const look = (): void => {
    timer = null;
    const now = moment();
    const absence = absenceBetween(before, now);
    const isSetBack = before !== null && now.now < before.now - toleratedMs;
    before = now;
    if (!isSetBack && next !== null && now.now < next) {
      wait(0);
      return;
    }
    try {
      if (isSetBack) onSetBack(now.now);
      onLook(now.now, absence);
      next = nextAt();
      wait(0);
    } catch (error) {
      log.error('Jobs that are due could not begin', error);
      // What is due next is not known either.
      timer = clock.after(maxWaitMs, look);
    }
  };

  const wait = (minMs: number): void => {
    timer?.cancel();
    const ms = next === null ? null : Math.min(Math.max(minMs, next - clock.now()), maxWaitMs);
    timer = ms === null ? null : clock.after(ms, look);
  };

  return {
    /** The first look: what was due before it was missed while Andiron was closed. */
    start(): void {
      state = 'started';
      look();
    },
    /** The next job is another one, or due at another time. */
    changed(): void {
      if (state !== 'started') return;
      // Without a timer nobody has looked meanwhile, and there was nothing to see.
      if (timer === null) before = moment();
      next = nextAt();
      wait(0);
    },
    close(): void {
      state = 'closed';
      timer?.cancel();
    },
  };
}
