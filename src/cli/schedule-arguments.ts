/** The arguments of `andiron schedule` that say when. */
import type { JobWhen } from '../protocol/schedule-methods.ts';

interface WhenOptions {
  at: string | null;
  every: string | null;
  cron: string | null;
  timeZone: string | null;
}

/** A string says what is wrong with them. @param hostZone of this computer */
export function readWhen({ at, every, cron, timeZone }: WhenOptions, hostZone: string): JobWhen | string {
  if ([at, every, cron].filter((each) => each !== null).length !== 1)
    return 'Say when with one of --at, --every and --cron.';
  if (at !== null) {
    const time = Date.parse(at);
    return Number.isNaN(time)
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
