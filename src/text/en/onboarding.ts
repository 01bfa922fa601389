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
    reading: 'Checking the GPU',
    none: 'No GPU found',
    unreadable: 'GPU: figures unknown',
    unreadableHelp: 'its VRAM can’t be read',
    noneHelp: 'models run on the CPU, slowly',
    unknown: 'VRAM unknown',
    total: (total: number): string => `${gigabytes(total)} GB`,
    free: (total: number, free: number): string => `${gigabytes(total)} GB, ${gigabytes(free)} GB free`,
    others: (held: number): string => `${bytes(held)} held by other programs`,
    programs: (held: number, names: readonly string[]): string =>
      `${bytes(held)} held by ${names.join(', ')} and others`,
    heldUnknown: 'free VRAM unknown',
    several: (cards: number, name: string): string => `${cards} × ${name}`,
    leaves: (name: string, free: number): string => `${name} would leave ${bytes(free)} free`,
    lacks: (name: string, missing: number): string => `${name} needs ${bytes(missing)} more than is free`,
    models: (held: number): string => `${bytes(held)} held by models`,
    othersToo: (held: number): string => `${bytes(held)} by other programs`,
    planned: (name: string, gb: number): string => `${name}: ${decimal(gb)} and its context`,
    bar: (used: number, total: number): string => `VRAM: ${gigabytes(used)} of ${gigabytes(total)} GB used`,
  },

  lookAgain: 'Check again',
  looking: 'Checking',
  openPage: 'Open ollama.com/download',
  byItself: 'Andiron checks every few seconds.',
  demo: 'Try the demo',
  demoHelp: 'A simulated engine with a sample folder, no GPU needed:',

  unknown: {
    title: 'Looking for Ollama',
    lead: 'This takes a few seconds at most.',
    ollama: 'Ollama',
    looking: 'checking the usual places',
    found: 'running',
    models: 'Models',
    reading: 'loading the list',
    afterwards: 'once Ollama answers',
  },

  absent: {
    title: 'Ollama was not found',
    lead: 'Andiron runs models through Ollama, a free program on this computer. Install and start it, and Andiron continues.',
    leadOffer:
      'Andiron runs models through Ollama, a free program on this computer. Andiron can set it up, or you can install it yourself.',
    titleFailed: 'Ollama could not be set up',
    leadFailed: 'The reason and the next step are below. You can also install it yourself.',
    leadPaused: 'Resume continues where the download stopped.',
    leadJob: 'You choose a model next.',
    setUp: (size: number | null): string =>
      size === null ? 'Set up Ollama' : `Set up Ollama, ${downloadBytes(size)}`,
    checked: 'Verified',
    checkedHelp: 'By its checksum, before it is unpacked. Nothing outside this folder is changed.',
    yourself: 'Install it yourself',
    install: 'Install',
    looked: 'Searched',
    elsewhere: 'Elsewhere',
    elsewhereHelp: 'If Ollama is at another address, start Andiron with it in OLLAMA_HOST.',
    guides: {
      linux: 'In a terminal:',
      darwin: 'Download the app, move it to Applications and open it.',
      win32: 'Download the installer and run it. It starts Ollama when it is done.',
      other: 'Follow the steps for your system on the download page.',
    },
  },

  /** It was there a moment ago. */
  gone: {
    title: 'Ollama stopped answering',
    lead: 'Start Ollama again, and Andiron continues.',
  },

  stopped: {
    title: 'Ollama is installed but not running',
    lead: 'Andiron can start it now. It leaves Ollama running when you close Andiron.',
    leadByHand: 'Andiron can’t start it here. Start it yourself, and Andiron continues.',
    found: 'Found at',
    byHand: 'Start it yourself',
    start: 'Start Ollama',
  },

  starting: {
    title: 'Ollama is starting',
    lead: 'This can take a minute, longest after an update.',
    since: 'Waited',
    waited: (ms: number): string => `${clock(ms)} of at most 1:00`,
    overdue: (ms: number): string => `${clock(ms)}, longer than it should take`,
  },

  wrong: {
    title: 'Something else is using this address',
    lead: 'It may be another program, or an Ollama that is too old or broken.',
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
    pull: 'Or run this command in a terminal. The model then appears here.',
    arithmetic: 'VRAM and speed are estimates for this GPU. A model test measures them.',
  },

  noModel: {
    title: 'Choose a model for this GPU',
    titleNoGpu: 'Choose a model',
    coming: 'The model is downloading',
    leadComing: 'Andiron continues when it is complete. Pause it to choose another.',
    lead: 'The first suits this GPU best. The others are smaller or faster.',
    leadUnknown: 'Andiron can’t tell how much VRAM there is, so small models come first.',
    leadNoGpu: 'Without a GPU, only small models are quick enough.',
  },

  missing: {
    title: (model: string): string => `${model} is not installed`,
    lead: 'It was chosen for this session. Install it again, or let the profile choose.',
    auto: 'Let the profile choose',
  },

  noTools: {
    title: (model: string): string => `${model} does not support tools`,
    lead: 'Andiron can constrain it to write tool calls. That works less often than a model made for tools.',
    fixed: 'Constrained',
    notMeasured: 'Not measured on this computer.',
    measure: 'Measure it',
    /** What `steer` does, beside its figures. */
    changes: (profile: string, builtIn: boolean): string =>
      `This sets constrained calls in the profile ${profile}${builtIn ? ', in your own copy' : ''}. You can undo it.`,
    steer: (model: string): string => `Use ${model} with constrained calls`,
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
    lead: (model: string): string => `${model} is installed.`,
    leadOnHost: (model: string): string => `${model} runs on another server.`,
    leadLoaded: (model: string, vram: number, window: number | null): string =>
      `${model} is loaded${vram > 0 ? ` with ${bytes(vram)} of VRAM` : ' in main memory'}${window === null ? '' : ` and a context of ${count(window)} tokens`}.`,
    tools: 'Tool calls',
    toolStates: {
      yes: 'supported',
      no: 'not supported, and this profile needs none',
      unknown: 'unknown',
    },
    fixed: 'Constrained calls',
    fixedBy: (profile: string): string => `set in the profile ${profile}`,
    undo: 'Undo',
    memory: 'In memory',
    loading: (ms: number): string => `loading, ${clock(ms)}`,
    cold: (size: number): string => `loads with your first message, ${bytes(size)}`,
    exam: 'Model test',
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
    'qwen3.5:9b': 'Good at tools, room for a long context',
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
