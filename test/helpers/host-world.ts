/** The whole house in one process: engine room, agent host, windows, and behind them a real or a simulated engine. No mocks. */
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rgPath } from '@vscode/ripgrep';
import { createEngine, nodeFiles, nodeMachine, type Engine } from '../../src/engine/index.ts';
import { createHost, type Host, type HostDeps } from '../../src/host/index.ts';
import type { OpenDatabase } from '../../src/host/store/store.ts';
import type { RunnerFinder } from '../../src/engine/runner-status/find-runner.ts';
import { createOllamaApi } from '../../src/ollama/api.ts';
import { randomId, systemClock, type Clock } from '../../src/platform/clock.ts';
import { systemFiles } from '../../src/platform/files.ts';
import { silentLog } from '../../src/platform/log.ts';
import { systemProcesses } from '../../src/platform/processes.ts';
import type { Sandbox } from '../../src/platform/sandbox/sandbox.ts';
import type { BridgeMethods } from '../../src/protocol/bridge-methods.ts';
import type { EngineMethods } from '../../src/protocol/engine-methods.ts';
import type { HostMethods } from '../../src/protocol/host-methods.ts';
import type { SessionEvent } from '../../src/protocol/events.ts';
import type { EngineState, Item, ItemKind, ItemOf, SessionSnapshot, Turn } from '../../src/protocol/model.ts';
import { reduceSession } from '../../src/protocol/reducer.ts';
import { createRpcClient, type RpcClient } from '../../src/protocol/rpc-client.ts';
import { createTransportPair } from '../../src/protocol/transport.ts';
import { beginDatabase, fastFolder } from './fresh-database.ts';
import { knownAbilities } from './proven-models.ts';
import { startSim, type Sim, type SimOptions } from '../../src/sim/index.ts';

export { fastFolder };

const resourcesDir = fileURLToPath(new URL('../../resources', import.meta.url));

export interface HouseOptions {
  /** Of engine room and host. */
  clock?: Clock;
  /** Path → content in the workspace. */
  files?: Record<string, string>;
  /** Of the host; empty unless given. */
  env?: Record<string, string>;
  /** One that fails where it is told to. */
  openDatabase?: OpenDatabase;
  /** A simulator stands behind the address, so that nothing waits for figures of this machine's GPU. */
  simulated?: boolean;
  /** Nothing is taken for granted of its models: they are real ones, and were never asked before. */
  unproven?: boolean;
  /** Nobody but the engine, which says that it is simulated, tells what its models can do. */
  isDemo?: boolean;
  /** What its models can do, as far as this is not what every test takes for granted. */
  known?: NonNullable<HostDeps['knownAbilities']>;
  /** What commands are kept in; nothing unless given. */
  sandbox?: Sandbox;
  /** Stands for the internet. */
  webEdges?: HostDeps['webEdges'];
}

/** An engine room that looks only at `url` and keeps nothing. */
export function startEngine(
  url: string,
  simulated: boolean,
  clock: Clock = systemClock,
  findRunner?: RunnerFinder,
): Engine {
  return createEngine({
    ...(findRunner && { findRunner }),
    clock,
    log: silentLog,
    newId: randomId,
    ollama: createOllamaApi(clock),
    processes: {
      run: () => Promise.reject(new Error('not in this house')),
      launch: () => Promise.reject(new Error('not in this house')),
      startSampler: () => ({
        ask: () => undefined,
        onSample: () => undefined,
        onExit: () => undefined,
        kill: () => undefined,
      }),
    },
    files: nodeFiles,
    machine: nodeMachine,
    dataFile: null,
    simulated,
    url,
  });
}

/** What a host in `dir` is made of; tests replace parts of it. */
export function hostParts(dir: string): HostDeps {
  return {
    dataDir: join(dir, 'data'),
    resourcesDir,
    workspace: join(dir, 'workspace'),
    files: systemFiles,
    processes: systemProcesses,
    ripgrepPath: rgPath,
    platform: process.platform,
    clock: systemClock,
    newId: randomId,
    log: silentLog,
    onActivity: () => undefined,
    knownAbilities,
  };
}

async function startHost(house: Omit<HouseParts, 'host'>): Promise<Host> {
  const { dir, engine, clock, env, openDatabase, known, sandbox, webEdges } = house;
  const { knownAbilities: _, ...parts } = hostParts(dir);
  const host = await createHost({
    ...parts,
    ...(known && { knownAbilities: known }),
    ...(sandbox && { sandbox: Promise.resolve(sandbox) }),
    ...(webEdges && { webEdges }),
    nodePath: process.execPath,
    clock,
    env,
    ...(openDatabase && { openDatabase }),
  });
  const [hostEnd, engineEnd] = createTransportPair();
  engine.connect(engineEnd);
  host.connectEngine(hostEnd);
  return host;
}

