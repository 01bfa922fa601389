/** Tools for what is to be done later. They are in no profile that comes with Andiron: each costs every prompt its schema. */
import { z } from 'zod';
import { AndironError } from '../../protocol/errors.ts';
import type { JobWhen } from '../../protocol/schedule-methods.ts';
import { defineTool } from './define-tool.ts';
import type { ScheduleAccess, ScheduledJob } from './schedule-access.ts';
import { fitLines, ToolFailure, type Tool } from './tool.ts';

const shared = { retrySafe: false, about: 'agent', timeoutMs: 10_000 } as const;

interface When {
  at?: string | undefined;
  every_minutes?: number | undefined;
  cron?: string | undefined;
}

/** A job runs as the owner while nobody looks, so it asks, and again once the model has read what the person did not write. */
export function scheduleAddTool(schedule: ScheduleAccess): Tool {
  return defineTool({
    ...shared,
    name: 'schedule_add',
    description:
      'Do a task later or again and again: the only way to come back to something. One of at, every_minutes, cron.',
    parameters: z.object({
      name: z.string().min(1).max(100),
      task: z.string().min(1).max(4_000).describe('A whole message: this conversation is not read again'),
      at: z.string().optional().describe('Local time, such as 2026-11-28T07:00'),
      every_minutes: z.number().int().optional(),
      cron: z.string().optional().describe('Five fields'),
    }),
    mutates: true,
    risk: 'write',
    subject: ({ name }) => name,
    need: ({ name, task, ...when }) => ({
      summary: `Schedule “${name}” ${whenText(when)}:\n${task}`,
      mutates: 'Changes what Andiron does later, while nobody looks',
      sandboxed: false,
      scopes: ['once'],
      farEffect: { kind: 'schedule', target: `${whenText(when)}\n\n${task}` },
    }),
    async execute({ name, task, ...given }, { sessionId }) {
      const when = readWhen(given, schedule);
      const job = await explained(() => schedule.add(sessionId, { name, task, when }));
      return { ok: true, content: `Scheduled ${jobLine(job)}`, display: null };
    },
  });
}

export function scheduleListTool(schedule: ScheduleAccess): Tool {
  return defineTool({
    ...shared,
    retrySafe: true,
    name: 'schedule_list',
    description: 'List scheduled jobs.',
    parameters: z.object({}),
    mutates: false,
    risk: 'read',
    subject: () => '',
    need: () => ({ summary: 'List the jobs', mutates: '', sandboxed: false, scopes: ['once', 'session'] }),
    execute(_args, { sessionId }) {
      const lines = schedule.list(sessionId).map(jobLine);
      const more = (shown: number): string[] =>
        shown < lines.length ? [`… and ${String(lines.length - shown)} more`] : [];
      const content = lines.length === 0 ? 'Nothing is scheduled.' : fitLines(lines, more);
      return Promise.resolve({ ok: true, content, display: null });
    },
  });
}

export function scheduleCancelTool(schedule: ScheduleAccess): Tool {
  return defineTool({
    ...shared,
    name: 'schedule_cancel',
    description: 'Remove a scheduled job.',
    parameters: z.object({ id: z.string().min(1) }),
    mutates: true,
    risk: 'write',
    subject: ({ id }) => id,
    need: ({ id }) => ({
      summary: `Remove the job ${id}`,
      mutates: 'Removes a job and its history',
      sandboxed: false,
      scopes: ['once'],
      farEffect: { kind: 'schedule', target: id },
    }),
    async execute({ id }, { sessionId }) {
      const { name } = await explained(() => Promise.resolve(schedule.cancel(sessionId, id)));
      return { ok: true, content: `Removed ${name}.`, display: null };
    },
  });
}

const jobLine = ({ id, name, next }: ScheduledJob): string =>
  `${id}: ${name}, ${next === null ? 'not again' : `next ${next}`}`;

const whenText = ({ at, every_minutes, cron }: When): string =>
  [at && `at ${at}`, every_minutes && `every ${String(every_minutes)} minutes`, cron && `by ${cron}`]
    .filter(Boolean)
    .join(' and ');

function readWhen({ at, every_minutes, cron }: When, schedule: ScheduleAccess): JobWhen {
  const given = [at, every_minutes, cron].filter((each) => each !== undefined && each !== '');
  if (given.length !== 1)
    throw new ToolFailure('say when with one of at, every_minutes and cron.', {
      advice: `It is ${schedule.now()} now`,
    });
  if (at) {
    const time = schedule.readTime(at);
    if (time !== null) return { kind: 'once', at: time };
    throw new ToolFailure(`${at.slice(0, 80)} is no time.`, {
      advice: `Write it as 2026-11-28T07:00. It is ${schedule.now()} now`,
    });
  }
  if (every_minutes === undefined) return schedule.cron(cron ?? '');
  if (every_minutes >= 1 && every_minutes <= 366 * 24 * 60)
    return { kind: 'interval', everyMs: every_minutes * 60_000 };
  throw new ToolFailure('every_minutes is 1 or more.');
}

async function explained<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof AndironError)) throw error;
    throw new ToolFailure(error.message, { advice: error.advice, cause: error });
  }
}
