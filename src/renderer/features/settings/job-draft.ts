/** A job as it is being typed, and what it means. */
import type { Job, JobWhen } from '../../../protocol/schedule-methods.ts';
import { parseWhole } from '../../formats.ts';
import { schedulePane } from '../../text.ts';
import { timeInCron } from './job-words.ts';

export const kindsOfJob = ['daily', 'weekdays', 'interval', 'once', 'cron', 'after_session'] as const;
export type JobKind = (typeof kindsOfJob)[number];

export interface JobDraft {
  name: string;
  task: string;
  kind: JobKind;
  /** "07:00". */
  time: string;
  /** "2026-11-28T07:00", in the time zone of this page. */
  day: string;
  minutes: string;
  cron: string;
  sessionId: string;
  profileId: string;
  folder: string;
  afterMissed: 'run_once' | 'skip';
}

export function draftOf(job: Job | null, defaultProfile: string, now: number): JobDraft {
  const draft: JobDraft = {
    name: job?.name ?? '',
    task: job?.task ?? '',
    kind: 'daily',
    time: '07:00',
    day: localDay(now + 60 * 60_000),
    minutes: '60',
    cron: '0 7 * * *',
    sessionId: '',
    profileId: job?.profileId ?? defaultProfile,
    folder: job?.workspace ?? '',
    afterMissed: job?.afterMissed ?? 'run_once',
  };
  return job ? { ...draft, ...typedWhen(job.when) } : draft;
}

function typedWhen(when: JobWhen): Partial<JobDraft> {
  switch (when.kind) {
    case 'once':
      return { kind: 'once', day: localDay(when.at) };
    case 'interval':
      return { kind: 'interval', minutes: String(Math.round(when.everyMs / 60_000)) };
    case 'after_session':
      return { kind: 'after_session', sessionId: when.sessionId };
    case 'cron': {
      const found = timeInCron(when.expression);
      const kind = found?.days === '*' ? 'daily' : found?.days === '1-5' ? 'weekdays' : 'cron';
      return { kind, cron: when.expression, ...(found && { time: found.time }) };
    }
  }
}

/** null = what is typed is no time. @param job keeps its time zone, and a moment that is shown to the minute only */
export function whenOf(draft: JobDraft, hostZone: string, job: Job | null): JobWhen | null {
  if (whenProblem(draft) !== null) return null;
  const timeZone = job?.when.kind === 'cron' ? job.when.timeZone : hostZone;
  switch (draft.kind) {
    case 'daily':
    case 'weekdays': {
      const [hour = '', minute = ''] = draft.time.split(':');
      const days = draft.kind === 'daily' ? '*' : '1-5';
      return { kind: 'cron', expression: `${Number(minute)} ${Number(hour)} * * ${days}`, timeZone };
    }
    case 'once': {
      const isSame = job?.when.kind === 'once' && localDay(job.when.at) === draft.day;
      return isSame ? job.when : { kind: 'once', at: new Date(draft.day).getTime() };
    }
    case 'interval':
      return { kind: 'interval', everyMs: (minutesOf(draft) ?? 0) * 60_000 };
    case 'cron':
      return { kind: 'cron', expression: draft.cron.trim(), timeZone };
    case 'after_session':
      return { kind: 'after_session', sessionId: draft.sessionId };
  }
}

/** Whether a cron expression can be read is for the host to say. */
export function whenProblem(draft: JobDraft): string | null {
  const { kind, time, day, cron, sessionId } = draft;
  const { form: text } = schedulePane;
  switch (kind) {
    case 'daily':
    case 'weekdays':
      return /^\d\d:\d\d$/.test(time) ? null : text.noTime;
    case 'once':
      return Number.isNaN(new Date(day).getTime()) ? text.noTime : null;
    case 'interval':
      return minutesOf(draft) === null ? text.wrongMinutes : null;
    case 'cron':
      return cron.trim() === '' ? text.noTime : null;
    case 'after_session':
      return sessionId === '' ? text.noSession : null;
  }
}

const minutesOf = ({ minutes }: Pick<JobDraft, 'minutes'>): number | null => parseWhole(minutes, 1, 999_999);

function localDay(at: number): string {
  const date = new Date(at - new Date(at).getTimezoneOffset() * 60_000);
  return date.toISOString().slice(0, 16);
}
