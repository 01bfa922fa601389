/** Which rungs of the repair ladder a turn shows: read off its cards and notes, as a person could. */
import type { Item, ItemOf } from '../../../src/protocol/model.ts';

export function rungsOf(items: readonly Item[], constrainedReplies: number): ReadonlyMap<string, number> {
  const seen = items.flatMap(rungsOfItem);
  const counts = new Map<string, number>();
  for (const rung of seen) counts.set(rung, (counts.get(rung) ?? 0) + 1);
  if (constrainedReplies > 0) counts.set('asked constrained', constrainedReplies);
  return counts;
}

/** These help the model along, whatever its replies are like. */
const aboutTheTask: ReadonlySet<ItemOf<'note'>['note']> = new Set(['goal', 'budget', 'date']);

function rungsOfItem(item: Item): string[] {
  if (item.kind === 'note') {
    return aboutTheTask.has(item.note) ? [] : [`note ${item.note}: ${withoutNames(item.text)}`];
  }
  if (item.kind !== 'tool') return [];
  const told = item.state === 'failed' && /^(Tool e|E)rror: /.test(item.result);
  return [
    ...(told ? ['error as the result'] : []),
    ...item.repairs.map((text) => `repair: ${withoutNames(text)}`),
  ];
}

/** Receipts of one kind are counted together, whatever was repaired. */
function withoutNames(text: string): string {
  return text
    .replace(/[:.].*/s, '')
    .replace(/^(took|read|dropped) \S+ as \S+/, '$1 … as …')
    .replace(/^(dropped) \S+$/, '$1 …')
    .replaceAll(/\b\w+_\w+\b|\d+/g, '…');
}
