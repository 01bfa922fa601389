import { gigabytes, percent, plural, seconds } from './figures.ts';

/** The bottom bar: GPU, model, window. */
export const engine = {
  gpuUnread: 'GPU: reading',
  gpuNone: 'No GPU found',
  /** It holds a model, so there is one. */
  gpuUnreadable: 'GPU: figures unknown',
  figuresUnknown: 'figures unknown',
  more: (others: number): string => `and ${plural(others, 'other', 'others')}`,
  of: (total: number): string => `of ${gigabytes(total)} GB`,
  usedUnknown: 'use unknown',
  memory: 'memory',
  cpu: 'CPU',
  vramLabel: (used: number, total: number): string =>
    `VRAM: ${gigabytes(used)} of ${gigabytes(total)} GB used`,
  temperature: (celsius: number): string => `${Math.round(celsius)} °C`,
  power: (watts: number): string => `${Math.round(watts)} W`,
  noModel: 'No model',
  states: {
    cold: 'not loaded',
    loading: 'loading',
    warm: 'loaded',
    hot: 'ready',
    lent: 'freed',
    unknown: 'state unknown',
    elsewhere: 'on another server',
  },
  /** In place of a model's state while there is no engine that has one. */
  without: {
    searching: 'looking for Ollama',
    absent: 'Ollama not found',
    stopped: 'Ollama not running',
    starting: 'Ollama starts',
    wrong: 'Ollama does not answer',
  },
  throttled: 'throttled',
  loading: (elapsedMs: number): string => `loading, ${seconds(elapsedMs)}`,
  loadingAbout: (ratio: number): string => `loading, about ${percent(ratio)}`,
  /** After its share. */
  onCpu: 'on the CPU',
  lastReply: 'speed of the last reply',
  exposed: 'open to the network',
  hostLost: 'Agent host: reconnecting',
  engineLost: 'Engine: reconnecting',
  waiting: (turns: number): string => `${plural(turns, 'turn waits', 'turns wait')} for the GPU`,
} as const;
