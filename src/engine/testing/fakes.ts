/** Stand-ins for everything outside, for the tests of this room: a clock that is moved, a machine in memory, an Ollama. */
import type { KeepAlive, OllamaApi } from '../../ollama/api.ts';
import type { PullLine, Recommendation } from '../../ollama/library.ts';
import type { PsReply, ShowReply, TagsReply } from '../../ollama/schemas.ts';
import type { Clock } from '../../platform/clock.ts';
import { silentLog } from '../../platform/log.ts';
import { AndironError } from '../../protocol/errors.ts';
import type { LoadPlan } from '../../protocol/model.ts';
import { pause } from '../base/timing.ts';
import type { EngineDeps, EngineFiles, EngineProcesses, LaunchSpec, Machine } from '../base/engine-deps.ts';

/** Everything that is due in promises and callbacks happens; no time passes. */
export async function settle(): Promise<void> {
  for (let round = 0; round < 20; round += 1) await new Promise((resolve) => setImmediate(resolve));
}

/** What a promise is rejected with; begins to wait at once, so that nothing is unhandled meanwhile. */
export function failureOf(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => Promise.reject(new Error('It was expected to fail.')),
    (error: unknown) => error,
  );
}

export interface ManualClock extends Clock {
  /** Moves on, stopping at every timer on the way. */
  advance(ms: number): Promise<void>;
}

export function manualClock(start = Date.UTC(2026, 0, 1)): ManualClock {
  const timers = new Set<{ at: number; run: () => void }>();
  let elapsed = 0;
  return {
    now: () => start + elapsed,
    monotonic: () => elapsed,
    after(ms, run) {
      const timer = { at: elapsed + ms, run };
      timers.add(timer);
      return { cancel: () => void timers.delete(timer) };
    },
    async advance(ms) {
      const until = elapsed + ms;
      await settle();
      for (;;) {
        const [next] = [...timers].filter((timer) => timer.at <= until).toSorted((a, b) => a.at - b.at);
        if (!next) break;
        timers.delete(next);
        elapsed = Math.max(elapsed, next.at);
        next.run();
        await settle();
      }
      elapsed = until;
    },
  };
}

export function fakeMachine(changes: Partial<Machine> = {}): Machine {
  return {
    platform: 'linux',
    arch: 'x64',
    env: { PATH: '/usr/bin' },
    homeDir: '/home/ada',
    lanAddresses: () => [],
    totalMemory: () => 64 * gib,
    availableMemory: () => 48 * gib,
    cores: 8,
    cpuTimes: () => ({ idle: 0, total: 0 }),
    ...changes,
  };
}

export const gib = 1024 ** 3;

export interface FakeFiles extends EngineFiles {
  texts: Map<string, string>;
  /** Folder → free bytes. */
  disks: Map<string, number>;
}

/** Paths → texts. A folder exists when something lies in it. */
export function fakeFiles(texts: Record<string, string> = {}): FakeFiles {
  const disks = new Map<string, number>();
  const files = new Map(Object.entries(texts));
  const read = (path: string): string => {
    const text = files.get(path);
    if (text === undefined) throw Object.assign(new Error(`no ${path}`), { code: 'ENOENT' });
    return text;
  };
  return {
    texts: files,
    disks,
    exists: (path) =>
      Promise.resolve([...files.keys()].some((key) => key === path || key.startsWith(`${path}/`))),
    readText: async (path) => read(path),
    readTextNow: read,
    list(folder) {
      const inside = [...files.keys()].filter((key) => key.startsWith(`${folder}/`));
      const names = inside.map((key) => key.slice(folder.length + 1).split('/')[0] ?? '');
      return Promise.resolve([...new Set(names)]);
    },
    async writeWhole(path, text) {
      files.set(path, text);
    },
    freeBytes: async (folder) => disks.get(folder) ?? null,
  };
}

export interface FakeProcesses extends EngineProcesses {
  launched: LaunchSpec[];
  /** By program; nothing = it is not installed. */
  outputs: Map<string, string | (() => Promise<string>)>;
  /** What the sampler answers; a promise that stays open is a silent one. */
  system: unknown;
  samplers: { kills: number; started: number };
  onLaunch: () => { exited: Promise<number | null> };
}

