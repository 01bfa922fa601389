/** When a session is given a title by its model: with its first answer, and ever more rarely after that. Pure. */
import type { SessionSummary, Turn } from '../../protocol/model.ts';
import { isCompaction } from './compaction-turn.ts';
import { titleFrom, untitled } from './message.ts';

/** Asked at 1, 4, 16, … answers: what a long session is about may move, and each question takes the GPU. */
const growth = 4;

export const isAnswered = (turn: Turn): boolean =>
  turn.status === 'finished' && turn.replaced !== true && !isCompaction(turn);

export const nextDue = (answered: number): number => answered * growth;

/** What was given to a copy to tell it from its original. */
export const withoutNumber = (title: string): string => title.replace(/ \(\d{1,4}\)$/, '');

/** What the person wrote stays, and so does what nobody here wrote: the name of an imported session, or of a job. */
export function isReplaceable(
  { title, titledBy }: Pick<SessionSummary, 'title' | 'titledBy'>,
  first: Turn | undefined,
): boolean {
  if (titledBy != null) return titledBy === 'model';
  const cut = first === undefined ? untitled : titleFrom(first);
  return title === untitled || withoutNumber(title) === withoutNumber(cut);
}
