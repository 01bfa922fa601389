/**
 * Keeps the agent host alive: the same rules for Electron's utility process and for the forked one.
 * Ready, stalled, exit before ready, polite stop then kill, and at most three restarts in a minute.
 */
import type { Clock, Timer } from './clock.ts';
import { endLeftGroups } from './command-groups.ts';
import { Heartbeat, type HeartbeatLimits } from './heartbeat.ts';
import type { FromHost, HostInit, ToHost } from './host-channel.ts';
import { answerQuestion, type Keychain, type KeychainQuestion } from './keychain.ts';
import type { WantedBridge } from './kept-bridges.ts';
import type { Log } from './log.ts';

export interface SupervisionLimits extends HeartbeatLimits {
  /** From start to `ready`, or to the first word that it works on its data; then it is killed, which counts as a death. */
  readyMs: number;
  /** For work on the whole database, while nothing else is answered. */
  blockedMs: number;
  /** Deaths within `windowMs` that are answered by a restart. */
  restarts: number;
  windowMs: number;
  /** From the polite `stop` to the kill. */
  stopMs: number;
}

export const hostLimits: SupervisionLimits = {
  readyMs: 30_000,
  blockedMs: 15 * 60_000,
  pingMs: 5_000,
  stalledAfterPings: 3,
  killAfterPings: 12,
  restarts: 3,
  windowMs: 60_000,
  stopMs: 5_000,
};

/** True when one more death at `now` may be answered by a restart; `deaths` includes it. */
export function mayRestart(deaths: readonly number[], now: number, limits: SupervisionLimits): boolean {
  return deaths.filter((at) => now - at < limits.windowMs).length <= limits.restarts;
}

/** A started host, whatever it runs in. */
export interface SupervisedProcess {
  post(message: ToHost): void;
  onMessage(listener: (message: FromHost) => void): void;
  /** Called once, also when the process could not be started. */
  onExit(listener: (code: number | null) => void): void;
  /** At once, without asking. */
  kill(): void;
}

export type HostStatus =
  | { state: 'starting' | 'ready' | 'stalled' | 'stopping' | 'stopped' }
  /** Not restarted by itself any more. */
  | { state: 'lost'; message: string; advice: string };

export interface SupervisorOptions<P extends SupervisedProcess> {
  spawn: () => P;
  init: HostInit;
  /** What the host may ask; null = there is none. */
  keychain?: Keychain | null;
  clock: Clock;
  log: Log;
  limits?: SupervisionLimits;
  /** Ends the commands that a dead host left running. */
  sweep?: (dataDir: string) => void;
  /** Every time a host is ready: connect the engine first, then the windows that wait. */
  onReady: (host: P) => void;
  /** Every time a host that was started is gone: close what was connected to it. */
  onGone: () => void;
  onStatus: (status: HostStatus) => void;
  /** The number of running turns changed. */
  onActivity?: (runningTurns: number) => void;
  /** The number of programs on its local socket changed; a host that is gone has none. */
  onClients?: (count: number) => void;
  /** Which bridges are to run, at the start of a host and after each change. */
  onBridges?: (wanted: WantedBridge[]) => void;
}

/** One host at a time: `starting` to `ready`, with `stalled` in between, until it is gone and perhaps started again. */
export class HostSupervisor<P extends SupervisedProcess> {
  readonly #options: SupervisorOptions<P>;
  readonly #limits: SupervisionLimits;
  readonly #heartbeat: Heartbeat;
  #status: HostStatus = { state: 'stopped' };
  /** From its start to its end, ready or not. */
  #process: P | undefined;
  /** The kill that follows if the process is not ready in time, or does not stop. */
  #kill: Timer | undefined;
  #wasReady = false;
  /** It said that it cannot start; trying again would say the same. */
  #refused = false;
  #runningTurns = 0;
  #stays = false;
  #deaths: number[] = [];
  /** In a row, however long each took. */
  #failedStarts = 0;
  /** Once somebody has asked for the end, no host is started any more. */
  #end: PromiseWithResolvers<void> | undefined;

  constructor(options: SupervisorOptions<P>) {
    this.#options = options;
    this.#limits = options.limits ?? hostLimits;
    this.#heartbeat = new Heartbeat(this.#limits, options.clock);
  }

