/** Jobs as tools see them: of the session's person, with the session's profile and folder. */
import type { Clock } from '../../platform/clock.ts';
import { AndironError } from '../../protocol/errors.ts';
import type { Job } from '../../protocol/schedule-methods.ts';
import type { SessionManager } from '../sessions/session-manager.ts';
import type { Store } from '../store/store.ts';
import type { ScheduleAccess, ScheduledJob } from '../tools/schedule-access.ts';
import type { Schedule } from './schedule.ts';

export interface AgentJobsDeps {
  schedule: Pick<Schedule, 'add' | 'list' | 'remove' | 'timeZone'>;
  store: Pick<Store, 'sessionOwner' | 'getJob'>;
  sessions: Pick<SessionManager, 'get'>;
  clock: Pick<Clock, 'now'>;
}

export function createAgentJobs({ schedule, store, sessions, clock }: AgentJobsDeps): ScheduleAccess {
  const timeText = (at: number): string => {
    const { timeZone } = schedule;
    const format = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'short' });
    return `${format.format(at).replace(' ', 'T')} (${timeZone})`;
  };
  const shown = ({ id, name, task, nextAt }: Job): ScheduledJob => ({
    id,
    name,
    task,
    next: nextAt === null ? null : timeText(nextAt),
  });
  const isOwn = (sessionId: string, jobId: string): boolean =>
    store.getJob(jobId)?.userId === store.sessionOwner(sessionId);

  return {
    now: () => timeText(clock.now()),
    readTime(text) {
      const [, year, month, day] = /^(\d{4})-(\d\d)-(\d\d)T/.exec(text.trim()) ?? [];
      if (year === undefined || !isDay(Number(year), Number(month), Number(day))) return null;
      const time = Date.parse(text.trim());
      return Number.isNaN(time) ? null : time;
    },
    cron: (expression) => ({ kind: 'cron', expression, timeZone: schedule.timeZone }),
    async add(sessionId, { name, task, when }) {
      const { profileId, workspace } = sessions.get(sessionId).summary;
      const owner = store.sessionOwner(sessionId) ?? '';
      return shown(
        await schedule.add(owner, { name, task, when, profileId, workspace, afterMissed: 'run_once' }),
      );
    },
    list: (sessionId) =>
      schedule
        .list()
        .filter(({ id }) => isOwn(sessionId, id))
        .map(shown),
    cancel(sessionId, jobId) {
      const job = schedule.list().find(({ id }) => id === jobId && isOwn(sessionId, id));
      if (!job) throw new AndironError('not_found', 'There is no such job.', 'List them with schedule_list.');
      schedule.remove(jobId);
      return shown(job);
    },
  };
}

/** February has no 30th: a date that is written so is moved by whoever reads it leniently. */
function isDay(year: number, month: number, day: number): boolean {
  const date = new Date(Date.UTC(year, month - 1, day));
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
}
