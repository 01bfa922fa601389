/**
 * What stands under an answer that may read as more than it is. The window says it in the person's language; whatever leaves
 * the window (a file, a terminal, an editor, a messenger, a program) says it in these words, or the mark would be lost there.
 */
import type { Item, NoteKind } from '../protocol/model.ts';

const marks: Partial<Record<NoteKind, string>> = {
  unproven: 'Nothing was changed or run.',
  unrun: 'No command was run.',
  only_ran: 'Only a command was run.',
  all_failed: 'Every command ended with an error.',
  guessed: 'A guess: what it looked for was not found.',
  toolless: 'Answered without a tool: none fits.',
};

export const isAnswerMark = (note: NoteKind): boolean => note in marks;

/** A sentence; undefined = the item marks no answer of the agent itself. */
export function answerMark(item: Item): string | undefined {
  return item.kind === 'note' && item.parentCallId === undefined ? marks[item.note] : undefined;
}
