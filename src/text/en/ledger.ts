import { count } from './figures.ts';

/** What a request made the engine read, and why it read something again. */
export const ledger = {
  causes: {
    tools_changed: 'the tools of the profile changed',
    head_changed: 'the prompt of the profile changed',
    flag_changed: 'a setting of the profile changed',
    history_rewritten: 'earlier messages were rewritten',
    thinking_dropped: 'this model forgets its earlier reasoning',
    text_moved: 'the model’s template moves text',
    tools_moved: 'the model’s template moves the tools',
    rendering: 'the model’s template writes it differently now',
    date_changed: 'the date in the prompt changed',
    checkpoint: 'this model can only resume from saved points',
    cache_evicted: 'the model server dropped it from its cache',
    own_question: 'Andiron checked in between what the model can do',
    window: 'the window moved on',
    reload: 'the model was reloaded',
    other_program: 'another program used the model',
    persons_choice: 'you changed the context',
    unknown: 'the cause is not known',
  },
  owners: {
    andiron: 'Andiron',
    template: 'the model’s template',
    engine: 'the model server',
    other_program: 'another program',
    person: 'you',
  },
  because: (tokens: number, cause: string): string => `Re-read ${count(tokens)} tokens because ${cause}.`,
  /** In the host's words, which say all that the cause does; `adds`: and something besides. */
  told: (tokens: number, _cause: string, words: string, _adds: boolean): string =>
    `Re-read ${count(tokens)} tokens. ${words}.`,
  by: (owner: string): string => `By ${owner}.`,
  showParting: 'Compare prompts',
  hideParting: 'Hide comparison',
  before: 'Before',
  after: 'Now',
  why: 'Why is it slow?',
} as const;
