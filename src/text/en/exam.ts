import { bytes, count, plural, seconds } from '../format.ts';

/** The exam of a model on this GPU: what it costs, how it goes, what it found. */
export const exam = {
  title: 'Exam on this GPU',
  none: 'No exam yet: tool calls, speed and the largest window, measured here.',
  begin: 'Take the exam',
  again: 'Take it again',
  cancel: 'Cancel',
  dismiss: 'Close',
  /** Said beside the button, before it is pressed. */
  price: (questions: number, expectedMs: number | null, limitMs: number): string =>
    expectedMs === null
      ? `${questions} questions, at most ${Math.round(limitMs / 60_000)} min; nothing is run`
      : `${questions} questions, about ${seconds(expectedMs)}; nothing is run`,
  pricing: 'Asking how long it takes',
  phases: {
    waiting: 'Waits for the GPU',
    loading: 'Loads the model',
    reading: 'Measures how fast it reads and writes',
    calling: 'Asks for tool calls, and runs none',
    failed: 'The exam ended early',
  },
  progress: (asked: number, total: number): string => `${asked} of ${total}`,
  progressLabel: (model: string): string => `Exam of ${model}`,
  facts: {
    calls: 'Tool calls',
    speed: 'Speed',
    window: 'Largest window',
    taken: 'Taken',
  },
  /** Of the better way to call. */
  correct: (valid: number, asked: number): string => `${valid} of ${asked} correct`,
  ways: { native: 'by its own calls', constrained: 'in a fixed form' },
  other: (way: string, valid: number, asked: number): string => `${way}: ${valid} of ${asked}`,
  mended: (calls: number): string => `${plural(calls, 'call', 'calls')} mended`,
  reads: (perSecond: number): string => `reads ${rate(perSecond)}`,
  writes: (perSecond: number): string => `writes ${rate(perSecond)}`,
  unknown: 'unknown',
  tokens: (tokens: number): string => `${count(tokens)} tokens`,
  largest: (tokens: number, inForce: number): string =>
    `${count(tokens)} tokens fit; loaded with ${count(inForce)}`,
  takenAt: (when: string, gpu: string | null, tookMs: number): string =>
    `${when}, ${gpu ?? 'without a GPU'}, in ${seconds(tookMs)}`,
  cutShort: 'It was cut short: not all was asked.',
  /** What follows from it; each with its button. */
  advice: {
    label: 'What follows from it',
    window: (tokens: number): string => `Use a window of ${count(tokens)}`,
    calls: { native: 'Call by its own calls', constrained: 'Call in a fixed form' },
    fits: (before: number, tokens: number, leaves: number | null, readMs: number | null): string =>
      [
        `The window is ${count(before)} tokens; ${count(tokens)} fit`,
        leaves === null ? '' : ` and leave ${bytes(leaves)} free`,
        readMs === null ? '.' : `, read in about ${seconds(readMs)} when full.`,
      ].join(''),
    spills: (before: number, tokens: number): string =>
      `With a window of ${count(before)} tokens a part runs on the processor, much slower; ${count(tokens)} fit.`,
    better: (better: string, other: string): string => `${better}; ${other}.`,
    changes: (profile: string, builtIn: boolean): string =>
      `Changes the profile ${profile}${builtIn ? ': a copy of your own, the built-in one stays as it is' : ''}.`,
    windowDone: (profile: string, tokens: number): string =>
      `${profile} now has a window of ${count(tokens)} tokens.`,
    callsDone: (profile: string, way: string): string => `${profile} now calls ${way}.`,
    undo: 'Undo',
  },
  /** In a list of models. */
  badge: (valid: number, asked: number, writesPerSecond: number | null): string =>
    `Exam ${valid} of ${asked}${writesPerSecond === null ? '' : `, writes ${rate(writesPerSecond)}`}`,
} as const;

function rate(perSecond: number): string {
  return `${perSecond < 10 ? perSecond.toFixed(1) : count(Math.round(perSecond))} tokens/s`;
}
