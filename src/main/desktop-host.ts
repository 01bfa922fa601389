/** The agent host of the desktop app: kept alive, connected to engine and windows whenever it is ready, and listened to. */
import { MessageChannelMain, type MessagePortMain } from 'electron';
import type { Clock } from '../platform/clock.ts';
import { codeCacheVariables } from '../platform/code-cache.ts';
import type { HostInit } from '../platform/host-channel.ts';
import type { Keychain } from '../platform/keychain.ts';
import type { Log } from '../platform/log.ts';
import { createKeptBridges, type KeptBridges } from '../platform/kept-bridges.ts';
import { HostSupervisor, type HostStatus } from '../platform/supervision.ts';
import type { MainEngine } from './main-engine.ts';
import { linkPorts, type PortBroker } from './ports.ts';
import { watchSessions, type BusySession, type SessionWatch } from './session-watch.ts';
import { showFailure } from './show-failure.ts';
import { stopAllTurns } from './stop-turns.ts';
import { texts } from './texts.ts';
import { forkUtilityBridge, forkUtilityHost, type UtilityHost } from './utility.ts';
import { gatewayWay } from '../protocol/way-methods.ts';

export interface DesktopHostOptions {
  /** Absolute path of the built host. */
  entry: string;
  init: HostInit;
  /** Absolute paths of the built bridge and the built gateway. */
  bridgeEntries: { bridge: string; gateway: string };
  /** null = the system has none. */
  keychain: Keychain | null;
  engine: MainEngine;
  ports: PortBroker;
  clock: Clock;
  log: Log;
  /** The number of programs on its local socket changed. */
  onPrograms: (count: number) => void;
  /** It was lost before it ever was ready: nothing is left that could go on. */
  onCannotStart: (words: string) => void;
}

export class DesktopHost {
  readonly #options: DesktopHostOptions;
  readonly #supervisor: HostSupervisor<UtilityHost>;
  readonly #bridges: KeptBridges;
  readonly #changeListeners: (() => void)[] = [];
  readonly #turnListeners: (() => void)[] = [];
  #watch: SessionWatch | undefined;

  constructor(options: DesktopHostOptions) {
    const { entry, bridgeEntries, init, keychain, clock, log } = options;
    this.#options = options;
    this.#bridges = createKeptBridges<MessagePortMain>({
      spawn: (id) => forkUtilityBridge(id === gatewayWay ? bridgeEntries.gateway : bridgeEntries.bridge, log),
      openHost: (platform) => this.#openBridge(platform),
      clock,
      log,
      onState: (id, state) => this.#supervisor.host()?.post({ type: 'bridge', id, state }),
    });
    this.#supervisor = new HostSupervisor({
      spawn: () => forkUtilityHost(entry, log, init.env ?? {}, codeCacheVariables(init.dataDir)),
      init,
      keychain,
      clock,
      log,
      onReady: (host) => this.#connect(host),
      onGone: () => this.#disconnect(),
      onStatus: (status) => this.#report(status),
      onClients: (count) => options.onPrograms(count),
      onBridges: (wanted) => this.#bridges.want(wanted),
      onActivity: () => notify([...this.#changeListeners, ...this.#turnListeners]),
    });
  }

  start(): void {
    this.#supervisor.start();
  }

  /** Something of `busy` or `runningTurns` has changed, or the host is gone. */
  onChange(listener: () => void): void {
    this.#changeListeners.push(listener);
  }

  /** Only `runningTurns` has changed. Called after the listeners of `onChange`. */
  onTurns(listener: () => void): void {
    this.#turnListeners.push(listener);
  }

  runningTurns(): number {
    return this.#supervisor.runningTurns();
  }

  /** Those that ask first; none while there is no host. */
  busy(): BusySession[] {
    return this.#watch?.busy() ?? [];
  }

  /** null = the host knows no such session, or there is no host. */
  workspaceOf(sessionId: string): string | null {
    return this.#watch?.workspaceOf(sessionId) ?? null;
  }

  /** Does nothing while there is no host. Rejects when the host goes meanwhile. */
  async stopTurn(sessionId: string): Promise<void> {
    await this.#watch?.stop(sessionId);
  }

  /** Every turn of every session. Does nothing while there is no host. Rejects when the host goes meanwhile. */
  async stopAllTurns(): Promise<void> {
    const host = this.#supervisor.host();
    if (host) await stopAllTurns((port) => host.connect('window', port));
  }

  /** The machine goes to sleep, or is awake again. */
  postPower(type: 'suspend' | 'resume'): void {
    this.#supervisor.host()?.post({ type });
  }

  /** It was started for one command, and goes on for a person. */
  stays(): void {
    this.#supervisor.stays();
  }

  /** Starts a lost host again, if it did not refuse to start. */
  revive(): void {
    this.#supervisor.revive();
  }

  /** Politely, then by force; never rejects. The host is told before this returns. */
  async stop(): Promise<void> {
    await Promise.all([this.#bridges.stop(), this.#supervisor.stop()]);
  }

  /** The engine first, which a first host lets begin; then the windows that wait. */
  #connect(host: UtilityHost): void {
    const { engine, ports } = this.#options;
    const toEngine: Parameters<typeof linkPorts>[0] = (port) => engine.connect(port);
    if (!engine.hasBegun()) {
      engine.begin();
      ports.offer('engine', toEngine);
    }
    linkPorts(toEngine, (port) => host.connect('engine', port));
    this.#bridges.hostReady();
    ports.offer('host', (port) => host.connect('window', port));
    this.#watch = watchSessions(
      (port) => host.connect('window', port),
      () => notify(this.#changeListeners),
    );
  }

  /** null = no host is ready. */
  #openBridge(platform: string): MessagePortMain | null {
    const host = this.#supervisor.host();
    if (!host) return null;
    const { port1, port2 } = new MessageChannelMain();
    host.connect(`bridge:${platform}`, port1);
    return port2;
  }

  #disconnect(): void {
    this.#options.ports.withdraw('host');
    this.#watch = undefined;
    notify(this.#changeListeners);
  }

  #report(status: HostStatus): void {
    this.#options.log.info('agent host', { state: status.state });
    if (status.state !== 'lost') return;
    const words = `${status.message}\n${status.advice}`;
    if (this.#options.engine.hasBegun()) void showFailure(texts.hostLost, words);
    else this.#options.onCannotStart(words);
  }
}

function notify(listeners: readonly (() => void)[]): void {
  for (const listener of listeners) listener();
}
