/** Causes of a re-read in words, and whose they are. */
import type { Reading, RereadCause } from '../../../protocol/engine-room.ts';

export type Owner = NonNullable<Reading['owner']>;

const owners: Readonly<Record<RereadCause, Owner | null>> = {
  tools_changed: 'andiron',
  head_changed: 'andiron',
  flag_changed: 'andiron',
  history_rewritten: 'andiron',
  thinking_dropped: 'template',
  text_moved: 'template',
  tools_moved: 'template',
  rendering: 'template',
  date_changed: 'template',
  checkpoint: 'engine',
  cache_evicted: 'engine',
  window: 'engine',
  reload: 'engine',
  other_program: 'other_program',
  persons_choice: 'person',
  unknown: null,
};

/** Of a reload it is whoever asked for it; that is told with the reload. */
export const ownerOf = (cause: RereadCause): Owner | null => owners[cause];

const words: Readonly<Record<RereadCause, string>> = {
  tools_changed: 'The list of tools changed.',
  head_changed: 'The system text changed.',
  flag_changed: 'Thinking was switched.',
  history_rewritten: 'The history was rewritten.',
  thinking_dropped: 'The template drops the thinking of earlier turns.',
  text_moved: 'The template shows the text beside a call elsewhere, or not at all.',
  tools_moved: 'The template moves the tools to the last user message.',
  rendering: 'The template writes the reply otherwise than the model did.',
  date_changed: 'The template prints the date, and a new day began.',
  checkpoint: 'The model cannot go back to any place: the engine went on from an older checkpoint.',
  cache_evicted: 'The engine gave this conversation up to make room for others.',
  window: 'The engine cut the prompt to make it fit its window.',
  reload: 'The model was loaded anew.',
  other_program: 'Another program used the model in between.',
  persons_choice: 'You changed an earlier part of the conversation.',
  unknown: 'The engine found less than it should hold, and nothing tells why.',
};

export const describe = (cause: RereadCause): string => words[cause];
