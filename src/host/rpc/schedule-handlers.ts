/** Jobs, as the owner's window asks for them. */
import type { Handlers } from '../../protocol/rpc-server.ts';
import type { scheduleMethods } from '../../protocol/schedule-methods.ts';
import type { Schedule } from '../schedule/schedule.ts';

export function scheduleHandlers(schedule: Schedule): Handlers<typeof scheduleMethods> {
  return {
    'schedule/list': () => ({ jobs: schedule.list(), timeZone: schedule.timeZone }),
    'schedule/add': async ({ job }, { principal }) => ({ job: await schedule.add(principal.userId, job) }),
    'schedule/change': async ({ jobId, changes }) => ({ job: await schedule.change(jobId, changes) }),
    'schedule/remove': ({ jobId }) => {
      schedule.remove(jobId);
      return {};
    },
    'schedule/run-now': ({ jobId }) => ({ job: schedule.runNow(jobId) }),
  };
}
