import { bytes, clock, count, downloadBytes, gigabytes } from '../format.ts';

/** The first start: what is missing between the person and a model, and the next step. */
export const onboarding = {
  label: 'First start',
  steps: {
    label: 'Steps',
    engine: 'Engine',
    model: 'Model',
    task: 'First task',
    states: { done: 'done', now: 'now', later: 'later' },
  },

  leave: 'Not now',

  gpu: {
    reading: 'Reading what GPU this computer has',
    none: 'No GPU found',
    unreadable: 'GPU: figures unknown',
    unreadableHelp: 'it holds a model, but what it has and what is free cannot be read',
    noneHelp: 'models then run on the processor, slowly',
    unknown: 'VRAM unknown',
    total: (total: number): string => `${gigabytes(total)} GB`,
    free: (total: number, free: number): string => `${gigabytes(total)} GB, ${gigabytes(free)} GB free`,
    others: (held: number): string => `${bytes(held)} held by other programs`,
    programs: (held: number, names: readonly string[]): string =>
      `${bytes(held)} held by ${names.join(', ')} and others`,
    heldUnknown: 'what is free is unknown',
    several: (cards: number, name: string): string => `${cards} × ${name}`,
    leaves: (name: string, free: number): string => `${name} would leave ${bytes(free)} free`,
    lacks: (name: string, missing: number): string => `${name} needs ${bytes(missing)} more than is free`,
    models: (held: number): string => `${bytes(held)} held by models`,
    othersToo: (held: number): string => `${bytes(held)} by other programs`,
    planned: (name: string, gb: number): string => `${name}: ${decimal(gb)} and its window`,
    bar: (used: number, total: number): string => `VRAM: ${gigabytes(used)} of ${gigabytes(total)} GB used`,
  },

  lookAgain: 'Look again',
  looking: 'Looking',
  openPage: 'Open ollama.com/download',
  byItself: 'Andiron also looks by itself every few seconds.',
  demo: 'Try without',
  demoHelp: 'A simulated engine with a sample folder, no GPU needed:',

  unknown: {
    title: 'Looking for Ollama',
    lead: 'This takes a few seconds at most.',
    ollama: 'Ollama',
    looking: 'looking at its usual address and in its usual places',
    found: 'found, and it answers',
    models: 'Models',
    reading: 'reading which ones are installed',
    afterwards: 'as soon as it answers',
  },

  absent: {
    title: 'Ollama was not found',
    lead: 'Andiron runs models through Ollama, a free program that stays on this computer. Install it and start it; Andiron goes on by itself.',
    leadOffer:
      'Andiron runs models through Ollama, a free program that stays on this computer. Andiron can set it up for itself, or you install it yourself.',
    titleFailed: 'Ollama could not be set up',
    leadFailed: 'Below stand the reason and the next step; the other ways are still open.',
    leadPaused: 'It goes on from what came as soon as you say so.',
    leadJob: 'It goes on by itself, and then asks for a model.',
    setUp: (size: number | null): string =>
      size === null ? 'Set up Ollama' : `Set up Ollama, ${downloadBytes(size)}`,
    checked: 'Checked',
    checkedHelp:
      'Against the checksum that Andiron knows, before anything is unpacked. Nothing outside this folder is changed.',
    yourself: 'By yourself',
    install: 'Install',
    looked: 'Looked at',
    elsewhere: 'Elsewhere',
    elsewhereHelp: 'For an Ollama at another address, start Andiron with its address in OLLAMA_HOST.',
    guides: {
      linux: 'In a terminal:',
      darwin: 'Download the app, move it to Applications and open it.',
      win32: 'Download the installer and run it. It starts Ollama when it is done.',
      other: 'Follow the steps for your system on the download page.',
    },
  },

  /** It was there a moment ago. */
  gone: {
    title: 'Ollama does not answer any more',
    lead: 'It answered a moment ago, so it need not be installed. Start it again; Andiron goes on by itself.',
  },

  stopped: {
    title: 'Ollama is installed but not running',
    lead: 'Andiron can start it now. It leaves Ollama running when you close Andiron.',
    leadByHand: 'Andiron may not start it here. Start it by hand; Andiron goes on by itself.',
    found: 'Found at',
    byHand: 'By hand',
    start: 'Start Ollama',
  },

  starting: {
    title: 'Ollama is starting',
    lead: 'It has a minute to answer. The first start after an update takes longest.',
    since: 'Waited',
    waited: (ms: number): string => `${clock(ms)} of at most 1:00`,
    overdue: (ms: number): string => `${clock(ms)}, longer than it should take`,
  },

  wrong: {
    title: 'Something answers, but not as Ollama does',
    lead: 'Another program may be using this address, or Ollama is too old or not well.',
    address: 'Address',
    said: 'What happened',
    next: 'Next step',
    nextHelp: 'Stop the other program, or start Andiron with another address in OLLAMA_HOST.',
  },

  exposed: {
    title: 'Anybody on your network can use this Ollama',
    help: 'It listens beyond this computer. Start it without OLLAMA_HOST=0.0.0.0 unless you want that.',
  },

  choose: {
    download: 'Download',
    vramAt: (tokens: number): string => `VRAM at ${window(tokens)}`,
    writes: 'Writes about',
    recommended: 'recommended',
    unknown: 'unknown',
    rate: (perSecond: number | null): string => (perSecond === null ? 'unknown' : `${perSecond} tok/s`),
    size: (gb: number | null): string => (gb === null ? 'unknown' : decimal(gb)),
    fits: {
      fits: 'should fit',
      busy: 'when VRAM is freed',
      spills: 'partly on the CPU',
      cpu: 'on the CPU, slow',
      unknown: 'unknown',
    },
    get: (model: string, gb: number | null): string =>
      gb === null ? `Download ${model}` : `Download ${model}, ${decimal(gb)}`,
    pullLabel: 'Command',
    pull: 'Or copy the command into a terminal: the model appears here by itself.',
    arithmetic: 'VRAM and speed are predicted for this GPU, not measured; the exam measures them.',
  },

  noModel: {
    title: 'Choose a model for this GPU',
    titleNoGpu: 'Choose a model',
    coming: 'The model is on its way',
    leadComing: 'It appears here by itself when it is complete. Pause it to choose another.',
    lead: 'Ollama runs but has no model. The first of these suits this GPU best; the others are smaller or faster.',
    leadUnknown: 'Ollama runs but has no model. How much VRAM there is, is unknown: small ones first.',
    leadNoGpu: 'Ollama runs but has no model. Without a GPU only small ones are quick enough.',
  },

  missing: {
    title: (model: string): string => `${model} is not installed`,
    lead: 'It was chosen for this session. Install it again, or let the profile choose.',
    auto: 'Let the profile choose',
  },

  noTools: {
    title: (model: string): string => `${model} cannot call tools by itself`,
    lead: 'Andiron can steer it to write tool calls in a fixed form. That works, but less often than with a model made for tools.',
    fixed: 'In fixed form',
    notMeasured: 'Not measured on this computer.',
    measure: 'Measure it',
    /** What `steer` does, beside its figures. */
    changes: (profile: string, builtIn: boolean): string =>
      `The fixed form is set in the profile ${profile}${builtIn ? ', in a copy of your own' : ''}; you can undo it.`,
    steer: (model: string): string => `Use ${model} in fixed form`,
    chat: 'Chat only',
    chatWith: (profile: string): string => `With the profile ${profile}, which has no tools`,
    made: (gb: number | null, vram: number | null): string =>
      [
        'made for tools',
        gb === null ? '' : `${decimal(gb)} to download`,
        vram === null ? '' : `${bytes(vram)} of VRAM`,
      ]
        .filter((part) => part !== '')
        .join('; '),
    installed: 'Made for tools',
    installedToo: 'Others',
    use: (model: string): string => `Use ${model}`,
  },

  ready: {
    title: 'Ready. Try a first task',
    lead: (model: string): string => `Ollama runs and ${model} is installed.`,
    leadOnHost: (model: string): string => `${model} runs on another server.`,
    leadLoaded: (model: string, vram: number, window: number | null): string =>
      `${model} is loaded and stays warm: ${vram > 0 ? `${bytes(vram)} of VRAM` : 'in main memory'}${window === null ? '' : `, a window of ${count(window)} tokens`}.`,
    tools: 'Tool calls',
    toolStates: {
      yes: 'supported, as the model says',
      no: 'not supported; this profile needs none',
      unknown: 'unknown',
    },
    fixed: 'Fixed form',
    fixedBy: (profile: string): string => `used for tool calls, as set in the profile ${profile}`,
    undo: 'Undo',
    memory: 'In memory',
    loading: (ms: number): string => `loading, ${clock(ms)}`,
    cold: (size: number): string => `loads with your first message, ${bytes(size)}`,
    exam: 'Exam',
    task: 'First task',
    load: 'Load it now',
    tour: 'Take the 60-second tour',
    tourAgain: 'See the tour again',
  },

  /** Why one would take a model of the offline list. */
  models: {
    'qwen3.5:2b': 'Runs anywhere; weak at tools',
    'qwen3.5:4b': 'Small and quick, good at tools for its size',
    'granite4.2:8b': 'Plain and steady',
    'ministral-3:8b': 'An alternative of the same size',
    'qwen3.5:9b': 'Good at tools, room for a long window',
    'gemma4:12b': 'Good prose, a little weaker at tools',
    'gpt-oss:20b': 'Thinks at three levels',
    'qwen3.8:27b': 'Best at tools and long tasks',
    'gemma4:26b-a4b': 'Writes faster, weaker at tools',
    'qwen3.6:35b-a3b': 'Writes about five times faster',
  },
} as const;

/** 16384 → "16k", as windows are called. */
function window(tokens: number): string {
  return tokens % 1024 === 0 ? `${tokens / 1024}k` : count(tokens);
}

/** Downloads are counted as Ollama shows them: in billions of bytes. */
function decimal(gb: number): string {
  return `${Number.isInteger(gb) ? gb : gb.toFixed(1)} GB`;
}
