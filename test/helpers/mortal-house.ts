/**
 * The house with a host that can die as by kill -9: at a chosen write or at once, nothing of it is heard, written or
 * started any more, and a new one is born on its data. Its children live on, as they do in truth.
 */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import type { Engine } from '../../src/engine/index.ts';
import { createHost, type Host, type HostDeps } from '../../src/host/index.ts';
import type { Database } from '../../src/host/store/sqlite.ts';
import type { Clock } from '../../src/platform/clock.ts';
import type { FolderWatch } from '../../src/platform/watch-folder.ts';
import { createRpcClient } from '../../src/protocol/rpc-client.ts';
import type { HostMethods } from '../../src/protocol/host-methods.ts';
import { createTransportPair, type Transport } from '../../src/protocol/transport.ts';
import { startSim, type Sim, type SimOptions } from '../../src/sim/index.ts';
import { guardDatabase, guardFiles, guardProcesses, startProxy, type Proxy } from './fault-seams.ts';
import { fastFolder, hostParts, startEngine, Window } from './host-world.ts';

/** Before each step of these edges; what it throws is how the step fails. */
export interface Faults {
  write?: (what: string) => void;
  /** Gets each database as it is opened. */
  opened?: (database: Database) => void;
  file?: (what: string) => void;
  spawn?: () => void;
  /** A piece of an answer of the engine's. */
  chunk?: () => void;
}

export interface MortalHouseOptions {
  sim?: SimOptions;
  files?: Record<string, string>;
  faults?: Faults;
}

/** Thrown to code that still runs although its process is gone. */
export class Dead extends Error {
  constructor() {
    super('This process is dead.');
    this.name = 'Dead';
  }
}

/** One process of the agent host. */
class Life {
  alive = true;
  /** It dies in place of the write after these. */
  writesLeft = Infinity;
  host: Host | undefined;
  readonly died = Promise.withResolvers<void>();
  readonly #ends: Transport[] = [];
  readonly #watches: FolderWatch[] = [];
  /** Its way to the model: gone with it, also for code that still runs. */
  #proxy: Proxy | undefined;

