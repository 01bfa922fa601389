/** What the gallery shows: one engine, a few profiles, a list of sessions. Times are relative to `now`. */
import type {
  EngineState,
  EngineStatus,
  GpuSample,
  LoadedModel,
  ModelInfo,
  Profile,
  ProfileProblem,
  SessionSummary,
} from '../../protocol/model.ts';

const gib = 1024 ** 3;
const minute = 60_000;
const day = 24 * 60 * minute;

export const running = {
  kind: 'running',
  url: 'http://127.0.0.1:11434',
  version: '0.40.2',
  simulated: false,
  exposed: false,
} satisfies EngineStatus;

function model(name: string, gigabytes: number, more: Partial<ModelInfo> = {}): ModelInfo {
  return {
    name,
    sizeBytes: gigabytes * gib,
    digest: `sha256:${name}`,
    family: 'qwen35',
    parameterSize: '27.4B',
    quantization: 'Q4_K_M',
    capabilities: ['completion', 'tools', 'thinking'],
    trainedContext: 262_144,
    thinkingValues: [false, true],
    modifiedAt: '2026-11-02T08:30:00Z',
    ...more,
  };
}

export const models: ModelInfo[] = [
  model('qwen3.8:27b', 16.5),
  model('gpt-oss:20b', 12.1, {
    family: 'gptoss',
    parameterSize: '20.9B',
    quantization: 'MXFP4',
    trainedContext: 131_072,
    thinkingValues: ['low', 'medium', 'high'],
  }),
  model('qwen3.5:9b', 6.1, {
    parameterSize: '9.4B',
    capabilities: ['completion', 'tools', 'thinking', 'vision'],
  }),
];

export const talker = model('gemma3:12b', 7.6, {
  family: 'gemma3',
  parameterSize: '12.2B',
  capabilities: ['completion', 'vision'],
  trainedContext: 131_072,
  thinkingValues: [false],
});

const silent = model('tinyllama:latest', 0.6, {
  parameterSize: '',
  quantization: '',
  capabilities: null,
  trainedContext: null,
  thinkingValues: null,
});

const embedder = model('embeddinggemma:latest', 0.6, {
  parameterSize: '308M',
  quantization: 'BF16',
  capabilities: ['embedding'],
  trainedContext: 2048,
});

export const loaded: LoadedModel = {
  name: 'qwen3.8:27b',
  sizeBytes: 19.9 * gib,
  vramBytes: 19.9 * gib,
  contextTokens: 32_768,
  expiresAt: '2026-11-14T10:10:00Z',
  asPlanned: true,
};

/** As a card reports itself that holds a model, and that reads or writes with it. */
const atRest = { utilization: 2, temperatureC: 52, powerW: 36 };
const atWork = { utilization: 96, temperatureC: 71, powerW: 331 };

/** At rest, unless it is said otherwise. */
export function gpu(now: number, usedGigabytes: number, more: Partial<GpuSample> = {}): GpuSample {
  return {
    name: 'NVIDIA GeForce RTX 3090',
    vramTotalBytes: 24 * gib,
    vramUsedBytes: usedGigabytes * gib,
    ...atRest,
    at: now,
    ...more,
  };
}

const isAtRest = ({ utilization }: GpuSample): boolean => utilization === atRest.utilization;

/** The same engine while a model works: a card whose figures a scene names itself keeps them. */
export function working(engine: EngineState): EngineState {
  const { gpus } = engine;
  return { ...engine, gpus: gpus && gpus.map((card) => (isAtRest(card) ? { ...card, ...atWork } : card)) };
}

/** A warm model that does nothing. */
export function engineState(now: number, changes: Partial<EngineState> = {}): EngineState {
  return {
    status: running,
    models,
    modelsReadAt: now - minute,
    loaded: [{ ...loaded, weightsBytes: 16.5 * gib }],
    loading: null,
    lease: null,
    waiting: 0,
    gpus: [gpu(now, 21.2)],
    memory: { totalBytes: 64 * gib, usedBytes: 14.2 * gib, cpuLoad: 12 },
    keepAlive: 'while_open',
    keepMinutes: 30,
    queue: [],
    lent: null,
    hosts: [{ url: 'http://127.0.0.1:11434', origin: 'default', standing: 'in_use', version: '0.40.2' }],
    setup: { offer: null, installed: null, job: null },
    pulls: [],
    incidents: [],
    sideCacheBytes: null,
    problem: null,
    ...changes,
  };
}

/** Nothing loaded, the GPU free but for the desktop. */
export function idleEngine(now: number, changes: Partial<EngineState> = {}): EngineState {
  return engineState(now, {
    loaded: [],
    gpus: [gpu(now, 1.3, { temperatureC: 41, powerW: 28 })],
    ...changes,
  });
}