interface HouseParts {
  dir: string;
  engine: Engine;
  host: Host;
  clock: Clock;
  env: Record<string, string>;
  openDatabase: OpenDatabase | undefined;
  known: HostDeps['knownAbilities'];
  sandbox: Sandbox | undefined;
  webEdges: HostDeps['webEdges'];
}

/** Engine room, agent host and windows on an engine at `url`, whatever stands behind it. */
export class House {
  readonly dir: string;
  readonly workspace: string;
  readonly engine: Engine;
  readonly #parts: HouseParts;
  host: Host;

  protected constructor(parts: HouseParts) {
    const { dir, engine, host } = parts;
    this.dir = dir;
    this.#parts = parts;
    this.workspace = join(dir, 'workspace');
    this.engine = engine;
    this.host = host;
  }

  static async open(url: string, options: HouseOptions = {}): Promise<House> {
    return new House(await House.parts(url, options.simulated ?? false, options));
  }

  protected static async parts(
    url: string,
    simulated: boolean,
    options: HouseOptions,
    findRunner?: RunnerFinder,
  ): Promise<HouseParts> {
    const { clock = systemClock, env = {}, openDatabase, unproven, isDemo, sandbox, webEdges } = options;
    const given = unproven ? (): undefined => undefined : (options.known ?? knownAbilities);
    const known = isDemo ? undefined : given;
    const dir = await mkdtemp(join(fastFolder(), 'andiron-house-'));
    const workspace = join(dir, 'workspace');
    await mkdir(workspace);
    for (const [path, content] of Object.entries(options.files ?? {})) {
      await mkdir(dirname(join(workspace, path)), { recursive: true });
      await writeFile(join(workspace, path), content);
    }
    // One that fails where it is told to counts what is written into a new one, too.
    if (openDatabase === undefined) beginDatabase(join(dir, 'data'));
    const engine = startEngine(url, simulated, clock, findRunner);
    const parts = { dir, engine, clock, env, openDatabase, known, sandbox, webEdges };
    return { ...parts, host: await startHost(parts) };
  }

  /** Resolves when the state of the engine room is so. */
  engineUntil(ready: (state: EngineState) => boolean): Promise<void> {
    return new Promise((resolve) => {
      const look = (): void => {
        if (!ready(this.engine.state())) return;
        stop();
        resolve();
      };
      const stop = this.engine.onChange(look);
      look();
    });
  }

  /** Nobody holds the GPU, waits for it or loads a model: a release is still on its way when a turn is closed. */
  rest(): Promise<void> {
    return this.engineUntil(
      ({ lease, waiting, loading }) => lease === null && waiting === 0 && loading === null,
    );
  }

