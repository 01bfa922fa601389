import { systemClock, type Clock } from './clock.ts';
import type { Engine, ScriptHolder } from './engine.ts';
import { closeServer, listen } from './http/listen.ts';
import { createHttpServer } from './http/server.ts';
import { ModelStore, type SimModel, type SimModelOptions } from './models.ts';
import { DEFAULT_PULLABLE, Registry } from './registry/registry.ts';
import type { PullableModel, PullFault, Recommendation } from './registry/registry.ts';
import { RunnerStarter } from './runner/start.ts';
import { Vocabulary } from './runner/vocabulary.ts';
import { automaticContext } from './scheduler/launch.ts';
import type { Gpu } from './scheduler/gpu-memory.ts';
import { Scheduler, type LoadFailure, type SchedulerLimits } from './scheduler/scheduler.ts';
import { script, type Script } from './script/script.ts';
import { createTimeModel, seededRandom } from './time/index.ts';
import { createSideChannel } from './truth/side-channel.ts';
import { Truth } from './truth/truth.ts';
import type { Dialect } from './wire/dialect.ts';

export { manualClock, systemClock, type Clock, type ManualClock } from './clock.ts';
export { EMBEDDING_MODEL, FAMILY_MODELS, type SimModel, type SimModelOptions } from './models.ts';
export { DISK_FULL, type PullableModel, type PullFault, type Recommendation } from './registry/registry.ts';
export type { Fault } from './runner/reply-plan.ts';
export type { Gpu } from './scheduler/gpu-memory.ts';
export type { LoadFailure } from './scheduler/scheduler.ts';
export { Reply, reply, type NativeToken, type ReplyStep } from './script/reply.ts';
export {
  rule,
  script,
  sequence,
  type Match,
  type ReplySource,
  type Rule,
  type Script,
  type ScriptRequest,
} from './script/script.ts';
export {
  Truth,
  type TruthEvent,
  type TruthEventKind,
  type TruthLoad,
  type TruthRequest,
  type TruthUnload,
} from './truth/truth.ts';
export type { Dialect } from './wire/dialect.ts';

export interface SimOptions {
  /** 0 = any free port, always on loopback. */
  port?: number;
  dialect?: Dialect;
  /** What `/api/version` says; by default what suits the dialect. */
  version?: string;
  models?: readonly SimModelOptions[];
  /** What the library offers: one of each family and some more unless given; null = no network. */
  pullable?: readonly PullableModel[] | null;
  /** What Ollama suggests; without them the cloud is switched off. */
  recommendations?: readonly Recommendation[];
  /** `null` = a machine without a GPU. */
  gpu?: Gpu | null;
  /**
   * Divides what loading, unloading, reading and writing take by themselves. Keep-alive timers, and durations
   * that a script or a load plan names, keep their length.
   */
  speed?: number;
  seed?: number;
  script?: Script;
  /** OLLAMA_NUM_PARALLEL, OLLAMA_MAX_LOADED_MODELS, OLLAMA_MAX_QUEUE, OLLAMA_KEEP_ALIVE. */
  numParallel?: number;
  maxLoaded?: number;
  maxQueue?: number;
  keepAliveMs?: number;
  /** Every so many closes while lines flow take the model's slot for good, in whatever moment they come. */
  loseSlotEvery?: number;
  /** Refuse histories whose calls and results do not pair; otherwise they are only noted in the truth. */
  refuseUnpaired?: boolean;
  /** Gives each runner a status port of its own. */
  runnerStatus?: boolean;
  /** Opens a port on which another process can read the truth. */
  sideChannel?: boolean;
  /** How many requests the truth remembers; all unless given. */
  keepRequests?: number;
  clock?: Clock;
}

/** How the next loads of a model go, where it is not as its time profile says. */
export interface LoadPlan {
  seconds?: number;
  failure?: LoadFailure;
  /** Share of the layers that goes to the GPU. */
  offload?: number;
}

/** A running simulated Ollama. */
export interface Sim {
  url: string;
  port: number;
  /** What really happened; for tests and benchmarks only. */
  truth: Truth;
  setScript(script: Script): void;
  /** Until called again; without a plan the model loads as usual. */
  setLoad(model: string, plan?: LoadPlan): void;
  /** From now on everything takes so much longer, as beside another program on the same GPU. */
  setSlowdown(factor: number): void;
  /** What goes wrong in the next pulls of a model, each once. */
  failPulls(model: string, faults: readonly PullFault[]): void;
  /** Ends and starts again at its address after `awayMs`, with nothing loaded; resolves when it listens. */
  restart(awayMs?: number, version?: string): Promise<void>;
  /** As `ollama rm`: a loaded runner of the model stays. */
  remove(model: string): void;
  /** Where the runner of a loaded model answers `GET /slots`, if `runnerStatus` is on. */
  runnerUrl(model: string): string | undefined;
  sideUrl: string | undefined;
  vram(): { totalBytes: number; freeBytes: number };
  /** A request reads, writes or waits for a slot. */
  isBusy(): boolean;
  close(): Promise<void>;
}

