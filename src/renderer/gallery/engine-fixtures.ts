/** The engine room at the moments that matter. */
import type {
  CatalogueEntry,
  EngineState,
  EngineStatus,
  Fit,
  Incident,
  LoadPrice,
  ModelDetails,
  Pull,
  SessionSnapshot,
  Setup,
  TimelinePoint,
} from '../../protocol/model.ts';
import type { Answers } from './answering-engine.ts';
import { engineState, gpu, idleEngine, loaded, models, running, talker } from './fixtures.ts';

const gib = 1024 ** 3;
const minute = 60_000;

/** Two others wait; left conversations are kept; another program holds a little. */
export function sharedEngine(now: number): EngineState {
  return engineState(now, {
    lease: {
      id: 'l1',
      model: loaded.name,
      purpose: 'turn',
      label: 'Flaky lease test',
      since: now - 42_000,
    },
    waiting: 2,
    queue: [
      {
        id: 'l2',
        model: loaded.name,
        purpose: 'turn',
        label: 'Where is the retry policy?',
        since: now - 12_000,
      },
      { id: 'l3', model: loaded.name, purpose: 'warm', label: 'Release notes for 0.7', since: now - 3_000 },
    ],
    sideCacheBytes: 1.2 * gib,
    incidents: incidents(now),
  });
}

/** Another program took VRAM, the model was loaded again and a part of it stayed on the processor; the card is hot from a prompt that is read. */
export function spilledEngine(now: number): EngineState {
  return engineState(now, {
    loaded: [{ ...loaded, vramBytes: 15.9 * gib }],
    lease: {
      id: 'l1',
      model: loaded.name,
      purpose: 'warm',
      label: 'Release notes for 0.7',
      since: now - 3_000,
    },
    gpus: [gpu(now, 23.4, { utilization: 61, temperatureC: 86, powerW: 252, throttled: ['heat'] })],
    incidents: incidents(now),
    sideCacheBytes: 640 * 1024 ** 2,
  });
}

/** The same with a second model that stands in the way. */
export function crowdedEngine(now: number): EngineState {
  const engine = spilledEngine(now);
  const second = { ...loaded, name: 'gemma3:12b', sizeBytes: 4.4 * gib, vramBytes: 4.4 * gib };
  return { ...engine, loaded: [...engine.loaded, second] };
}

export function lentEngine(now: number): EngineState {
  return idleEngine(now, {
    lent: { model: loaded.name, contextTokens: 32_768, since: now - 14 * minute, freedBytes: 19.9 * gib },
    gpus: [gpu(now, 9.8, { utilization: 98, temperatureC: 74, powerW: 340 })],
  });
}

export function loadingEngine(now: number): EngineState {
  return idleEngine(now, {
    loading: { model: loaded.name, since: now - 3_600, expectedMs: 9_100, progress: 0.41 },
    gpus: [gpu(now, 9.4, { utilization: 8, temperatureC: 44, powerW: 70 })],
  });
}

function incidents(now: number): Incident[] {
  const at = (ago: number, id: string) => ({ id, at: now - ago * minute, model: loaded.name });
  return [
    {
      ...at(2, 'i1'),
      kind: 'spill',
      message: '20 % of qwen3.8:27b went to the CPU: ComfyUI held 6.8 GB when it was loaded.',
      advice: 'Close ComfyUI or choose a window of 16,384, then load the model again.',
      costMs: null,
    },
    {
      ...at(3, 'i2'),
      kind: 'reload',
      message: 'Another client asked qwen3.8:27b for a window of 4,096, so Ollama loaded it again.',
      advice: 'Give that client the window of 32,768, or another Ollama of its own.',
      costMs: 9_100,
    },
    {
      ...at(41, 'i3'),
      kind: 'slot_lost',
      message: 'Ollama lost its slot when the answer was stopped; reloaded.',
      advice: '',
      costMs: 9_400,
    },
  ];
}

function fitOf(model: string, contextTokens: number): Fit {
  const weightsBytes = model === 'qwen3.5:9b' ? 6.1 * gib : 16.5 * gib;
  const cacheBytes = (contextTokens / 32_768) * 2.6 * gib;
  const parts = { weightsBytes, cacheBytes, bufferBytes: 0.5 * gib, overheadBytes: 0.3 * gib };
  const totalBytes = weightsBytes + cacheBytes + 0.8 * gib;
  const freeBytes = 22.7 * gib;
  const verdict = totalBytes > freeBytes ? 'spills' : totalBytes > freeBytes * 0.93 ? 'tight' : 'fits';
  return { model, contextTokens, ...parts, totalBytes, freeBytes, verdict, basis: 'learnt' };
}

