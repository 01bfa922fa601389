import { bytes, clock, count, gigabytes, percent, seconds } from './figures.ts';

/** The panel above the engine's bar: what the GPU holds, who uses it, and what can be done. */
export const enginePanel = {
  label: 'Engine room',
  open: 'Engine room',
  states: {
    unknown: 'state unknown',
    cold: 'not loaded: loads with your next message',
    loading: 'loading',
    warm: 'loaded',
    lent: 'freed: other programs can use the GPU',
    hot: 'ready',
    elsewhere: 'on another server, which loads and unloads it',
  },
  hot: (tokens: number | null): string =>
    tokens === null
      ? 'ready: loaded, and this session is cached'
      : `ready: loaded, and ${count(tokens)} tokens of this session are cached`,
  warmth: {
    cold: 'The model has not read this session yet.',
    waiting: 'Andiron preloads this session when the GPU is free.',
    warming: 'Andiron is preloading this session.',
    off: 'Preloading is off for this model.',
  },
  model: {
    load: 'Load now',
    eject: 'Unload',
    ejectOf: (model: string): string => `Unload ${model}`,
    cancelLoad: 'Cancel load',
    elapsed: (ms: number): string => `${seconds(ms)} so far`,
    about: (ratio: number): string => `about ${percent(ratio)}`,
  },
  lend: {
    verb: 'Free the GPU',
    help: (vram: number): string => `This frees ${bytes(vram)} until you take it back.`,
    lent: (model: string, tokens: number, since: string): string =>
      `Free since ${since}. Taking it back loads ${model} with a context of ${count(tokens)} tokens.`,
    freed: (freed: number): string => `This freed ${bytes(freed)}.`,
    back: 'Take it back',
  },
  spill: {
    title: (model: string, ratio: number): string => `${percent(ratio)} of ${model} runs on the CPU`,
    others: (held: number): string => `Other programs hold ${bytes(held)} of VRAM.`,
    help: 'Replies are slower. A smaller context or more free VRAM helps at the next load.',
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
    throttled: (causes: string): string => `Throttled by ${causes}`,
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
    title: 'Context',
    none: 'Context use appears after your first message.',
    planned: 'Planned',
    loaded: 'Loaded',
    used: 'Used',
    label: (used: number, window: number): string =>
      `Context: ${count(used)} of ${count(window)} tokens used`,
    notLoaded: 'not loaded',
    unknown: 'unknown',
    other: (tokens: number): string => `${count(tokens)}, not as planned`,
    asPlanned: (tokens: number): string => count(tokens),
    unplanned: (tokens: number): string => count(tokens),
    about: (tokens: number): string => `about ${count(tokens)}`,
    compacts: (tokens: number): string => `summarises at ${count(tokens)}`,
    room: 'Make room',
    compact: 'Summarise now',
    compactPrice: (tokens: number): string =>
      `one side request, then re-reads at most ${count(tokens)} tokens`,
    larger: (tokens: number): string => `Context of ${count(tokens)}`,
    fewerTools: 'Fewer tools',
    busy: 'Possible when no turn is running',
  },
  queue: {
    title: 'GPU queue',
    free: 'idle',
    uses: 'uses it',
    waits: (place: number): string => `${count(place)}.`,
    purposes: { turn: 'turn', warm: 'preloads' },
    since: (ms: number): string => clock(ms),
  },
  side: {
    title: 'Cached sessions',
    held: (held: number): string => `about ${bytes(held)} of main memory`,
    help: 'Returning to them is quick.',
  },
  why: 'Why is it slow?',
  settings: 'Engine settings',
  close: 'Close',
} as const;