  async begin(dir: string, engine: Engine, engineUrl: string, faults: Faults): Promise<void> {
    // What it still waits for when it dies never comes.
    const dead = this.died.promise.then(() => null);
    const host = await Promise.race([createHost(this.#parts(hostParts(dir), faults)), dead]);
    if (host === null || !this.alive) throw new Dead();
    this.host = host;
    this.#proxy = await startProxy(engineUrl);
    const [hostEnd, engineEnd] = createTransportPair();
    engine.connect(engineEnd);
    host.connectEngine(leasesThrough(this.#proxy.url, this.#mortal(hostEnd)));
  }

  openWindow(): Window {
    const [windowEnd, hostEnd] = createTransportPair();
    this.host?.connectWindow(this.#mortal(hostEnd));
    return new Window(createRpcClient<HostMethods>(windowEnd));
  }

  /** The other end of a bridge's connection; closed where this process is dead. */
  openBridge(platform: string): Transport {
    const [bridgeEnd, hostEnd] = createTransportPair();
    if (this.alive && this.host) this.host.connectBridge(this.#mortal(hostEnd), platform);
    else hostEnd.close();
    return bridgeEnd;
  }

  /** An end that this process holds: what was sent before its death is on its way, what is sent after goes nowhere. */
  #mortal(end: Transport): Transport {
    this.#ends.push(end);
    return {
      send: (frame) => {
        // The ends close one after the other, and who hears of the first would still reach the last.
        if (this.alive) end.send(frame);
      },
      onFrame: (listener) => end.onFrame(listener),
      onClose: (listener) => end.onClose(listener),
      close: () => end.close(),
    };
  }

  die(): void {
    if (!this.alive) return;
    this.alive = false;
    for (const end of this.#ends) end.close();
    for (const watch of this.#watches) watch.close();
    void this.#proxy?.close();
    this.died.resolve();
  }

  #parts(parts: HostDeps, faults: Faults): HostDeps {
    const mustLive = (): void => {
      if (!this.alive) throw new Dead();
    };
    /** A dead process makes no calls, so nobody waits for their end either. */
    const liveOnly = async (): Promise<void> => {
      if (!this.alive) await new Promise(() => undefined);
    };
    const open = guardDatabase((what) => {
      if (this.writesLeft === 0) this.die();
      mustLive();
      this.writesLeft -= 1;
      faults.write?.(what);
    });
    const files = guardFiles(parts.files, async (what) => {
      await liveOnly();
      faults.file?.(what);
    });
    return {
      ...parts,
      clock: mortalClock(parts.clock, this),
      openDatabase: (path) => {
        const database = open(path);
        faults.opened?.(database);
        void this.died.promise.then(() => database.close());
        return database;
      },
      files: {
        ...files,
        watch: (path, onChange, onError) => {
          const watch = files.watch(path, onChange, onError);
          this.#watches.push(watch);
          return watch;
        },
      },
      processes: guardProcesses(parts.processes, async () => {
        await liveOnly();
        faults.spawn?.();
      }),
    };
  }
}

/** What a lease says of the engine's address is replaced. */
function leasesThrough(url: string, transport: Transport): Transport {
  return {
    send: (frame) => transport.send(frame),
    onFrame: (listener) =>
      transport.onFrame((frame) => {
        const granted = grantSchema.safeParse(frame);
        listener(granted.success ? { ...granted.data, result: { ...granted.data.result, url } } : frame);
      }),
    onClose: (listener) => transport.onClose(listener),
    close: () => transport.close(),
  };
}

const grantSchema = z.looseObject({ result: z.looseObject({ leaseId: z.string(), url: z.string() }) });

function mortalClock(clock: Clock, life: Life): Clock {
  return {
    now: () => clock.now(),
    monotonic: () => clock.monotonic(),
    after: (ms, run) =>
      clock.after(ms, () => {
        if (life.alive) run();
      }),
  };
}

export class MortalHouse {
  readonly dir: string;
  readonly sim: Sim;
  readonly engine: Engine;
  readonly #proxy: Proxy;
  readonly #faults: Faults;
  #life = new Life();

  private constructor(dir: string, sim: Sim, engine: Engine, proxy: Proxy, faults: Faults) {
    this.dir = dir;
    this.sim = sim;
    this.engine = engine;
    this.#proxy = proxy;
    this.#faults = faults;
  }

  /** Without a host yet: `birth` may fail. */
  static async build({ sim: simOptions, files = {}, faults = {} }: MortalHouseOptions): Promise<MortalHouse> {
    const dir = await mkdtemp(join(fastFolder(), 'andiron-mortal-'));
    await mkdir(join(dir, 'workspace'));
    for (const [path, content] of Object.entries(files)) {
      await mkdir(dirname(join(dir, 'workspace', path)), { recursive: true });
      await writeFile(join(dir, 'workspace', path), content);
    }
    const sim = await startSim({ speed: 1000, ...simOptions });
    const proxy = await startProxy(sim.url, () => faults.chunk?.());
    return new MortalHouse(dir, sim, startEngine(proxy.url, true), proxy, faults);
  }

  static async start(options: MortalHouseOptions): Promise<MortalHouse> {
    const house = await MortalHouse.build(options);
    try {
      await house.birth();
      return house;
    } catch (error) {
      await house.close();
      throw error;
    }
  }

  get workspace(): string {
    return join(this.dir, 'workspace');
  }

  /** A new process on the data of the one before. It may be told to die while it starts: then throws Dead. */
  async birth(writesLeft = Infinity): Promise<void> {
    const life = new Life();
    life.writesLeft = writesLeft;
    this.#life = life;
    try {
      await life.begin(this.dir, this.engine, this.#proxy.url, this.#faults);
    } catch (error) {
      const dead = !life.alive;
      life.die();
      throw dead ? new Dead() : error;
    }
    life.writesLeft = Infinity;
  }

  get alive(): boolean {
    return this.#life.alive;
  }

  /** Resolves when the host that lives now has died. */
  get died(): Promise<void> {
    return this.#life.died.promise;
  }

  /** The host dies in place of the write after `writes` more. */
  doom(writes: number): void {
    this.#life.writesLeft = writes;
  }

  kill(): void {
    this.#life.die();
  }

  /** As a closed app does. */
  async end(): Promise<void> {
    await this.#life.host?.close();
    this.#life.die();
  }

  openWindow(): Window {
    return this.#life.openWindow();
  }

  openBridge(platform: string): Transport {
    return this.#life.openBridge(platform);
  }

  async close(): Promise<void> {
    if (this.#life.alive) await this.end();
    await this.engine.stop();
    await this.#proxy.close();
    await this.sim.close();
    await rm(this.dir, { recursive: true, force: true });
  }
}
