/** Small, valid pieces of state; a test names only what it is about. */
import { flags } from '../gallery/fixtures.ts';
import type {
  AgentRun,
  Approval,
  EngineState,
  Item,
  ItemKind,
  ItemOf,
  ModelInfo,
  PlanStep,
  Prefill,
  Profile,
  Reading,
  RequestUsage,
  SessionSnapshot,
  SessionSummary,
  Turn,
} from '../../protocol/model.ts';
import type { MeaningStatus } from '../../protocol/person-methods.ts';

export const noon = new Date(2026, 10, 20, 12, 0).getTime();

export const byWordsAlone: MeaningStatus = {
  choice: null,
  model: null,
  models: [],
  indexed: 0,
  total: 0,
  problem: { kind: 'no_model', text: '' },
};

export function aSession(over: Partial<SessionSummary> = {}): SessionSummary {
  return {
    id: 's1',
    title: 'Flaky lease test',
    workspace: '/home/ada/kiln',
    profileId: 'developer',
    model: null,
    pinned: false,
    status: 'idle',
    createdAt: noon,
    updatedAt: noon,
    ...over,
  };
}

export function aTurn(over: Partial<Turn> = {}): Turn {
  return {
    id: 't1',
    status: 'running',
    text: 'Find out why',
    profileId: 'developer',
    model: 'qwen3:8b',
    phase: 'text',
    phaseSince: noon,
    queuedAt: noon,
    startedAt: noon,
    endedAt: null,
    closed: false,
    iterations: 0,
    usage: [],
    ...over,
  };
}

const base = { id: 'i1', turnId: 't1', index: 0, startedAt: noon, completedAt: noon, cut: false };

const items: { [K in ItemKind]: ItemOf<K> } = {
  user: { ...base, kind: 'user', text: 'Find out why' },
  thinking: { ...base, kind: 'thinking', text: 'Let me look.' },
  text: { ...base, kind: 'text', text: 'It was the clock.' },
  note: { ...base, kind: 'note', note: 'goal', text: 'Goal restated' },
  plan: { ...base, kind: 'plan', text: '1. Look (SELF)', analysis: '', review: null, steps: [] },
  summary: {
    ...base,
    kind: 'summary',
    text: 'The clock was wrong.',
    by: 'model',
    beforeTokens: 12_000,
    afterTokens: 3_000,
    generation: 2,
    undone: false,
  },
  tool: {
    ...base,
    kind: 'tool',
    callId: 'c1',
    tool: 'run_command',
    args: {},
    subject: 'npm test',
    repairs: [],
    state: 'done',
    output: '',
    result: '',
    display: null,
    sandboxed: false,
    approval: null,
    decision: null,
    runMs: 100,
  },
  switch: {
    ...base,
    kind: 'switch',
    from: { profileId: 'developer', name: 'Developer', model: 'qwen3:8b' },
    to: { profileId: 'writer', name: 'Writer', model: 'qwen3:8b' },
    usage: null,
  },
  stopped: {
    ...base,
    kind: 'stopped',
    closedMs: 40,
    model: 'qwen3:8b',
    stillLoaded: true,
    vramBytes: 5.2 * 1024 ** 3,
    during: 'text',
  },
  error: {
    ...base,
    kind: 'error',
    code: 'stream_broken',
    message: 'The answer broke off.',
    advice: 'Continue.',
  },
};

export function anItem<K extends ItemKind>(kind: K, over: Partial<ItemOf<K>> = {}): ItemOf<K> {
  const item: ItemOf<K> = items[kind];
  return { ...item, ...over };
}

/** Items in order, with ids and places of their own. */
export function inOrder(...items: Item[]): Item[] {
  return items.map((item, index) => ({ ...item, id: `i${index}`, index }));
}

export function aSnapshot(over: Partial<SessionSnapshot> = {}): SessionSnapshot {
  return { session: aSession(), turns: [], items: [], hasOlder: false, context: null, ...over };
}

