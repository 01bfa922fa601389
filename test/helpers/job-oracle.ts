/** What each planned time of a simulated year must have become, worked out from the script alone. */
import type { RunReason, RunState } from '../../src/protocol/schedule-methods.ts';
import { hour, madeAfterMs, minute, type Period, type YearJob, type YearScript } from './job-year.ts';

export interface Fate {
  state: RunState;
  reason: RunReason | null;
}

/** Local minutes of a time zone, read from the names that the system gives them. */
function localMinutes(timeZone: string): (at: number) => { minute: number; hour: number; weekday: number } {
  const format = new Intl.DateTimeFormat('en-GB', {
    timeZone,
    hour: '2-digit',
    minute: '2-digit',
    weekday: 'short',
    hourCycle: 'h23',
  });
  const days = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];
  return (at) => {
    const parts = Object.fromEntries(format.formatToParts(at).map(({ type, value }) => [type, value]));
    return {
      hour: Number(parts['hour']),
      minute: Number(parts['minute']),
      weekday: days.indexOf(parts['weekday'] ?? ''),
    };
  };
}

/** Every quarter of an hour of the year is looked at; jobs are planned at no other minutes. */
export function plannedTimes({ when }: YearJob, script: YearScript): number[] {
  const made = script.began + madeAfterMs;
  const until = Math.max(...stretchesOf(script).map(({ to, offset }) => to + offset));
  if (when.kind === 'once') return [when.at];
  if (when.kind === 'interval') {
    const times: number[] = [];
    for (let at = made + when.everyMs; at <= until; at += when.everyMs) times.push(at);
    return times;
  }
  if (when.kind !== 'cron') throw new Error('Only times are simulated.');
  const [minutes = '', hours = '', , , weekdays = ''] = when.expression.split(' ');
  const local = localMinutes(when.timeZone);
  const isDay = (weekday: number): boolean =>
    weekdays === '*' || (weekdays === '1-5' ? weekday >= 1 && weekday <= 5 : weekday === Number(weekdays));
  const times: number[] = [];
  const quarter = 15 * minute;
  let before = local(Math.ceil(made / quarter) * quarter - quarter);
  for (let at = Math.ceil(made / quarter) * quarter; at <= until; at += quarter) {
    const now = local(at);
    const isMinute = minutes === '*/15' || Number(minutes) === now.minute;
    if (hours === '*' || minutes === '*/15') {
      // No clock is changed at nine.
      if (isMinute && isDay(now.weekday) && (hours === '*' || Number(hours) === now.hour)) times.push(at);
    } else {
      const wanted = Number(hours) * 60 + Number(minutes);
      const [from, to] = [before.hour * 60 + before.minute, now.hour * 60 + now.minute];
      const isSkipped = to - from > 15 && wanted > from && wanted < to;
      // An hour that comes twice counts once.
      const isAgain = times.length > 0 && at - (times.at(-1) ?? 0) < 2 * hour;
      if ((wanted === to || isSkipped) && isDay(now.weekday) && !isAgain) times.push(at);
    }
    before = now;
  }
  return times;
}

interface Stretch {
  /** Boot times in which somebody looks at the clock. */
  from: number;
  to: number;
  /** Wall time less boot time. */
  offset: number;
  /** How it came after the one before. */
  after: 'asleep' | 'closed' | 'clock' | null;
}

function stretchesOf({ began, endBoot, events }: YearScript): Stretch[] {
  const stretches: Stretch[] = [];
  let [from, offset] = [madeAfterMs, began];
  let after: Stretch['after'] = null;
  for (const event of events) {
    stretches.push({ from, to: event.boot, offset, after });
    if (event.kind === 'set') {
      [from, offset, after] = [event.boot, offset + event.byMs, 'clock'];
    } else {
      [from, after] = [event.boot + event.ms, event.kind === 'sleep' ? 'asleep' : 'closed'];
    }
  }
  stretches.push({ from, to: endBoot, offset, after });
  return stretches;
}

const within = (periods: readonly Period[], boot: number): boolean =>
  periods.some(({ from, to }) => boot >= from && boot < to);

interface Begun {
  planned: number;
  boot: number;
  reason: Fate['reason'];
}

export function fatesOf(script: YearScript, job: YearJob, planned: readonly number[]): Map<number, Fate> {
  const fates = new Map<number, Fate>();
  const begun: Begun[] = [];
  const isDone = (at: number): boolean => fates.has(at) || begunAt.has(at);
  const begunAt = new Set<number>();
  const begin = (at: number, boot: number, reason: Fate['reason']): void => {
    begunAt.add(at);
    begun.push({ planned: at, boot, reason });
  };
  let position = script.began + madeAfterMs;
  for (const { from, to, offset, after } of stretchesOf(script)) {
    const [first, last] = [from + offset, to + offset];
    // A clock that was set back: what was missed and is still to come was not.
    for (const at of fates.keys()) if (at > first) fates.delete(at);
    // What passed while nobody looked: the last of them may be made up for.
    const passed = planned.filter((at) => at > position && at <= first && !isDone(at));
    const madeUp = job.afterMissed === 'run_once' ? passed.at(-1) : undefined;
    for (const at of passed)
      if (at === madeUp) begin(at, from, after);
      else fates.set(at, { state: 'missed', reason: after });
    for (const at of planned.filter((each) => each > first && each <= last && !isDone(each)))
      begin(at, at - offset, null);
    position = last;
  }
  for (const [at, fate] of runAll(begun, script, job)) fates.set(at, fate);
  return fates;
}

/** One after another: what still runs is in the way of the next. */
function runAll(begun: readonly Begun[], script: YearScript, job: YearJob): Map<number, Fate> {
  const fates = new Map<number, Fate>();
  let busyUntil = -Infinity;
  for (const { planned, boot, reason } of begun) {
    const skipped =
      boot < busyUntil
        ? 'still_running'
        : within(script.overBudget, boot)
          ? 'over_budget'
          : within(script.gpuReleased, boot)
            ? 'gpu_released'
            : null;
    if (skipped !== null) {
      fates.set(planned, { state: 'skipped', reason: skipped });
      continue;
    }
    const isDead = within(script.engineDead, boot);
    const waitMs = within(script.gpuBusy, boot) ? script.gpuWaitMs : 0;
    const end = endOf(boot, isDead ? 15_000 : waitMs + job.turnMs, script);
    busyUntil = end.boot;
    if (end.isCut) fates.set(planned, { state: 'failed', reason: 'interrupted' });
    else if (isDead) fates.set(planned, { state: 'failed', reason: 'error' });
    else if (reason !== null || waitMs > minute)
      fates.set(planned, { state: 'late', reason: reason ?? 'waited' });
    else fates.set(planned, { state: 'ran', reason: null });
  }
  return fates;
}

/** A turn sleeps with the computer, and does not outlive Andiron. */
function endOf(boot: number, ms: number, { events, endBoot }: YearScript): { boot: number; isCut: boolean } {
  let end = boot + ms;
  for (const event of events) {
    if (event.kind === 'set' || event.boot < boot || event.boot >= end) continue;
    if (event.kind !== 'sleep') return { boot: event.boot + event.ms, isCut: true };
    end += event.ms;
  }
  return { boot: end, isCut: end > endBoot };
}
