/** The figures, and one line for each task. */
import type { Row, Tried } from './run.ts';

/** Share of the tasks that have to be done. */
export const leastDone = 0.5;

export function figuresOf(rows: readonly Row[]): Record<string, number> {
  const count = (holds: (row: Row) => boolean): number => rows.filter(holds).length;
  return {
    tasks: rows.length,
    begun_right: count(({ andiron }) => andiron.begunRight),
    done: count(({ andiron }) => andiron.done),
    naive_begun_right: count(({ plain }) => plain.begunRight),
    naive_done: count(({ plain }) => plain.done),
  };
}

export const header = 'task        kind         client   begun  done  replies      s  why not';

export function lineOf({ task, andiron, plain }: Row): string {
  const line = (client: string, tried: Tried): string =>
    [
      task.id.padEnd(11),
      task.kind.padEnd(12),
      client.padEnd(8),
      (tried.begunRight ? 'right' : '-').padEnd(6),
      (tried.done ? 'yes' : '-').padEnd(5),
      String(tried.replies).padStart(7),
      tried.seconds.toFixed(1).padStart(6),
      ` ${tried.why}`,
    ]
      .join(' ')
      .trimEnd();
  return `${line('Andiron', andiron)}\n${line('plain', plain)}`;
}
