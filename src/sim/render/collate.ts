/** What every Go template sees: neighbours of one role as one message. */

import type { Entry } from './history.ts';
import type { PromptBuilder } from './prompt-builder.ts';

/** Messages that a template sees as one. Calls and thinking of all but the first are lost. */
export type Group = readonly [Entry, ...Entry[]];

/** Only results stay apart. System messages keep their neighbours apart too, wherever the template puts them. */
export function collate(entries: readonly Entry[]): Group[] {
  const groups: [Entry, ...Entry[]][] = [];
  for (const entry of entries) {
    const last = groups.at(-1);
    if (last?.[0].message.role === entry.message.role && entry.message.role !== 'tool') {
      last.push(entry);
    } else {
      groups.push([entry]);
    }
  }
  return groups;
}

/** The contents of several messages as one text, each still a piece of its own. */
export function addJoined(
  prompt: PromptBuilder,
  kind: 'system' | 'user' | 'assistant' | 'result',
  entries: readonly Entry[],
): void {
  for (const [position, { message, index }] of entries.entries()) {
    prompt.markup(position === 0 ? '' : '\n\n');
    prompt.add(kind, message.content, index);
  }
}