export function anApproval(over: Partial<Approval> = {}): Approval {
  return {
    id: 'a1',
    tool: 'run_command',
    risk: 'execute',
    summary: 'npm test -- lease',
    mutates: 'anything your account can',
    why: 'The profile asks before commands',
    where: '/home/ada/kiln',
    sandboxed: false,
    scopes: ['once'],
    requestedAt: noon,
    ...over,
  };
}

export function aPlanStep(over: Partial<PlanStep> = {}): PlanStep {
  return {
    id: 'p1',
    text: 'Look around',
    milestone: null,
    executor: { kind: 'self' },
    status: 'pending',
    check: null,
    validation: null,
    evidence: null,
    parentId: null,
    ...over,
  };
}

export function anAgent(over: Partial<AgentRun> = {}): AgentRun {
  return {
    id: 'subagent_0123456789ab',
    profileId: 'explorer',
    model: 'qwen3:8b',
    task: 'find who renews',
    state: 'running',
    stopReason: null,
    iterations: 3,
    toolCalls: 4,
    outputTokens: 3180,
    startedAt: noon,
    endedAt: null,
    ...over,
  };
}

export function aUsage(over: Partial<RequestUsage> = {}): RequestUsage {
  return {
    requestId: 'r1',
    iteration: 1,
    model: 'qwen3:8b',
    profileId: 'developer',
    promptTokens: 3210,
    cachedTokens: 1570,
    evaluatedTokens: 1640,
    outputTokens: 100,
    promptMs: 2000,
    outputMs: 2000,
    loadMs: 0,
    waitedMs: 2100,
    ...over,
  };
}

export function aReading(over: Partial<Reading> = {}): Reading {
  return {
    predictedCached: null,
    cachedTokens: 1000,
    newTokens: null,
    rereadTokens: 0,
    cause: null,
    owner: null,
    detail: '',
    parting: null,
    settledBy: 'engine',
    ...over,
  };
}

export function aPrefill(over: Partial<Prefill> = {}): Prefill {
  return {
    since: noon,
    promptTokens: 9920,
    cachedTokens: 1640,
    readTokens: 5120,
    secondsLeft: 4,
    overrun: false,
    source: 'measured',
    ...over,
  };
}

export function aProfile(over: Partial<Profile> = {}): Profile {
  return {
    ...flags,
    id: 'developer',
    name: 'Developer',
    description: 'Reads, edits and runs code',
    models: ['qwen3:8b'],
    tools: ['read_file'],
    approvals: 'auto_read',
    maxIterations: 20,
    contextTokens: 16_384,
    sampling: {},
    firstTokenTimeoutS: 120,
    idleTokenTimeoutS: 60,
    builtIn: true,
    systemPrompt: 'You are a developer.',
    subagentPrompt: '',
    persona: '',
    ...over,
  };
}

export function aModel(over: Partial<ModelInfo> = {}): ModelInfo {
  return {
    name: 'qwen3:8b',
    sizeBytes: 5 * 1024 ** 3,
    digest: 'd1',
    family: 'qwen3',
    parameterSize: '8B',
    quantization: 'Q4_K_M',
    capabilities: ['completion', 'tools'],
    trainedContext: 40_960,
    thinkingValues: null,
    modifiedAt: '',
    ...over,
  };
}

export function anEngine(over: Partial<EngineState> = {}): EngineState {
  return {
    status: {
      kind: 'running',
      url: 'http://127.0.0.1:11434',
      version: '0.30.0',
      simulated: false,
      exposed: false,
    },
    models: [aModel()],
    modelsReadAt: noon,
    loaded: [],
    loading: null,
    lease: null,
    waiting: 0,
    gpus: [],
    memory: { totalBytes: null, usedBytes: null, cpuLoad: null },
    keepAlive: 'while_open',
    keepMinutes: 30,
    queue: [],
    lent: null,
    hosts: [],
    setup: { offer: null, installed: null, job: null },
    pulls: [],
    incidents: [],
    sideCacheBytes: null,
    problem: null,
    ...over,
  };
}
