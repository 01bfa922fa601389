import { bytes, clock, count, gigabytes, percent, seconds } from '../format.ts';

/** The panel above the engine's bar: what the GPU holds, who uses it, and what can be done. */
export const enginePanel = {
  label: 'Engine room',
  open: 'Engine room',
  states: {
    unknown: 'state unknown',
    cold: 'cold: loads with the next message',
    loading: 'loading',
    warm: 'warm: loaded',
    lent: 'lent: the GPU is free for something else',
    hot: 'hot',
  },
  hot: (tokens: number | null): string =>
    tokens === null
      ? 'hot: loaded, and this session is read'
      : `hot: loaded, and ${count(tokens)} tokens of this session are read`,
  warmth: {
    cold: 'The prompt of this session is not read yet.',
    waiting: 'Reads this session’s prompt in advance when the GPU is free.',
    warming: 'Reads this session’s prompt in advance.',
    off: 'Reading ahead is off for this model: it did not pay.',
  },
  model: {
    load: 'Load now',
    eject: 'Eject',
    ejectOf: (model: string): string => `Eject ${model}`,
    cancelLoad: 'Cancel load',
    elapsed: (ms: number): string => `${seconds(ms)} so far`,
    about: (ratio: number): string => `about ${percent(ratio)}`,
  },
  lend: {
    verb: 'Lend the GPU',
    help: (vram: number): string => `Lending frees ${bytes(vram)}; model and window come back later.`,
    lent: (model: string, tokens: number, since: string): string =>
      `Lent since ${since}. ${model} comes back with its window of ${count(tokens)} tokens.`,
    freed: (freed: number): string => `${bytes(freed)} were freed.`,
    back: 'Take it back',
  },
  spill: {
    title: (model: string, ratio: number): string => `${percent(ratio)} of ${model} runs on the CPU`,
    others: (held: number): string => `Other programs hold ${bytes(held)} of VRAM.`,
    help: 'Each word takes longer. A smaller window, or freeing VRAM, brings it back at the next load.',
  },
  vram: {
    title: 'VRAM',
    of: (used: number, total: number): string => `${gigabytes(used)} of ${gigabytes(total)} GB`,
    unknown: 'unknown',
    segments: {
      weights: 'weights',
      cache: 'cache and buffers',
      model: 'models',
      other: 'other programs',
      free: 'free',
    },
    about: (gb: string): string => `about ${gb}`,
    also: 'Other models in VRAM',
    holds: (held: number): string => bytes(held),
    utilization: 'Busy',
    temperature: 'Temperature',
    power: 'Power',
    throttled: (causes: string): string => `Clock held back by ${causes}`,
    causes: { heat: 'heat', power: 'its power limit', other: 'its driver' },
  },
  memory: {
    title: 'Main memory',
    label: (used: number, total: number): string =>
      `Main memory: ${gigabytes(used)} of ${gigabytes(total)} GB used`,
    noGpu: 'No GPU found: models run on the processor.',
    busy: (load: number): string => `CPU ${percent(load)} busy`,
  },
  window: {
    title: 'Window',
    none: 'How much of it is used is not measured yet.',
    planned: 'Planned',
    loaded: 'Loaded',
    used: 'Used',
    label: (used: number, window: number): string => `Window: ${count(used)} of ${count(window)} tokens used`,
    notLoaded: 'not loaded',
    unknown: 'unknown',
    other: (tokens: number): string => `${count(tokens)}, not as planned`,
    asPlanned: (tokens: number): string => `${count(tokens)}, as planned`,
    unplanned: (tokens: number): string => count(tokens),
    about: (tokens: number): string => `about ${count(tokens)}`,
    compacts: (tokens: number): string => `summarises at ${count(tokens)}`,
    room: 'Make room',
    compact: 'Summarise now',
    compactPrice: (tokens: number): string =>
      `one side request, then re-reads at most ${count(tokens)} tokens`,
    larger: (tokens: number): string => `Window of ${count(tokens)}`,
    fewerTools: 'Fewer tools',
    busy: 'Possible when no turn runs',
  },
  queue: {
    title: 'GPU queue',
    free: 'nobody uses the GPU',
    uses: 'uses it',
    waits: (place: number): string => `${count(place)}.`,
    purposes: { turn: 'turn', warm: 'reads ahead' },
    since: (ms: number): string => clock(ms),
  },
  side: {
    title: 'Left conversations',
    held: (held: number): string => `about ${bytes(held)} of main memory`,
    help: 'Kept by Ollama, so that going back to them reads little again.',
  },
  why: 'Why is it slow?',
  settings: 'Engine settings',
} as const;
