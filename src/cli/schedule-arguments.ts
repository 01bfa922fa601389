/** The arguments of `andiron schedule` that say when. */
import type { JobWhen } from '../protocol/schedule-methods.ts';

interface WhenOptions {
  at: string | null;
  every: string | null;
  cron: string | null;
  timeZone: string | null;
}

/** A day and a time; without a zone they are those of this computer. */
const timeForm = /^(\d{4}-\d\d-\d\d)T\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)?$/;

/** A string says what is wrong with them. @param hostZone of this computer */
export function readWhen({ at, every, cron, timeZone }: WhenOptions, hostZone: string): JobWhen | string {
  if ([at, every, cron].filter((each) => each !== null).length !== 1)
    return 'Say when with one of --at, --every and --cron.';
  if (timeZone !== null && cron === null)
    return '--time-zone belongs to --cron. Write a time of another zone with its offset: 2026-11-28T07:00+09:00.';
  if (at !== null) {
    const time = timeOf(at);
    return time === null
      ? `--at takes a time such as 2026-11-28T07:00, not ${at}.`
      : { kind: 'once', at: time };
  }
  if (every !== null) {
    const minutes = Number(every);
    return Number.isInteger(minutes) && minutes > 0
      ? { kind: 'interval', everyMs: minutes * 60_000 }
      : `--every takes a number of minutes, not ${every}.`;
  }
  return { kind: 'cron', expression: cron ?? '', timeZone: timeZone ?? hostZone };
}

/** null = it is no time. */
function timeOf(at: string): number | null {
  const [, day] = timeForm.exec(at) ?? [];
  const time = Date.parse(at);
  if (day === undefined || Number.isNaN(time)) return null;
  // A day that a month does not have would be counted on into the next one.
  return new Date(day).toISOString().startsWith(day) ? time : null;
}
