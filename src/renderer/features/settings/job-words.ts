/** What the list says of a job and its runs: never more than its rows do. */
import type { SessionSummary } from '../../../protocol/model.ts';
import type { Job, JobRun, JobWhen } from '../../../protocol/schedule-methods.ts';
import { timeAndDay, timeOfDay } from '../../components/time-of-day.ts';
import type { StateLook } from '../../components/state-mark.tsx';
import { dates, schedulePane as text } from '../../text.ts';

const { runs, next, when: whenText } = text;

/** A cron expression that is a time of day: its minute, hour and weekdays. */
export function timeInCron(expression: string): { time: string; days: string } | null {
  const [minute = '', hour = '', ofMonth, month, days = ''] = expression.trim().split(/\s+/);
  if (ofMonth !== '*' || month !== '*' || !/^\d{1,2}$/.test(minute) || !/^\d{1,2}$/.test(hour)) return null;
  return { time: `${hour.padStart(2, '0')}:${minute.padStart(2, '0')}`, days };
}

/** @param hostZone of the computer that Andiron runs on: times are in it unless they say another */
export function whenWords(when: JobWhen, hostZone: string, sessions: readonly SessionSummary[]): string {
  switch (when.kind) {
    case 'once':
      return whenText.once(timeAndDay(when.at));
    case 'interval':
      return whenText.every(Math.round(when.everyMs / 60_000));
    case 'cron': {
      const words = cronWords(when.expression);
      return when.timeZone === hostZone ? words : whenText.inZone(words, when.timeZone);
    }
    case 'after_session': {
      const session = sessions.find(({ id }) => id === when.sessionId);
      return session ? whenText.afterSession(session.title) : whenText.goneSession;
    }
  }
}

function cronWords(expression: string): string {
  if (expression === '0 * * * *') return whenText.hourly;
  const found = timeInCron(expression);
  if (found?.days === '*') return whenText.daily(found.time);
  if (found?.days === '1-5') return whenText.weekdays(found.time);
  if (found && /^[0-6]$/.test(found.days))
    return whenText.weekly(dates.weekday(Number(found.days)), found.time);
  return expression;
}

export function nextWords({ isPaused, nextAt, when, runs: known }: Job, now: number): string {
  if (isPaused) return next.paused;
  if (nextAt === null)
    return when.kind === 'after_session' && known.length === 0 ? next.afterSession : next.none;
  if (nextAt <= now) return next.due;
  if (dates.dayOf(nextAt) === dates.dayOf(now)) return next.today(timeOfDay(nextAt));
  const isSoon = nextAt - now < 6 * 86_400_000;
  return isSoon ? dates.weekdayAndTime(nextAt) : dates.dayOf(nextAt);
}

export interface RunLook extends StateLook {
  words: string;
}

/** @param status of its session; undefined = it has none */
export function runLook(
  run: JobRun | undefined,
  status: SessionSummary['status'] | undefined,
  now: number,
): RunLook {
  if (!run) return { icon: 'queued', tone: 'still', words: runs.none };
  const at = momentOf(run.plannedAt, now);
  const { startedAt, endedAt, reason } = run;
  switch (run.state) {
    case 'running':
      if (status === 'asking') return { icon: 'wait', tone: 'wait', words: runs.asking };
      if (status === 'queued') return { icon: 'queued', tone: 'still', words: runs.queued };
      return { icon: 'running', tone: 'run', words: runs.running };
    case 'ran': {
      const ms = startedAt !== null && endedAt !== null ? endedAt - startedAt : null;
      return { icon: 'done', tone: 'ok', words: runs.ran(momentOf(startedAt ?? run.plannedAt, now), ms) };
    }
    case 'late':
      return {
        icon: 'clock',
        tone: 'still',
        words: runs.late(startedAt === null ? null : startedAt - run.plannedAt, reason),
      };
    case 'missed':
      return { icon: 'cut', tone: 'warn', words: runs.missed(run.count, reason) };
    case 'skipped':
      return { icon: 'declined', tone: 'still', words: runs.skipped(at, reason) };
    case 'failed':
      return { icon: 'failed', tone: 'fail', words: runs.failed(reason, run.detail) };
  }
}

/** Of today its time alone. */
const momentOf = (at: number, now: number): string =>
  dates.dayOf(at) === dates.dayOf(now) ? timeOfDay(at) : timeAndDay(at);
