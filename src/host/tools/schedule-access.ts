/** What the tools need of the jobs of whoever a session belongs to. The place of a job is its session's, never an argument (Q1). */
import type { JobWhen } from '../../protocol/schedule-methods.ts';

export interface ScheduledJob {
  id: string;
  name: string;
  task: string;
  /** As a person of this computer reads it; null = never again, or after a session. */
  next: string | null;
}

export interface ScheduleAccess {
  /** The time now on this computer, with its time zone, as times are given. */
  now(): string;
  /** Unix milliseconds of a local time of this computer; null = it cannot be read. */
  readTime(text: string): number | null;
  /** In the time zone of this computer. */
  cron(expression: string): JobWhen;
  /** Rejects with AndironError, with advice, for what would never run. */
  add(sessionId: string, job: { name: string; task: string; when: JobWhen }): Promise<ScheduledJob>;
  list(sessionId: string): ScheduledJob[];
  /** Throws AndironError `not_found` for a job of somebody else too. */
  cancel(sessionId: string, jobId: string): ScheduledJob;
}