/** A GPU that tells nothing but its name, and models of every kind. */
export function vagueEngine(now: number): EngineState {
  return engineState(now, {
    status: { ...running, exposed: null },
    models: [...models, talker, silent, embedder],
    loaded: [
      { ...loaded, vramBytes: 16.4 * gib },
      {
        ...loaded,
        name: 'gemma3:12b',
        sizeBytes: 8.8 * gib,
        vramBytes: 8.8 * gib,
        contextTokens: 4096,
        asPlanned: false,
      },
    ],
    loading: { model: 'gpt-oss:20b', since: now - 3_600, expectedMs: 9_000 },
    gpus: [
      gpu(now, 0, {
        name: 'AMD Radeon RX 7900 XTX',
        vramTotalBytes: null,
        vramUsedBytes: null,
        utilization: null,
        temperatureC: null,
        powerW: null,
      }),
    ],
    memory: { totalBytes: null, usedBytes: null, cpuLoad: null },
    problem: {
      code: 'load_failed',
      message: 'gpt-oss:20b could not be loaded: out of memory.',
      advice: 'Unload gemma3:12b first, or choose a smaller window.',
      at: now - minute,
    },
  });
}

/** As they are where a profile names none. */
export const flags = {
  planningEnabled: false,
  planningPhase2Enabled: false,
  planningMandatory: false,
  iterationBudgetEnabled: true,
  goalAnchoringEnabled: true,
  goalAnchoringInterval: 5,
  antiStallEnabled: true,
  antiStallThreshold: 8,
  stepValidationEnabled: false,
  adaptiveReplanEnabled: false,
  subagentPlanningEnabled: false,
  subagentTools: [],
  subagentMaxIterations: 40,
  subagentTimeoutS: 300,
  compactAt: 0.75,
  keepRecentTurns: 8,
  memoryEnabled: true,
  calls: 'auto',
} satisfies Partial<Profile>;

export const developer: Profile = {
  ...flags,
  id: 'developer',
  builtIn: true,
  name: 'Developer',
  description: 'Reads, edits and runs code',
  models: ['qwen3.8:27b', 'gemma4:26b-a4b', 'qwen3.5:9b'],
  tools: ['read_file', 'write_file', 'edit_file', 'list_files', 'glob', 'search', 'run_command'],
  approvals: 'auto_read',
  maxIterations: 20,
  contextTokens: 32_768,
  sampling: {},
  firstTokenTimeoutS: 120,
  idleTokenTimeoutS: 60,
  subagentPrompt: '',
  persona: '',
  systemPrompt:
    'You write and change software.\n\n- Find the place first, then read the file before you change it.\n- Make the smallest change that does the job.\n- Check every change: run the tests or the program.',
};

export const profiles: Profile[] = [
  developer,
  {
    ...developer,
    id: 'reader',
    name: 'Reader',
    description: 'Explores and answers, changes nothing',
    tools: ['read_file', 'list_files', 'glob', 'search'],
    systemPrompt: 'You answer questions about the files in the folder. You change nothing.',
  },
  {
    ...developer,
    id: 'writer',
    builtIn: false,
    name: 'Writer',
    description: 'Documents, guides, release notes',
    models: [],
    approvals: 'ask',
    think: false,
    sampling: { temperature: 0.9 },
    maxIterations: 8,
    contextTokens: 16_384,
    planningEnabled: true,
    goalAnchoringInterval: 3,
    subagentTools: ['read_file', 'list_files', 'glob', 'search'],
    compactAt: 0.6,
    calls: 'constrained',
    systemPrompt: 'You write guides and release notes from what the code really does.',
  },
];

export const problems: ProfileProblem[] = [
  {
    id: 'writer',
    path: '/home/ada/.config/andiron/profiles/writer',
    message: 'profile.json: not valid JSON: expected a comma after line 14',
  },
  {
    id: 'server-admin',
    path: '/home/ada/.config/andiron/profiles/server-admin',
    message:
      'profile.json: "tools": there is no tool "shell"; expected some of read_file, write_file, run_command',
  },
];

export const openSession: SessionSummary = {
  id: 'session_lease',
  title: 'Flaky lease test',
  workspace: '/home/ada/code/kiln',
  profileId: 'developer',
  model: null,
  pinned: false,
  status: 'idle',
  createdAt: 0,
  updatedAt: 0,
};

/** The list on the left, every mark of it, newest first. */
export function sessionList(now: number, open: SessionSummary): SessionSummary[] {
  const other = (
    id: string,
    title: string,
    ago: number,
    more: Partial<SessionSummary> = {},
  ): SessionSummary => ({ ...openSession, id, title, createdAt: now - ago, updatedAt: now - ago, ...more });
  return [
    { ...open, createdAt: now - 20 * minute, updatedAt: now },
    other('s2', 'Release notes for 0.7', 9 * day, { pinned: true, profileId: 'writer' }),
    other('s3', 'Where is the retry policy?', 40 * minute, {
      // It waits for the open one.
      status: open.status === 'running' ? 'queued' : 'idle',
      profileId: 'reader',
    }),
    other('s4', 'Move the queue to streams', 95 * minute, { status: 'asking' }),
    other('s5', 'Import old tickets', 3 * 60 * minute, { status: 'failed' }),
    other('s6', 'A title that is a good deal longer than its column is wide', day + minute),
    other('s7', 'Dependency check', 3 * day),
    other('s8', 'Explain the heartbeat', 16 * day, { profileId: 'reader' }),
  ];
}
