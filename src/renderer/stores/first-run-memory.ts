/** What this window remembers of the first start, over a reload as well. */

const firstRunSteps = ['tour', 'task'] as const;
export type FirstRunStep = (typeof firstRunSteps)[number];

export interface FirstRunMemory {
  /** `auto`: on screen when something is missing for a new person. `left`: the person went away from it, until it works. */
  shown: 'auto' | 'open' | 'left';
  /** Done, or not wanted. */
  done: readonly FirstRunStep[];
}

export const freshFirstRun: FirstRunMemory = { shown: 'auto', done: [] };

export function withStep(memory: FirstRunMemory, step: FirstRunStep): FirstRunMemory {
  return memory.done.includes(step) ? memory : { ...memory, done: [...memory.done, step] };
}

/** Another version of Andiron, or anybody, may have written it. What was left is asked for again at the next start. */
export function readFirstRun(stored: unknown): FirstRunMemory {
  if (typeof stored !== 'object' || stored === null) return freshFirstRun;
  const { shown, done } = stored as Partial<Record<keyof FirstRunMemory, unknown>>;
  return {
    shown: shown === 'open' ? 'open' : 'auto',
    done: Array.isArray(done) ? firstRunSteps.filter((step) => done.includes(step)) : [],
  };
}