export function fakeProcesses(): FakeProcesses {
  const fake: FakeProcesses = {
    launched: [],
    outputs: new Map(),
    system: { controllers: [] },
    samplers: { kills: 0, started: 0 },
    onLaunch: () => ({ exited: new Promise(() => undefined) }),
    async run(command) {
      const output = fake.outputs.get(command);
      if (output === undefined) throw Object.assign(new Error(`spawn ${command}`), { code: 'ENOENT' });
      return typeof output === 'string' ? output : output();
    },
    async launch(program) {
      fake.launched.push(program);
      return fake.onLaunch();
    },
    startSampler() {
      fake.samplers.started += 1;
      const listeners: ((answer: unknown) => void)[] = [];
      return {
        ask: () =>
          void Promise.resolve(fake.system).then((answer) => listeners.forEach((hear) => hear(answer))),
        onSample: (listener) => void listeners.push(listener),
        onExit: () => undefined,
        kill: () => (fake.samplers.kills += 1),
      };
    },
  };
  return fake;
}

type Sent =
  | { call: 'load'; plan: LoadPlan; keepAlive: KeepAlive }
  | { call: 'unload'; model: string }
  | { call: 'embed'; model: string; texts: readonly string[]; keepAlive: KeepAlive | undefined }
  | { call: 'show'; model: string }
  | { call: 'pull'; model: string }
  | { call: 'remove'; model: string };

interface FakeResident {
  plan: LoadPlan;
  bytes: number;
  vramBytes: number;
  expiresAt: number;
}

/** An Ollama in memory: what is installed, what is loaded, and what was sent to it. */
export interface FakeOllama extends OllamaApi {
  /** Addresses at which it answers. */
  listensAt: Set<string>;
  /** Thrown by every call while set. */
  failure: unknown;
  /** Accepts connections and says nothing. */
  silent: boolean;
  versionsAsked: number;
  answersAs: string;
  installed: Map<string, { tag: TagsReply['models'][number]; show: ShowReply }>;
  residents: Map<string, FakeResident>;
  /** Another program uses these: they do not go, and no other model is loaded beside them. */
  busy: Set<string>;
  sent: Sent[];
  /** Runners started: first loads and reloads. */
  loads: number;
  /** Awaited inside every load. */
  whileLoading: () => Promise<void>;
  /** Awaited inside every request for vectors. */
  whileEmbedding: () => Promise<void>;
  /** Models that it keeps in memory beside each other. */
  places: number;
  /** What a pull yields and how it ends; without a digest there is nothing to download. */
  onPull: (model: string, signal: AbortSignal) => AsyncIterable<PullLine>;
  /** null = its cloud is switched off. */
  suggestions: Recommendation[] | null;
  /** Bytes of a model that end up on the GPU. */
  vramShare: number;
  /** false = it could not read the sizes off its runner, and tells 0. */
  tellsSizes: boolean;
  install(
    name: string,
    details?: { bytes?: number; trained?: number; digest?: string; show?: ShowReply },
  ): void;
}

const url = 'http://127.0.0.1:11434';

