/** A line between the items of a turn, for the person alone: the model never reads it. */
import type { NoteKind } from '../../protocol/model.ts';
import { itemBase, type Teller } from './run.ts';

export function emitNote(note: NoteKind, text: string, teller: Teller): void {
  teller.emit({ type: 'item/started', item: { ...itemBase(teller, true), kind: 'note', note, text } });
}