  start(): void {
    if (this.#process || this.#end) return;
    const { init, keychain, log } = this.#options;
    this.#become({ state: 'starting' });
    this.#refused = false;
    this.#wasReady = false;
    const process = this.#spawn();
    if (!process) {
      this.#afterExit(null);
      return;
    }
    this.#process = process;
    process.onMessage((message) => this.#hear(process, message));
    process.onExit((code) => this.#afterExit(code));
    process.post({ type: 'init', init: keychain ? { ...init, keychain: keychain.name } : init });
    if (this.#stays) process.post({ type: 'stay' });
    this.#killAfter(this.#limits.readyMs, () => {
      log.warn('the agent host did not become ready: killed');
      process.kill();
    });
  }

  /** The host while it is ready or stalled. */
  host(): P | undefined {
    const { state } = this.#status;
    return state === 'ready' || state === 'stalled' ? this.#process : undefined;
  }

  status(): HostStatus {
    return this.#status;
  }

  runningTurns(): number {
    return this.#runningTurns;
  }

  /** One that was started for one command goes on for a person, and so does each after it. */
  stays(): void {
    this.#stays = true;
    this.#process?.post({ type: 'stay' });
  }

  /** Starts a lost host again, if it did not refuse to start and the minute allows it. */
  revive(): void {
    if (this.#status.state !== 'lost' || this.#refused) return;
    if (!mayRestart(this.#deaths, this.#options.clock.now(), this.#limits)) return;
    this.#failedStarts = 0;
    this.start();
  }

  /** Politely, then by force. Resolves when it is gone; never rejects. */
  stop(): Promise<void> {
    if (this.#end) return this.#end.promise;
    this.#end = Promise.withResolvers();
    if (this.#process) {
      this.#become({ state: 'stopping' });
      this.#askToStop(this.#process);
    } else {
      this.#become({ state: 'stopped' });
      this.#end.resolve();
    }
    return this.#end.promise;
  }

  #hear(process: P, message: FromHost): void {
    switch (message.type) {
      case 'ready':
        this.#serve(process);
        break;
      case 'failed':
        this.#refused = true;
        this.#become({ state: 'lost', message: message.message, advice: message.advice });
        this.#askToStop(process);
        break;
      case 'pong':
        this.#heartbeat.answered();
        if (this.#status.state === 'stalled') this.#become({ state: 'ready' });
        break;
      case 'blocked':
        this.#block(process, message.isBlocked);
        break;
      case 'activity':
        this.#count(message.runningTurns);
        break;
      case 'bridges':
        this.#attempt('starting bridges', () => this.#options.onBridges?.(message.wanted));
        break;
      case 'clients':
        this.#reportClients(message.count);
        break;
      case 'keychain':
        void this.#answer(process, message);
        break;
    }
  }

  async #answer(process: P, question: KeychainQuestion): Promise<void> {
    const answer = await answerQuestion(this.#options.keychain ?? null, question);
    // The one that asked may be gone, and another in its place.
    if (this.#process === process) process.post(answer);
  }

  #serve(process: P): void {
    if (this.#status.state !== 'starting') return;
    this.#wasReady = true;
    this.#failedStarts = 0;
    this.#become({ state: 'ready' });
    this.#watch(process);
    this.#options.onReady(process);
  }

  /** A large database is checked, copied or compacted for minutes, and no ping is answered meanwhile. */
  #block(process: P, isBlocked: boolean): void {
    const { state } = this.#status;
    if (state !== 'starting' && this.host() !== process) return;
    if (!isBlocked && state !== 'starting') {
      this.#watch(process);
      return;
    }
    this.#heartbeat.stop();
    this.#killAfter(isBlocked ? this.#limits.blockedMs : this.#limits.readyMs, () => {
      this.#options.log.warn('the agent host does not get done with its data: killed');
      process.kill();
    });
  }

  #watch(process: P): void {
    this.#kill?.cancel();
    this.#heartbeat.start({
      sendPing: () => process.post({ type: 'ping' }),
      onStalled: () => this.#become({ state: 'stalled' }),
      onDead: () => {
        this.#options.log.warn('the agent host does not answer: killed');
        process.kill();
      },
    });
  }

  #askToStop(process: P): void {
    this.#attempt('asking the agent host to stop', () => process.post({ type: 'stop' }));
    this.#heartbeat.stop();
    this.#killAfter(this.#limits.stopMs, () => process.kill());
  }

  #afterExit(code: number | null): void {
    const before = this.#status.state;
    this.#heartbeat.stop();
    this.#kill?.cancel();
    this.#process = undefined;
    this.#count(0);
    this.#reportClients(0);
    this.#sweep();
    this.#attempt('what follows the end of the agent host', this.#options.onGone);
    if (this.#end) {
      this.#become({ state: 'stopped' });
      this.#end.resolve();
      return;
    }
    if (this.#refused) return;
    this.#options.log.warn('the agent host ended', { code, before });
    this.#restartOrGiveUp();
  }

  #restartOrGiveUp(): void {
    const now = this.#options.clock.now();
    this.#deaths = [...this.#deaths.filter((at) => now - at < this.#limits.windowMs), now];
    if (!this.#wasReady) this.#failedStarts += 1;
    const mayStart = this.#failedStarts <= this.#limits.restarts;
    if (mayStart && mayRestart(this.#deaths, now, this.#limits)) {
      this.start();
      return;
    }
    const ends = mayStart
      ? `ended ${String(this.#deaths.length)} times within a minute`
      : `did not start, ${String(this.#failedStarts)} times in a row`;
    this.#become({
      state: 'lost',
      message: `The agent host ${ends}.`,
      advice: 'Restart Andiron. The log says why it ended.',
    });
  }

  /** undefined = it could not even be started, which is a death like any other. */
  #spawn(): P | undefined {
    try {
      return this.#options.spawn();
    } catch (error) {
      this.#options.log.error('the agent host could not be started', error);
      return undefined;
    }
  }

  /** Only after one that was ready: another may never have had the data folder, and its commands are not ours to end. */
  #sweep(): void {
    if (!this.#wasReady) return;
    const { sweep = (dataDir: string) => void endLeftGroups(dataDir, true), init } = this.#options;
    this.#attempt('ending the commands of the agent host that ended', () => sweep(init.dataDir));
  }

  #become(next: HostStatus): void {
    if (next.state === this.#status.state && next.state !== 'lost') return;
    this.#status = next;
    this.#attempt('telling how the agent host is', () => this.#options.onStatus(next));
  }

  #reportClients(count: number): void {
    this.#attempt('telling how many programs are connected', () => this.#options.onClients?.(count));
  }

  #count(turns: number): void {
    if (turns === this.#runningTurns) return;
    this.#runningTurns = turns;
    this.#attempt('telling how many turns run', () => this.#options.onActivity?.(turns));
  }

  #killAfter(ms: number, run: () => void): void {
    this.#kill?.cancel();
    this.#kill = this.#options.clock.after(ms, run);
  }

  /** Whoever listens, or takes a message, must keep no host from being stopped or started again. */
  #attempt(what: string, run: () => void): void {
    try {
      run();
    } catch (error) {
      this.#options.log.error(`${what} failed`, error);
    }
  }
}
