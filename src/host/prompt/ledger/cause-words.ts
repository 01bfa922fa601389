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
  own_question: 'andiron',
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
  history_rewritten: 'Earlier messages were rewritten.',
  thinking_dropped: 'This model forgets its earlier reasoning.',
  text_moved: 'The template shows the text beside a call elsewhere, or not at all.',
  tools_moved: 'The template moves the tools to the last user message.',
  rendering: 'The template writes the reply differently from the model.',
  date_changed: 'The template prints the date, and a new day began.',
  checkpoint: 'This model can only resume from saved points.',
  cache_evicted: 'The model server dropped this conversation from its cache.',
  own_question: 'Andiron checked in between what the model can do.',
  window: 'The model server cut the prompt to fit the context.',
  reload: 'The model was reloaded.',
  other_program: 'Another program used the model in between.',
  persons_choice: 'You changed an earlier part of the conversation.',
  unknown: 'The model server had less in its cache than expected. The cause is unknown.',
};

export const describe = (cause: RereadCause): string => words[cause];