const catalogue: CatalogueEntry[] = [
  entry('qwen3.8:27b', 'Best at tools and long tasks', 17, 24, 'fits', { installed: true }),
  entry('gemma4:26b-a4b', 'Writes faster, weaker at tools', 16.9, 24, 'tight'),
  entry('qwen3.5:9b', 'Good at tools, room for a long context', 6.5, 12, 'fits', { installed: true }),
  entry('gemma4:12b', 'Good prose, a little weaker at tools', 7.6, 12, 'fits', {
    capabilities: ['completion', 'tools', 'vision'],
  }),
  entry('qwen3.6:35b-a3b', 'Writes about five times faster', 22.1, 32, 'spills'),
  entry('qwen3.5:2b', 'Runs anywhere; weak at tools', null, 0, 'unknown', { source: 'ollama' }),
];

function entry(
  name: string,
  description: string,
  gb: number | null,
  forVramGib: number,
  verdict: CatalogueEntry['verdict'],
  more: Partial<CatalogueEntry> = {},
): CatalogueEntry {
  return {
    name,
    description,
    downloadBytes: gb === null ? null : gb * 1e9,
    trainedContext: 262_144,
    capabilities: ['completion', 'tools', 'thinking'],
    forVramGib,
    source: 'offline',
    installed: false,
    verdict,
    ...more,
  };
}

function detailsOf(name: string): ModelDetails {
  const model = [...models, talker].find((known) => known.name === name) ?? talker;
  return {
    name,
    digest: 'sha256:8f1c0e6d2a3b4c5d6e7f8091a2b3c4d5',
    sizeBytes: model.sizeBytes,
    family: model.family,
    architecture: model.family,
    parameterSize: model.parameterSize,
    quantization: model.quantization,
    capabilities: model.capabilities ?? [],
    trainedContext: model.trainedContext,
    layers: 64,
    cacheBytesPerToken: 85_000,
    parameters: 'temperature 0.6\ntop_k 20\ntop_p 0.95\nstop "<|im_end|>"',
    licence: 'Apache License\nVersion 2.0, January 2004\nhttp://www.apache.org/licenses/',
    dependents: [{ kind: 'loaded', name }],
    modifiedAt: model.modifiedAt,
  };
}

function priceOf(model: string, contextTokens: number): LoadPrice {
  return {
    model,
    contextTokens,
    loads: true,
    loadBytes: fitOf(model, contextTokens).totalBytes,
    loadMs: 9_100,
    unloads: [],
    verdict: fitOf(model, contextTokens).verdict,
  };
}

/** Downloads in every state. */
export function pullingEngine(now: number): EngineState {
  const pull = (model: string, phase: Pull['phase'], done: number, total: number | null): Pull => ({
    model,
    phase,
    completedBytes: done * 1e9,
    totalBytes: total === null ? null : total * 1e9,
    bytesPerSecond: phase === 'pulling' ? 38e6 : null,
    startedAt: now - 4 * minute,
    problem: null,
  });
  return engineState(now, {
    pulls: [
      pull('gemma4:26b-a4b', 'pulling', 6.9, 16.9),
      pull('gemma4:12b', 'paused', 2.1, 7.6),
      {
        ...pull('qwen3.6:35b-a3b', 'failed', 0, 22.1),
        problem: {
          code: 'disk_full',
          message: 'The disk has 14.2 GB free, and 22.1 GB are needed.',
          advice: 'Delete a model that you do not use, then try again.',
        },
      },
      pull('qwen3.5:2b', 'waiting', 0, null),
    ],
  });
}

const offer: NonNullable<Setup['offer']> = {
  version: '0.40.2',
  downloadBytes: 1.4 * gib,
  url: 'https://github.com/ollama/ollama/releases/download/v0.40.2/ollama-linux-amd64.tgz',
  folder: '/home/ada/.local/share/andiron/ollama',
};