const GIB = 2 ** 30;
const DEFAULT_GPU: Gpu = { totalBytes: 24 * GIB, otherBytes: 1.2 * GIB };
const DEFAULT_MODELS: readonly SimModelOptions[] = [
  { name: 'qwen3.5:9b', family: 'qwen3.5' },
  { name: 'gemma4:8b', family: 'gemma4-small' },
  { name: 'llama3.1:8b', family: 'template-llama3.1' },
];
const VERSIONS: Record<Dialect, string> = { '0.33.2': '0.33.2', '0.40': '0.40.2' };
const FIVE_MINUTES = 300_000;

/** Starts a simulated Ollama on loopback. The caller closes it. */
export async function startSim(options: SimOptions = {}): Promise<Sim> {
  const { dialect = '0.40', speed = 1, clock = systemClock() } = options;
  const gpu = options.gpu === null ? undefined : (options.gpu ?? DEFAULT_GPU);
  const random = seededRandom(options.seed ?? 1);
  const truth = new Truth(clock, options.keepRequests);
  const vocabulary = new Vocabulary();
  const loads = new Map<string, LoadPlan>();
  const limits: SchedulerLimits = {
    parallel: options.numParallel ?? 1,
    maxLoaded: options.maxLoaded ?? 0,
    maxQueue: options.maxQueue ?? 512,
    keepAliveMs: options.keepAliveMs ?? FIVE_MINUTES,
  };
  let slowdown = 1;
  const timeOf = (model: SimModel) =>
    createTimeModel({ ...model.time, speed, slowdown: () => slowdown }, random);

  const withStatus = options.runnerStatus ?? false;
  const starter = new RunnerStarter({ clock, truth, vocabulary, timeOf, withStatus });
  const loadPlan = (model: SimModel) => {
    const { seconds, failure, offload } = loads.get(model.name) ?? {};
    return { ms: seconds === undefined ? timeOf(model).load() : seconds * 1000, failure, offload };
  };
  const startScheduler = () =>
    new Scheduler({
      clock,
      truth,
      limits,
      gpu,
      speed,
      loadPlan,
      startRunner: (model, launch, parallel) => starter.start(model, launch, parallel),
    });
  const store = new ModelStore(options.models ?? DEFAULT_MODELS, clock.now());
  const { pullable = DEFAULT_PULLABLE } = options;
  const registry = new Registry({ clock, store, speed, pullable });
  const engine: Engine = {
    dialect,
    version: options.version ?? VERSIONS[dialect],
    clock,
    truth,
    scheduler: startScheduler(),
    vocabulary,
    random,
    store,
    registry,
    recommendations: options.recommendations ?? null,
    defaultContext: automaticContext(gpu?.totalBytes ?? 0),
    refuseUnpaired: options.refuseUnpaired ?? false,
    takesSlot: everyNth(options.loseSlotEvery),
    script: holding(options.script ?? script([])),
    restart: (awayMs, version) => void restart(awayMs, version).catch((error: unknown) => truth.fail(error)),
  };
  const find = (name: string) => {
    const model = engine.store.find(name.includes(':') ? name : `${name}:latest`);
    if (model === undefined) throw new Error(`The simulator has no model ${name}.`);
    return model;
  };
  const server = createHttpServer(engine);
  const port = await listen(server, options.port ?? 0);
  let closed = false;
  const restart = async (awayMs = 0, version = engine.version) => {
    engine.scheduler.close();
    await closeServer(server);
    engine.scheduler = startScheduler();
    engine.version = version;
    await clock.sleep(awayMs);
    if (closed) return;
    await listen(server, port);
    truth.emit('restarted');
  };
  const side = options.sideChannel === true ? createSideChannel(truth) : undefined;
  const sideUrl = side && `http://127.0.0.1:${await listen(side, 0)}`;
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    truth,
    sideUrl,
    setScript: (next) => (engine.script = holding(next)),
    setLoad: (name, plan = {}) => void loads.set(find(name).name, plan),
    setSlowdown: (factor) => (slowdown = factor),
    failPulls: (name, faults) => registry.setFaults(name.includes(':') ? name : `${name}:latest`, faults),
    restart,
    remove: (name) => registry.remove(find(name)),
    runnerUrl: (name) => starter.statusUrl(find(name)),
    isBusy: () => engine.scheduler.loaded.some(({ users }) => users > 0),
    vram: () => ({
      totalBytes: gpu?.totalBytes ?? 0,
      freeBytes: gpu === undefined ? 0 : gpu.totalBytes - gpu.otherBytes - engine.scheduler.vramInUse,
    }),
    close: async () => {
      closed = true;
      engine.scheduler.close();
      await Promise.all([server, ...(side === undefined ? [] : [side])].map(closeServer));
    },
  };
}

function holding(current: Script): ScriptHolder {
  return { current, asked: { chat: 0, generate: 0 } };
}

/** True at every nth call; never without a number. */
function everyNth(nth: number | undefined): () => boolean {
  let calls = 0;
  return () => nth !== undefined && ++calls % nth === 0;
}
