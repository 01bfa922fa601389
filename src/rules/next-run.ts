/** When a job is planned next. The page does not import this: it would carry the reader of cron with it. */
import { Cron } from 'croner';
import type { JobWhen } from '../protocol/schedule-methods.ts';

/**
 * The first planned time after `after`, in Unix milliseconds; null = there is none. Of a clock that is put forward, what
 * falls into the gap comes at its end; of one that is put back, an hour of the day that is named comes once.
 * @param createdAt intervals are counted from then
 */
export function nextRun(when: JobWhen, createdAt: number, after: number): number | null {
  switch (when.kind) {
    case 'once':
      return when.at > after ? when.at : null;
    case 'interval': {
      // Less than none where the clock was ahead when the job was made.
      const passed = Math.floor((after - createdAt) / when.everyMs);
      return createdAt + (passed + 1) * when.everyMs;
    }
    case 'cron':
      return cronOf(when).nextRun(new Date(after))?.getTime() ?? null;
    case 'after_session':
      return null;
  }
}

/** The last planned time up to and including `until`, where one is after `after`. */
export function lastRun(when: JobWhen, createdAt: number, after: number, until: number): number | null {
  const last = lastUntil(when, createdAt, until);
  return last !== null && last > after ? last : null;
}

function lastUntil(when: JobWhen, createdAt: number, until: number): number | null {
  switch (when.kind) {
    case 'once':
      return when.at <= until ? when.at : null;
    case 'interval': {
      const passed = Math.floor((until - createdAt) / when.everyMs);
      return passed === 0 ? null : createdAt + passed * when.everyMs;
    }
    case 'cron':
      // It looks for what is before a time.
      return (
        cronOf(when)
          .previousRuns(1, new Date(until + 1))[0]
          ?.getTime() ?? null
      );
    case 'after_session':
      return null;
  }
}

/** Why nobody can plan by it, in words; null = it can be read. */
export function cronProblem(expression: string, timeZone: string): string | null {
  // Six fields would be seconds.
  if (!expression.startsWith('@') && expression.split(/\s+/).length !== 5)
    return 'It takes five fields: minute, hour, day of the month, month, weekday.';
  try {
    cronOf({ expression, timeZone }).nextRun(new Date(0));
    return null;
  } catch (error) {
    return isTimeZone(timeZone)
      ? (error instanceof Error ? error.message : String(error)).replace(/^CronPattern: /, '')
      : `${timeZone} is no time zone. Use a name such as Europe/Berlin.`;
  }
}

const cronOf = ({ expression, timeZone }: { expression: string; timeZone: string }): Cron =>
  new Cron(expression, { timezone: timeZone, paused: true });

function isTimeZone(timeZone: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone }).format(0) !== '';
  } catch {
    return false;
  }
}
