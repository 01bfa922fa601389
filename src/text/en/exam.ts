import { bytes, count, plural, seconds } from './figures.ts';

/** The exam of a model on this GPU: what it costs, how it goes, what it found. */
export const exam = {
  title: 'Test on this GPU',
  none: 'Test this model: tool calls, speed and context.',
  begin: 'Test model',
  again: 'Test again',
  cancel: 'Cancel',
  dismiss: 'Close',
  /** Said beside the button, before it is pressed. */
  price: (questions: number, expectedMs: number | null, limitMs: number): string =>
    expectedMs === null
      ? `${questions} questions, at most ${Math.round(limitMs / 60_000)} min`
      : `${questions} questions, about ${seconds(expectedMs)}`,
  pricing: 'Estimating the time',
  phases: {
    waiting: 'Waiting for the GPU',
    loading: 'Loading the model',
    reading: 'Measuring speed',
    calling: 'Checking tool calls',
    failed: 'The model test ended early',
  },
  progress: (asked: number, total: number): string => `${asked} of ${total}`,
  progressLabel: (model: string): string => `Test of ${model}`,
  facts: {
    calls: 'Tool calls',
    speed: 'Speed',
    window: 'Largest context',
    taken: 'Tested',
  },
  /** Of the better way to call. */
  correct: (valid: number, asked: number, way: string): string => `${valid} of ${asked} correct with ${way}`,
  ways: { native: 'native calls', constrained: 'constrained calls' },
  other: (way: string, valid: number, asked: number): string => `${way}: ${valid} of ${asked}`,
  mended: (calls: number): string => `${plural(calls, 'call', 'calls')} repaired`,
  reads: (perSecond: number): string => `reads ${rate(perSecond)}`,
  writes: (perSecond: number): string => `writes ${rate(perSecond)}`,
  unknown: 'unknown',
  tokens: (tokens: number): string => `${count(tokens)} tokens`,
  largest: (tokens: number, inForce: number): string =>
    `${count(tokens)} tokens fit; loaded with ${count(inForce)}`,
  takenAt: (when: string, gpu: string | null, tookMs: number): string =>
    `${when}, ${gpu ?? 'without a GPU'}, in ${seconds(tookMs)}`,
  cutShort: 'The test ended before all questions were asked.',
  /** What follows from it; each with its button. */
  advice: {
    label: 'Suggestions',
    window: (tokens: number): string => `Use a context of ${count(tokens)}`,
    calls: { native: 'Use native calls', constrained: 'Use constrained calls' },
    fits: (before: number, tokens: number, leaves: number | null, readMs: number | null): string =>
      [
        `The context is ${count(before)} tokens. ${count(tokens)} fit`,
        leaves === null ? '' : ` and leave ${bytes(leaves)} free`,
        readMs === null ? '.' : `, read in about ${seconds(readMs)} when full.`,
      ].join(''),
    spills: (before: number, tokens: number): string =>
      `A context of ${count(before)} tokens runs partly on the CPU, much slower. ${count(tokens)} tokens fit.`,
    better: (better: string, other: string): string => `${better}; ${other}.`,
    changes: (profile: string, builtIn: boolean): string =>
      `Changes the profile ${profile}${builtIn ? ', in your own copy' : ''}.`,
    windowDone: (profile: string, tokens: number): string =>
      `${profile} now has a context of ${count(tokens)} tokens.`,
    callsDone: (profile: string, way: string): string => `${profile} now uses ${way}.`,
    undo: 'Undo',
  },
  /** In a list of models. */
  badge: (valid: number, asked: number, writesPerSecond: number | null): string =>
    `Test ${valid} of ${asked}${writesPerSecond === null ? '' : `, writes ${rate(writesPerSecond)}`}`,
} as const;

function rate(perSecond: number): string {
  return `${perSecond < 10 ? perSecond.toFixed(1) : count(Math.round(perSecond))} tokens/s`;
}