  /** Ends the host as a closed app does, and starts it again on the same data. */
  async restartHost(changes: { sandbox?: Sandbox } = {}, meanwhile?: () => void): Promise<void> {
    await this.host.close();
    meanwhile?.();
    this.host = await startHost({ ...this.#parts, ...changes });
  }

  /** The same with another database in place of the one there; null = none. Returns where the one that was there lies. */
  async changeDatabase(next: string | null, meanwhile?: () => void): Promise<string> {
    await this.host.close();
    meanwhile?.();
    const database = join(this.dir, 'data', 'andiron.db');
    const before = `${database}.${randomId('')}`;
    await rename(database, before);
    if (next !== null) await rename(next, database);
    this.host = await startHost(this.#parts);
    return before;
  }

  openWindow(): Window {
    const [windowEnd, hostEnd] = createTransportPair();
    this.host.connectWindow(hostEnd);
    return new Window(createRpcClient<HostMethods>(windowEnd));
  }

  /** As a bridge of that platform speaks to the host. */
  openBridge(platform: string): RpcClient<BridgeMethods> {
    const [bridgeEnd, hostEnd] = createTransportPair();
    this.host.connectBridge(hostEnd, platform);
    return createRpcClient<BridgeMethods>(bridgeEnd);
  }

  /** As a window speaks to the engine room. */
  openEngineRoom(): RpcClient<EngineMethods> {
    const [windowEnd, engineEnd] = createTransportPair();
    this.engine.connect(engineEnd);
    return createRpcClient<EngineMethods>(windowEnd);
  }

  /** A new session, seen by a new window. */
  async openSession(profileId?: string): Promise<SessionView> {
    const window = this.openWindow();
    const { session } = await window.rpc.call('session/create', {
      ...(profileId !== undefined && { profileId }),
    });
    return window.follow(session.id);
  }

  async close(): Promise<void> {
    await this.host.close();
    await this.engine.stop();
    await rm(this.dir, { recursive: true, force: true });
  }
}

export interface WorldOptions extends HouseOptions {
  sim?: SimOptions;
}

/** The house on a simulated engine over real HTTP. */
export class World extends House {
  readonly sim: Sim;

  private constructor(parts: HouseParts, sim: Sim) {
    super(parts);
    this.sim = sim;
  }

  static async start(options: WorldOptions = {}): Promise<World> {
    const sim = await startSim({ speed: 100, ...options.sim });
    const quietMs = 1_250 / (options.sim?.speed ?? 100);
    const findRunner: RunnerFinder = async ({ model }) => {
      const url = sim.runnerUrl(model);
      return url === undefined ? null : { port: Number(new URL(url).port), pid: null, quietMs };
    };
    const isTold = options.sim?.runnerStatus ?? false;
    return new World(await House.parts(sim.url, true, options, isTold ? findRunner : undefined), sim);
  }

  override async close(): Promise<void> {
    await super.close();
    await this.sim.close();
  }
}

export class Window {
  readonly rpc: RpcClient<HostMethods>;

  constructor(rpc: RpcClient<HostMethods>) {
    this.rpc = rpc;
  }

  async follow(sessionId: string): Promise<SessionView> {
    return SessionView.open(this.rpc, sessionId);
  }
}

/** One session as a window holds it: snapshot, then events through the shared reducer. */
export class SessionView {
  readonly rpc: RpcClient<HostMethods>;
  readonly sessionId: string;
  readonly events: SessionEvent[] = [];
  state: SessionSnapshot;
  #seq: number;
  #waiting: { ready: (state: SessionSnapshot) => boolean; resolve: () => void }[] = [];

  private constructor(rpc: RpcClient<HostMethods>, state: SessionSnapshot, seq: number) {
    this.rpc = rpc;
    this.sessionId = state.session.id;
    this.state = state;
    this.#seq = seq;
  }

  static async open(rpc: RpcClient<HostMethods>, sessionId: string): Promise<SessionView> {
    const early: [string, number, unknown][] = [];
    let view: SessionView | undefined;
    rpc.onEvent((topic, seq, event) => {
      if (view) view.#apply(topic, seq, event);
      else early.push([topic, seq, event]);
    });
    const { snapshot, seq } = await rpc.call('session/subscribe', { sessionId });
    view = new SessionView(rpc, snapshot, seq);
    for (const each of early) view.#apply(...each);
    return view;
  }

  #apply(topic: string, seq: number, event: unknown): void {
    if (topic !== `session:${this.sessionId}` || seq <= this.#seq) return;
    if (seq !== this.#seq + 1) throw new Error(`A gap: ${this.#seq} then ${seq}`);
    this.#seq = seq;
    this.events.push(event as SessionEvent);
    this.state = reduceSession(this.state, event as SessionEvent);
    for (const each of this.#waiting.filter(({ ready }) => ready(this.state))) each.resolve();
    this.#waiting = this.#waiting.filter(({ ready }) => !ready(this.state));
  }

  /** Resolves when the state is so; never looks at a clock. */
  until(ready: (state: SessionSnapshot) => boolean): Promise<void> {
    if (ready(this.state)) return Promise.resolve();
    return new Promise((resolve) => this.#waiting.push({ ready, resolve }));
  }

  async send(text: string): Promise<string> {
    return (await this.rpc.call('turn/start', { sessionId: this.sessionId, text })).turnId;
  }

  turn(turnId: string): Turn | undefined {
    return this.state.turns.find((turn) => turn.id === turnId);
  }

  async closed(turnId: string): Promise<Turn> {
    await this.until(() => this.turn(turnId)?.closed ?? false);
    const turn = this.turn(turnId);
    if (!turn) throw new Error(`The turn ${turnId} is gone.`);
    return turn;
  }

  async ask(text: string): Promise<Turn> {
    return this.closed(await this.send(text));
  }

  items<K extends ItemKind>(kind: K): ItemOf<K>[] {
    return this.state.items.filter((item: Item): item is ItemOf<K> => item.kind === kind);
  }

  async answer(decision: 'allow' | 'deny', scope: 'once' | 'session' = 'once'): Promise<void> {
    const asking = (): string | undefined =>
      this.items('tool').find((item) => item.state === 'awaiting_approval' && item.decision === null)
        ?.approval?.id;
    await this.until(() => asking() !== undefined);
    await this.rpc.call('approval/answer', {
      sessionId: this.sessionId,
      approvalId: asking() ?? '',
      decision,
      scope,
    });
  }
}
