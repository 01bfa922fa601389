/** The headless app: one agent host, one engine, one web server, started and stopped together. */
import { systemClock, type Clock } from '../platform/clock.ts';
import type { ForkedHost } from '../platform/fork-host.ts';
import { HostStartError, type HostInit } from '../platform/host-channel.ts';
import type { Log } from '../platform/log.ts';
import type { Pipe } from '../platform/pipe.ts';
import type { BridgeProcess } from '../platform/kept-bridge.ts';
import { createKeptBridges } from '../platform/kept-bridges.ts';
import { HostSupervisor } from '../platform/supervision.ts';
import { serveWeb } from './web.ts';
import { createWindowDesk } from './windows.ts';

/** What is used of the engine. */
interface ServerEngine {
  connect(pipe: Pipe): void;
  stop(): Promise<void>;
}

export interface ServerDeps {
  init: HostInit;
  /** 0 = any free port; null = no page is served. */
  port: number | null;
  rendererDir: string;
  spawnHost: () => ForkedHost;
  /** Called once the host holds the data folder: two engines must never write to one. */
  createEngine: () => ServerEngine;
  /** Of the way in with that id. */
  spawnBridge: (id: string) => BridgeProcess;
  random: () => string;
  clock?: Clock;
  log: Log;
  /** A page was let in; `address` is the one for another browser. */
  onSignIn: (address: string) => void;
  /** Every page was signed out; `address` lets one in again. */
  onSignOut: (address: string) => void;
  /** The host ran and will not come back by itself. */
  onHostLost: (message: string, advice: string) => void;
  /** The number of programs on the host's local socket changed. */
  onClients?: (count: number) => void;
}

export interface RunningServer {
  /** null = no page is served. */
  address(): string | null;
  /** Politely: sockets, host, engine. */
  close(): Promise<void>;
}

/** Resolves when pages are served. Rejects with HostStartError when the host cannot start. */
export async function startServer(deps: ServerDeps): Promise<RunningServer> {
  const { log, clock = systemClock } = deps;
  const firstReady = Promise.withResolvers<void>();
  let engine: ServerEngine | undefined;

  const supervisor = new HostSupervisor({
    spawn: deps.spawnHost,
    init: deps.init,
    clock,
    log,
    onReady(host) {
      engine ??= deps.createEngine();
      engine.connect(host.open('engine'));
      bridges.hostReady();
      desk.hostReady();
      firstReady.resolve();
    },
    // Its pipes are closed with it, and the windows behind them come back for a snapshot.
    onGone: () => undefined,
    onBridges: (wanted) => bridges.want(wanted),
    ...(deps.onClients && { onClients: deps.onClients }),
    onStatus(status) {
      log.info('agent host', { state: status.state });
      if (status.state !== 'lost') return;
      desk.hostLost(status.message);
      firstReady.reject(new HostStartError(status.message, status.advice));
      if (engine) deps.onHostLost(status.message, status.advice);
    },
  });
  const desk = createWindowDesk(supervisor);
  const bridges = createKeptBridges<Pipe>({
    spawn: deps.spawnBridge,
    openHost: (platform) => supervisor.host()?.open(`bridge:${platform}`) ?? null,
    clock,
    log,
    onState: (id, state) => supervisor.host()?.post({ type: 'bridge', id, state }),
  });

  const serve = async (port: number): ReturnType<typeof serveWeb> => {
    const web = await serveWeb({
      port,
      rendererDir: deps.rendererDir,
      random: deps.random,
      clock,
      onConnection: (name, pipe) => (name === 'host' ? desk.admit(pipe) : engine?.connect(pipe)),
      onSignIn: () => deps.onSignIn(web.address()),
      onSignOut: () => deps.onSignOut(web.address()),
    });
    return web;
  };

  supervisor.start();
  try {
    await firstReady.promise;
    const { port } = deps;
    const web = port === null ? null : await serve(port);
    return {
      address: () => web?.address() ?? null,
      async close() {
        await Promise.all([web?.close(), bridges.stop()]);
        await supervisor.stop();
        await engine?.stop();
      },
    };
  } catch (error) {
    await bridges.stop();
    await supervisor.stop();
    await engine?.stop();
    throw error;
  }
}
