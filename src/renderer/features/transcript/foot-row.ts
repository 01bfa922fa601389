/** The row that ends a turn: what it took, and what can be done with its answer. Pure. */
import type { Item, ToolItem, Turn } from '../../../protocol/model.ts';
import { answerText } from '../../stores/answer-text.ts';
import { editsOf } from '../../stores/changed-files.ts';
import type { RowOf } from './rows.ts';

/** Where it is kept whether the files of a turn are listed below its foot. */
export function changesKey(turnId: string): string {
  return `changes:${turnId}`;
}

interface FootParts {
  items: Item[];
  last: boolean;
  /** No turn runs and none is on its way. */
  idle: boolean;
  /** null = no line of work stands above. */
  workOpen: boolean | null;
}

/** null where there is nothing to say and nothing to do, as below a turn without an answer while another one runs. */
export function footOf(turn: Turn, { items, last, idle, workOpen }: FootParts): RowOf<'foot'> | null {
  const answer = answerText(items);
  const fork = idle && turn.replaced !== true;
  const said = turn.text !== '' || (turn.attachments?.length ?? 0) > 0;
  const regenerate = fork && last && said;
  const edits = editsOf(items);
  if (answer === '' && !fork && turn.usage.length === 0 && edits.length === 0) return null;
  const ran = items.filter(isOwnRun);
  const first = items[0];
  const missingBefore = first && first.kind !== 'user' ? first.index : null;
  return {
    // The same row for each version, so that whoever goes through them keeps the keyboard where it is.
    key: `foot:${turn.versions?.[0] ?? turn.id}`,
    newTurn: false,
    kind: 'foot',
    turn,
    edits,
    calls: ran.length,
    toolMs: ran.reduce((sum, { runMs }) => sum + (runMs ?? 0), 0),
    workOpen,
    isLast: last,
    answer,
    missingBefore,
    fork,
    regenerate,
    versions: (fork && turn.versions) || null,
  };
}

const isOwnRun = (item: Item): item is ToolItem =>
  item.kind === 'tool' && item.parentCallId === undefined && item.runMs !== null;
