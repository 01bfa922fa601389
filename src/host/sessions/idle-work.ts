/** What sessions are asked beside their turns while nobody waits: what they are called, and what they tell of the person. */
import type { SessionSummary } from '../../protocol/model.ts';
import { createMemoryWork, type MemoryWorkDeps } from './memory-work.ts';
import { createTitleWork, type TitleWorkDeps } from './title-work.ts';

export type IdleWorkDeps = MemoryWorkDeps & TitleWorkDeps;

export function createIdleWork(deps: IdleWorkDeps) {
  const parts = [createTitleWork(deps), createMemoryWork(deps)];
  return {
    /** A session has changed, and so many turns run now: any of them calls the work off. */
    turns(count: number, changed: SessionSummary): void {
      for (const part of parts) part.turns(count, changed);
    },
    async close(): Promise<void> {
      await Promise.all(parts.map((part) => part.close()));
    },
  };
}