function fakeOllama(clock: Clock): FakeOllama {
  const answer = async (at: string): Promise<void> => {
    if (fake.failure !== undefined) throw fake.failure;
    if (fake.silent) await new Promise(() => undefined);
    if (!fake.listensAt.has(at)) throw new AndironError('engine_unavailable', 'Ollama does not answer.');
    for (const [name, resident] of fake.residents) {
      if (resident.expiresAt <= clock.now()) fake.residents.delete(name);
    }
  };
  const fake: FakeOllama = {
    listensAt: new Set([url]),
    failure: undefined,
    silent: false,
    versionsAsked: 0,
    answersAs: '0.40.2',
    busy: new Set(),
    installed: new Map(),
    residents: new Map(),
    sent: [],
    loads: 0,
    whileLoading: () => Promise.resolve(),
    whileEmbedding: () => Promise.resolve(),
    places: 3,
    vramShare: 1,
    tellsSizes: true,
    onPull: async function* () {
      yield { status: 'success', digest: undefined, total: undefined, completed: undefined, done: true };
    },
    suggestions: null,
    install(name, { bytes = 4 * gib, trained = 32_768, digest = `digest of ${name}`, show } = {}) {
      const details = { family: 'qwen3', parameter_size: '8B', quantization_level: 'Q4_K_M' };
      fake.installed.set(name, {
        tag: { name, modified_at: '2026-01-01T00:00:00Z', size: bytes, digest, details },
        show: show ?? {
          capabilities: ['completion', 'tools'],
          model_info: { 'general.architecture': 'qwen3', 'qwen3.context_length': trained },
        },
      });
    },
    async version(at) {
      fake.versionsAsked += 1;
      await answer(at);
      return fake.answersAs;
    },
    async tags(at) {
      await answer(at);
      return [...fake.installed.values()].map(({ tag }) => tag);
    },
    async show(at, model) {
      await answer(at);
      fake.sent.push({ call: 'show', model });
      const found = fake.installed.get(model);
      if (!found) throw new AndironError('model_missing', `${model} is not installed.`);
      return found.show;
    },
    async ps(at) {
      await answer(at);
      return [...fake.residents].map(([name, resident]): PsReply['models'][number] => ({
        name,
        size: resident.bytes,
        size_vram: resident.vramBytes,
        digest: fake.installed.get(name)?.tag.digest ?? '',
        expires_at: new Date(resident.expiresAt).toISOString(),
        context_length: resident.plan.options.num_ctx,
      }));
    },
    async load(at, plan, keepAlive, signal) {
      await answer(at);
      while (!fake.residents.has(plan.model) && fake.busy.size > 0) await pause(clock, 100, signal);
      if (signal?.aborted) throw signal.reason;
      fake.sent.push({ call: 'load', plan, keepAlive });
      const found = fake.installed.get(plan.model);
      if (!found) throw new AndironError('model_missing', `${plan.model} is not installed.`);
      const before = fake.residents.get(plan.model);
      if (JSON.stringify(before?.plan) !== JSON.stringify(plan)) {
        fake.residents.delete(plan.model);
        await unlessAborted(fake.whileLoading(), signal);
        fake.loads += 1;
      }
      const bytes = fake.tellsSizes ? found.tag.size : 0;
      const lifeMs = lifeOf(keepAlive);
      const expiresAt = clock.now() + lifeMs;
      fake.residents.set(plan.model, { plan, bytes, vramBytes: bytes * fake.vramShare, expiresAt });
    },
    async embed(at, { model, texts, options, keepAlive }, signal) {
      await answer(at);
      fake.sent.push({ call: 'embed', model, texts, keepAlive });
      if (!fake.residents.has(model)) await unlessAborted(fake.whileLoading(), signal);
      const bytes = fake.installed.get(model)?.tag.size ?? 0;
      const plan = { model, options, shift: true } as unknown as LoadPlan;
      const before = fake.residents.get(model);
      const expiresAt = keepAlive === undefined ? (before?.expiresAt ?? 0) : clock.now() + 300_000;
      if (!before && fake.residents.size >= fake.places)
        fake.residents.delete([...fake.residents.keys()][0] ?? '');
      fake.residents.set(model, { plan, bytes, vramBytes: 0, expiresAt });
      await unlessAborted(fake.whileEmbedding(), signal);
      return { embeddings: texts.map(() => [1, 0]), prompt_eval_count: texts.length };
    },
    async *pull(at, model, signal) {
      await answer(at);
      fake.sent.push({ call: 'pull', model });
      yield* fake.onPull(model, signal);
    },
    async remove(at, model) {
      await answer(at);
      fake.sent.push({ call: 'remove', model });
      if (!fake.installed.delete(model))
        throw new AndironError('model_missing', `${model} is not installed.`);
    },
    async recommendations(at) {
      await answer(at);
      if (fake.suggestions === null) throw new AndironError('engine_refused', 'Ollama suggests nothing.');
      return fake.suggestions;
    },
    async unload(at, model) {
      await answer(at);
      fake.sent.push({ call: 'unload', model });
      if (!fake.busy.has(model)) fake.residents.delete(model);
    },
  };
  return fake;
}

/** A load whose connection is closed is thrown away. */
function unlessAborted(work: Promise<void>, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
    work.then(resolve, reject);
  });
}

/** Only what Andiron sends: seconds, ten minutes, for ever. */
function lifeOf(keepAlive: KeepAlive): number {
  if (typeof keepAlive === 'string') return 600_000;
  return keepAlive < 0 ? 292 * 365 * 86_400_000 : keepAlive * 1_000;
}

export interface Fakes extends EngineDeps {
  clock: ManualClock;
  ollama: FakeOllama;
  processes: FakeProcesses;
  files: FakeFiles;
}

export function fakeDeps(changes: Partial<Fakes> = {}): Fakes {
  const clock = changes.clock ?? manualClock();
  let ids = 0;
  return {
    clock,
    log: silentLog,
    newId: (prefix) => `${prefix}${String((ids += 1))}`,
    ollama: fakeOllama(clock),
    processes: fakeProcesses(),
    files: fakeFiles(),
    machine: fakeMachine(),
    dataFile: '/data/engine.json',
    simulated: false,
    url: null,
    ...changes,
  };
}
