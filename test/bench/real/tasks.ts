/**
 * Small tasks as people write them: terse, polite, rambling, in a foreign language's grammar. Words and checks were
 * fixed before any loop was tried on them, and are not fitted to what a prompt of ours happens to suit.
 */
import { doingTasks } from './doing-tasks.ts';
import { lookingTasks } from './looking-tasks.ts';
import { Draw, type Task } from './task.ts';

const makers = [...lookingTasks, ...doingTasks];

export interface Selection {
  quick: boolean;
  only: string | undefined;
}

/** A task has the same names and figures whichever others are made with it. */
export function makeTasks(seed: number, { quick, only }: Selection): Task[] {
  const tasks = makers.flatMap((maker, index) => {
    const wanted = only === undefined ? !quick || maker.quick === true : maker.id === only;
    const { id, kind } = maker;
    return wanted ? [{ id, kind, ...maker.make(new Draw(seed * 1000 + index)) }] : [];
  });
  if (tasks.length > 0) return tasks;
  throw new Error(`There is no task ${only}. The tasks are: ${makers.map(({ id }) => id).join(', ')}.`);
}
