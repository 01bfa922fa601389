import { count } from '../format.ts';

/** What a request made the engine read, and why it read something again. */
export const ledger = {
  causes: {
    tools_changed: 'the tools of the profile changed',
    head_changed: 'the prompt of the profile changed',
    flag_changed: 'a setting of the profile changed',
    history_rewritten: 'earlier messages were rewritten',
    thinking_dropped: 'the model’s template drops earlier thinking',
    text_moved: 'the model’s template moves text',
    tools_moved: 'the model’s template moves the tools',
    rendering: 'the model’s template writes it differently now',
    date_changed: 'the date in the prompt changed',
    checkpoint: 'the engine went back to its last checkpoint',
    cache_evicted: 'the engine gave up what it had kept',
    window: 'the window moved on',
    reload: 'the model was loaded anew',
    other_program: 'another program used the model',
    persons_choice: 'you changed what the model reads',
    unknown: 'the cause is not known',
  },
  owners: {
    andiron: 'Andiron',
    template: 'the model’s template',
    engine: 'the engine',
    other_program: 'another program',
    person: 'you',
  },
  because: (tokens: number, cause: string): string => `${count(tokens)} tokens read again because ${cause}.`,
  again: (tokens: number): string => `${count(tokens)} tokens read again.`,
  by: (owner: string): string => `By ${owner}.`,
  showParting: 'Show where the prompts part',
  hideParting: 'Hide where they part',
  before: 'Before',
  after: 'Now',
  why: 'Why is it slow?',
} as const;
