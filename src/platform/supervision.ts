/**
 * Keeps the agent host alive: the same rules for Electron's utility process and for the forked one.
 * Ready, stalled, exit before ready, polite stop then kill, and at most three restarts in a minute.
 */
import type { Clock, Timer } from './clock.ts';
import { endLeftGroups } from './command-groups.ts';
import type { FromHost, HostInit, ToHost } from './host-channel.ts';
import type { Log } from './log.ts';

export interface SupervisionLimits {
  /** From start to `ready`; then it is killed, which counts as a death. */
  readyMs: number;
  /** Between pings. Silence is counted in pings, not in time, so a machine that slept accuses nobody. */
  pingMs: number;
  stalledAfterPings: number;
  killAfterPings: number;
  /** Deaths within `windowMs` that are answered by a restart. */
  restarts: number;
  windowMs: number;
  /** From the polite `stop` to the kill. */
  stopMs: number;
}

export const hostLimits: SupervisionLimits = {
  readyMs: 30_000,
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
}

export interface Supervisor<P extends SupervisedProcess> {
  start(): void;
  /** The host while it is ready or stalled. */
  host(): P | undefined;
  status(): HostStatus;
  runningTurns(): number;
  /** Starts a lost host again, if it did not refuse to start and the minute allows it. */
  revive(): void;
  /** Politely, then by force. Resolves when it is gone; never rejects. */
  stop(): Promise<void>;
}

export function superviseHost<P extends SupervisedProcess>(options: SupervisorOptions<P>): Supervisor<P> {
  const { spawn, init, clock, log, limits = hostLimits, onReady, onGone, onStatus, onActivity } = options;
  const { sweep = (dataDir: string) => void endLeftGroups(dataDir, true) } = options;
  let current: P | undefined;
  let status: HostStatus = { state: 'stopped' };
  let deaths: number[] = [];
  let runningTurns = 0;
  let unanswered = 0;
  let timer: Timer | undefined;
  /** It said that it cannot start; trying again would say the same. */
  let refused = false;
  let wasReady = false;
  let stopped: PromiseWithResolvers<void> | undefined;

  /** Whoever listens, or takes a message, must keep no host from being stopped or started again. */
  const attempt = (what: string, run: () => void): void => {
    try {
      run();
    } catch (error) {
      log.error(`${what} failed`, error);
    }
  };

  const become = (next: HostStatus): void => {
    if (next.state === status.state && next.state !== 'lost') return;
    status = next;
    attempt('telling how the agent host is', () => onStatus(next));
  };

  const count = (turns: number): void => {
    if (turns === runningTurns) return;
    runningTurns = turns;
    attempt('telling how many turns run', () => onActivity?.(turns));
  };

  const askToStop = (host: P): void => {
    attempt('asking the agent host to stop', () => host.post({ type: 'stop' }));
    rearm(limits.stopMs, () => host.kill());
  };

  const rearm = (ms: number, run: () => void): void => {
    timer?.cancel();
    timer = clock.after(ms, run);
  };

  const ping = (host: P): void => {
    rearm(limits.pingMs, () => {
      if (unanswered >= limits.killAfterPings) {
        log.warn('the agent host does not answer: killed');
        host.kill();
        return;
      }
      if (unanswered >= limits.stalledAfterPings) become({ state: 'stalled' });
      unanswered++;
      host.post({ type: 'ping' });
      ping(host);
    });
  };

  const hear = (host: P, message: FromHost): void => {
    switch (message.type) {
      case 'ready':
        if (status.state !== 'starting') return;
        wasReady = true;
        become({ state: 'ready' });
        ping(host);
        onReady(host);
        break;
      case 'failed':
        refused = true;
        become({ state: 'lost', message: message.message, advice: message.advice });
        askToStop(host);
        break;
      case 'pong':
        unanswered = 0;
        if (status.state === 'stalled') become({ state: 'ready' });
        break;
      case 'activity':
        count(message.runningTurns);
        break;
    }
  };

  /** undefined = it could not even be started, which is a death like any other. */
  const spawned = (): P | undefined => {
    try {
      return spawn();
    } catch (error) {
      log.error('the agent host could not be started', error);
      return undefined;
    }
  };

  const start = (): void => {
    if (current || stopped) return;
    become({ state: 'starting' });
    unanswered = 0;
    refused = false;
    wasReady = false;
    const host = spawned();
    if (!host) {
      gone(null);
      return;
    }
    current = host;
    host.onMessage((message) => hear(host, message));
    host.onExit((code) => gone(code));
    host.post({ type: 'init', init });
    rearm(limits.readyMs, () => {
      log.warn('the agent host did not become ready: killed');
      host.kill();
    });
  };

  /** Only after one that was ready: another may never have had the data folder, and its commands are not ours to end. */
  const sweepUp = (): void => {
    if (!wasReady) return;
    attempt('ending the commands of the agent host that ended', () => sweep(init.dataDir));
  };

  const gone = (code: number | null): void => {
    const before = status.state;
    timer?.cancel();
    current = undefined;
    count(0);
    sweepUp();
    attempt('what follows the end of the agent host', onGone);
    if (stopped) {
      become({ state: 'stopped' });
      stopped.resolve();
      return;
    }
    if (refused) return;
    log.warn('the agent host ended', { code, before });
    const now = clock.now();
    deaths = [...deaths.filter((at) => now - at < limits.windowMs), now];
    if (mayRestart(deaths, now, limits)) {
      start();
      return;
    }
    become({
      state: 'lost',
      message: `The agent host ended ${String(deaths.length)} times within a minute.`,
      advice: 'Restart Andiron. The log says why it ended.',
    });
  };

  return {
    start,
    host: () => (status.state === 'ready' || status.state === 'stalled' ? current : undefined),
    status: () => status,
    runningTurns: () => runningTurns,
    revive() {
      if (status.state === 'lost' && !refused && mayRestart(deaths, clock.now(), limits)) start();
    },
    stop() {
      if (stopped) return stopped.promise;
      stopped = Promise.withResolvers();
      const host = current;
      if (host) {
        become({ state: 'stopping' });
        askToStop(host);
      } else {
        become({ state: 'stopped' });
        stopped.resolve();
      }
      return stopped.promise;
    },
  };
}
