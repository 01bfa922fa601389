import { count, percent, plural } from '../format.ts';

/** The right column: files, context, ledger. */
export const details = {
  files: { title: 'Files changed', count: (files: number): string => plural(files, 'file', 'files') },
  context: {
    title: 'Context',
    empty: 'The window fills with the first message.',
    used: (ratio: number): string => percent(ratio),
    of: (window: number): string => `of ${count(window)} tokens`,
    estimated: 'about',
    label: (used: number, window: number): string => `Window: ${count(used)} of ${count(window)} tokens used`,
    loaded: 'Loaded window',
    planned: (window: number): string => `${count(window)}, as planned`,
    notPlanned: (window: number): string => `${count(window)}, not as planned`,
    unknown: 'unknown',
    free: 'Free',
  },
  ledger: {
    title: 'Ledger',
    unit: 'tokens',
    empty: 'Every request of a turn is listed here: what the engine had, and what it had to read.',
    request: 'Request',
    cached: 'cached',
    fresh: 'new',
    output: 'out',
    turn: 'This turn',
    unknown: 'unknown',
    saved: (tokens: number): string => `The cache saved reading ${count(tokens)} tokens in this turn.`,
    more: (requests: number): string => plural(requests, 'earlier request', 'earlier requests'),
  },
  strip: {
    files: (files: number): string => plural(files, 'file', 'files'),
    window: (ratio: number): string => `window ${percent(ratio)}`,
    queued: 'Queued',
    finished: 'Finished',
    stopped: 'Stopped',
    failed: 'Failed',
    max_iterations: 'Limit reached',
    interrupted: 'Interrupted',
  },
} as const;
