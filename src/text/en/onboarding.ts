import { bytes, clock, downloadBytes, gigabytes, seconds } from './figures.ts';

/** The page of the first start: one step at a time between a new person and a first answer. */
export const onboarding = {
  title: 'Set up Andiron',
  stepsLabel: 'Steps',
  skip: 'Skip setup',
  looking: 'Just looking?',
  demo: 'Try the demo',
  tour: 'Watch the tour',
  /** Of the step that is now, under the title. */
  leads: {
    coming: 'The model is downloading.',
    elsewhere: 'The model runs on another server.',
    local: 'Everything runs on this computer.',
    waits: 'Your task starts when the model is ready.',
  },
  states: { done: 'done', busy: 'in progress', now: 'now', later: 'later' },
  details: 'Details',
  otherOllama: 'Use another Ollama',
  otherServer: 'Use another server',
  check: 'Check again',
  checking: 'Checking',
  pace: (size: number): string => `about ${left((size / hundredMegabits) * 1_000)} at 100 Mbit/s`,

  engine: {
    name: 'Ollama',
    version: (version: string): string => `Ollama ${version}`,
    elsewhere: 'not needed',
    exposed: 'Anybody on your network can use this Ollama. Start it without OLLAMA_HOST=0.0.0.0.',
    looking: { title: 'Look for Ollama', fact: 'checking' },
    absent: {
      title: 'Set up Ollama',
      fact: 'not found',
      failed: 'Ollama could not be set up',
      offer:
        'Andiron runs models with Ollama. It installs a copy in its own folder and changes nothing else.',
      lead: 'Andiron runs models with Ollama.',
      openPage: 'Open ollama.com/download',
      verified: 'Verified',
      verifiedHelp: 'by its checksum, before it is unpacked',
      byHand: 'Install it yourself',
      searched: 'Searched',
    },
    /** It was there a moment ago. */
    gone: {
      title: 'Start Ollama again',
      fact: 'stopped answering',
    },
    stopped: {
      title: 'Start Ollama',
      fact: 'not running',
      byHand: 'Andiron can’t start it here, so start it yourself.',
      start: 'Start Ollama',
      found: 'Found at',
    },
    starting: {
      title: 'Start Ollama',
      fact: 'starting',
      waited: (ms: number): string => `${clock(ms)} of at most 1:00`,
      overdue: (ms: number): string => `${clock(ms)}, longer than it should take`,
    },
    wrong: {
      title: 'Find Ollama',
      fact: 'not an Ollama',
      lead: (message: string): string =>
        `${message} Stop the program at this address, or use another Ollama.`,
    },
    barred: {
      fact: 'out of reach',
      certificate: (message: string): string =>
        `${message} Have this computer trust that certificate, or use another Ollama.`,
      refusal: (message: string): string => `${message} Let Andiron through there, or use another Ollama.`,
      gateway: (message: string): string => `${message} Start Ollama there, or use another Ollama.`,
    },
  },

  model: {
    name: 'Model',
    choose: 'Choose a model',
    best: 'best fit',
    more: 'More models',
    get: (model: string): string => `Download ${model}`,
    size: (gb: number | null): string => (gb === null ? 'size unknown' : downloadBytes(gb * 1e9)),
    spare: (free: number | null): string => (free === null ? 'Fits' : `Fits, ${bytes(free)} to spare`),
    busy: 'Fits when VRAM is freed',
    tooBig: (need: number): string => `Too big, needs ${bytes(need)}`,
    /** Beside the size of its download. */
    noRoom: (free: number): string => `Disk has only ${downloadBytes(free)}`,
    spills: 'Partly on the CPU, slow',
    cpu: 'Runs on the CPU, slow',
    unknown: 'Fit unknown',
    paused: 'The download is paused',
    failed: 'The download failed',
    another: 'Choose another model',
    progress: (model: string, done: number, total: number | null, leftMs: number | null): string =>
      [
        model,
        total === null ? downloadBytes(done) : `${downloadBytes(done)} of ${downloadBytes(total)}`,
        leftMs === null ? '' : `${left(leftMs)} left`,
      ]
        .filter((part) => part !== '')
        .join(', '),
    verifying: (model: string): string => `${model}, verifying`,
    pause: 'Pause the download',
    onHost: (model: string): string => `${model}, on another server`,
    constrained: (model: string): string => `${model}, constrained calls`,
    calls: (model: string, valid: number, asked: number): string =>
      `${model}, ${valid} of ${asked} tool calls right`,
    undo: 'Undo',
    gpu: {
      reading: 'checking the GPU',
      none: 'no GPU, models run on the CPU',
      unreadable: 'VRAM unknown',
      free: (name: string, free: number): string => `${name}, ${gigabytes(free)} GB free`,
      total: (name: string, total: number): string => `${name}, ${gigabytes(total)} GB`,
      several: (cards: number, name: string): string => `${cards} × ${name}`,
    },
    missing: {
      title: (model: string): string => `${model} is not installed`,
      lead: 'It was chosen for this session.',
      auto: 'Use the profile’s model',
    },
  },

  noTools: {
    title: (model: string): string => `${model} does not support tools`,
    lead: 'Andiron can constrain it to write tool calls.',
    notMeasured: 'Not measured on this computer',
    measure: 'Measure it',
    /** What `steer` does, beside its button. */
    changes: (profile: string, builtIn: boolean): string =>
      builtIn ? `Changes your copy of ${profile}` : `Changes the profile ${profile}`,
    steer: (model: string): string => `Constrain ${model}`,
    chat: 'Chat only',
    chatWith: (profile: string): string => `With the profile ${profile}, which has no tools`,
    use: (model: string): string => `Use ${model}`,
    or: 'Or use',
  },

  folder: {
    name: 'Folder',
    title: 'Choose a folder',
    lead: 'Andiron reads and writes only in this folder, and asks before it changes anything.',
    choose: 'Choose a folder…',
    pathLabel: 'Path of the folder',
    takePath: 'Use this folder',
    sample: 'Use a sample project',
    change: 'Change folder',
  },

  task: {
    name: 'First task',
    title: 'Give it a first task',
    field: 'First task',
    /** What stands there at first; sent as it is. */
    first: 'Explain what this project does and how its parts work together.',
    others: ['Find a bug and fix it', 'Write a README', 'Run the tests'],
    start: 'Start',
    edit: 'Edit task',
  },

  /** Why one would take a model of the offline list. */
  models: {
    'qwen3.5:0.8b': 'Quickest to get, only for a first look',
    'qwen3.5:2b': 'Runs anywhere, weak at tools',
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

/** In bytes a second. */
const hundredMegabits = 12.5e6;

/** Minutes are enough for what takes minutes. */
function left(ms: number): string {
  return ms >= 90_000 ? `${Math.round(ms / 60_000)} min` : seconds(ms);
}
