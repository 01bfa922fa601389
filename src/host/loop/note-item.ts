/** A line between the items of a turn, for the person alone: the model never reads it. */
import type { ItemOf } from '../../protocol/model.ts';
import type { Emit, TurnDeps, TurnInput } from './deps.ts';

export function emitNote(
  note: ItemOf<'note'>['note'],
  text: string,
  input: TurnInput,
  deps: TurnDeps,
  emit: Emit,
): void {
  const now = deps.clock.now();
  emit({
    type: 'item/started',
    item: {
      id: deps.newId('item_'),
      turnId: input.turnId,
      index: deps.nextIndex(),
      startedAt: now,
      completedAt: now,
      cut: false,
      kind: 'note',
      note,
      text,
    },
  });
}
