import { count, percent, plural, seconds } from './figures.ts';

/** Where the tokens of a session went, turn by turn. */
export const tokenTable = {
  title: 'Tokens by turn',
  scope: 'this session',
  unit: 'tokens',
  empty: 'Token use for each turn appears here.',
  turn: 'Turn',
  steps: 'Steps',
  cached: 'Cached',
  fresh: 'New',
  reread: 'Re-read',
  written: 'Written',
  time: 'Time',
  noWords: 'Files alone',
  request: 'Request',
  side: 'Side request',
  subagent: 'Subagent',
  session: 'Session so far',
  unknown: 'unknown',
  more: (requests: number): string => plural(requests, 'earlier request', 'earlier requests'),
  totals: {
    title: 'Session total',
    prompt: 'Prompt tokens',
    output: 'Output tokens',
    lastPrompt: 'Last prompt',
    lastOutput: 'Last output',
    context: 'Context limit',
    uncounted: (requests: number): string =>
      `${plural(requests, 'reply', 'replies')} without token counts, so the totals are higher.`,
  },
} as const;

/** What the GPU did beside what the agent did. */
export const timeline = {
  title: 'GPU and agent',
  span: (ms: number): string => (ms < 60_000 ? seconds(ms) : `${count(Math.round(ms / 60_000))} min`),
  none: 'No GPU readings are available.',
  waits: 'Waiting for the first GPU reading.',
  busy: 'busy',
  vram: 'VRAM',
  unknown: 'unknown',
  percent: (value: number): string => percent(value / 100),
  kinds: {
    reads: 'waits and reads',
    thinks: 'thinks',
    writes: 'writes',
    tool: 'tools',
    asks: 'asks you',
  },
  took: (ms: number): string => seconds(ms),
  gpuLabel: (span: string, least: number, most: number): string =>
    `GPU over ${span}: between ${percent(least / 100)} and ${percent(most / 100)} busy`,
  laneLabel: (parts: string): string => `The turn: ${parts}`,
  from: 'start of the turn',
  ago: (span: string): string => `${span} ago`,
  now: 'now',
  end: 'end',
} as const;

/** The ring in the message box, and what opens from it. */
export const contextUse = {
  title: 'Context',
  used: (ratio: number): string => percent(ratio),
  of: (window: number): string => `of ${count(window)} tokens`,
  estimated: 'about',
  label: (used: number, window: number): string => `Context: ${count(used)} of ${count(window)} tokens used`,
  head: 'Prompt and tools',
  opening: 'Folder and memory',
  log: 'Conversation',
  compacts: (tokens: number): string => `Older messages are summarised at ${count(tokens)} tokens.`,
  compact: 'Summarise now',
  busy: 'Possible when no turn is running',
  engine: 'Engine room',
} as const;