export const absent: EngineStatus = {
  kind: 'absent',
  tried: [
    'http://127.0.0.1:11434',
    'ollama on the PATH',
    '/usr/local/bin/ollama',
    '/usr/bin/ollama',
    '/bin/ollama',
  ],
};

/** No Ollama, and Andiron can set one up; or does so already. */
export function offeredEngine(
  now: number,
  job: Partial<NonNullable<Setup['job']>> | null = null,
): EngineState {
  const begun: NonNullable<Setup['job']> = {
    kind: 'install',
    phase: 'downloading',
    receivedBytes: 0.52 * gib,
    totalBytes: 1.4 * gib,
    bytesPerSecond: 31e6,
    problem: null,
  };
  return idleEngine(now, {
    status: absent,
    models: [],
    modelsReadAt: null,
    setup: { offer, installed: null, job: job && { ...begun, ...job } },
  });
}

export const badChecksum: Partial<NonNullable<Setup['job']>> = {
  phase: 'failed',
  receivedBytes: 1.4 * gib,
  bytesPerSecond: null,
  problem: {
    code: 'checksum',
    message: 'What came is not what was published: its checksum is another.',
    advice:
      'It was deleted and nothing was unpacked. Try again; if it stays so, install Ollama from its own page.',
  },
};

/** Hosts, incidents and an Ollama of Andiron's own. */
export function ownEngine(now: number): EngineState {
  return engineState(now, {
    status: { ...running, own: true },
    keepAlive: 'minutes',
    hosts: [
      { url: 'http://192.168.1.20:11434', origin: 'list', standing: 'silent', version: null },
      { url: 'http://workshop:11434', origin: 'list', standing: 'wrong', version: null },
      { url: 'http://127.0.0.1:11500', origin: 'own', standing: 'in_use', version: '0.40.2' },
      { url: 'http://127.0.0.1:11434', origin: 'default', standing: 'answers', version: '0.38.0' },
    ],
    setup: {
      offer: { ...offer, version: '0.40.5' },
      installed: { version: '0.40.2', folder: offer.folder, sizeBytes: 1.9 * gib },
      job: null,
    },
    incidents: incidents(now),
  });
}

/** Two minutes of a GPU that reads, writes, and waits for a command; with a moment in which it did not answer, up to now. */
export function gpuTimeline(now: number, isWorking: boolean): TimelinePoint[] {
  return Array.from({ length: 60 }, (_, step) => {
    const at = now - (60 - step) * 2_000;
    const phase = step % 30;
    const isLast = isWorking && step > 54;
    const busy = phase < 6 || isLast ? 97 : phase < 16 ? 78 + ((step * 7) % 9) : 3;
    return {
      at,
      vramUsedBytes: step === 40 ? null : (21.2 + (phase < 6 ? 0.3 : 0)) * gib,
      vramModelBytes: 19.9 * gib,
      utilization: step === 40 ? null : busy,
      temperatureC: 64,
      powerW: 240,
    };
  });
}

/** The same session with its items one after the other, as they are when they really happen. */
export function spreadOut(snapshot: SessionSnapshot, now: number): SessionSnapshot {
  const seconds: Partial<Record<string, number>> = { user: 0, thinking: 6, text: 8, tool: 5 };
  let at = now - 60_000;
  const items = snapshot.items.map((item) => {
    const startedAt = at + (item.kind === 'thinking' || item.kind === 'text' ? 4_000 : 100);
    const took = (seconds[item.kind] ?? 1) * 1000;
    at = startedAt + took;
    return { ...item, startedAt, completedAt: at, ...(item.kind === 'tool' && { runMs: took }) };
  });
  return { ...snapshot, items };
}

/** What an engine would answer to the questions of the window. */
export const answers: Answers = {
  'model/price': (asked: { model: string; contextTokens: number }) =>
    priceOf(asked.model, asked.contextTokens),
  'model/fit': (asked: { model: string; contextTokens: number[] }) => ({
    fits: asked.contextTokens.map((tokens) => fitOf(asked.model, tokens)),
  }),
  'library/catalogue': () => ({ entries: catalogue }),
  'library/lacking-room': (asked: { models: string[] }) => ({
    lacking: asked.models
      .filter((model) => model === 'qwen3.6:35b-a3b')
      .map((model) => ({ model, neededBytes: 22.1e9, freeBytes: 19.4e9 })),
  }),
  'model/details': ({ model }: { model: string }) => detailsOf(model),
};
