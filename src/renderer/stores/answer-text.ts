import type { Item } from '../../protocol/model.ts';

/** Everything that the model itself wrote to the person, in Markdown; what subagents wrote is not part of it. */
export function answerText(items: readonly Item[]): string {
  return items
    .flatMap((item) =>
      item.kind === 'text' && item.parentCallId === undefined && item.text.trim() !== ''
        ? [item.text.trim()]
        : [],
    )
    .join('\n\n');
}
