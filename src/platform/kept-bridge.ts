/** Keeps one bridge alive while it is on: started again with a growing pause, given up with a reason, ended politely. */
import type { FromBridge, ToBridge } from './bridge-channel.ts';
import type { Clock, Timer } from './clock.ts';
import type { Log } from './log.ts';
import type { Pipe } from './pipe.ts';

/** A started bridge, whatever it runs in. `Port` is one end of a connection to the host. */
export interface BridgeProcess<Port = Pipe> {
  post(message: ToBridge): void;
  /** Hands it a connection to the host. */
  connect(port: Port): void;
  onMessage(listener: (message: FromBridge) => void): void;
  /** Called once, also when the process could not be started. */
  onExit(listener: (code: number | null) => void): void;
  kill(): void;
}

export type BridgeState =
  | { state: 'starting' | 'off' }
  | { state: 'listening'; at: string }
  /** Not started again until somebody turns it off and on. */
  | { state: 'failed'; message: string; advice: string };

export interface KeptBridgeOptions<Port> {
  name: string;
  settings: unknown;
  spawn: () => BridgeProcess<Port>;
  /** A new connection to the host, bound to this bridge's platform; null = no host is ready. */
  openHost: () => Port | null;
  clock: Pick<Clock, 'after' | 'monotonic'>;
  log: Log;
  onState: (state: BridgeState) => void;
}

const firstPauseMs = 1_000;
const maxPauseMs = 60_000;
/** Ends in a row, none of which came after it had worked this long. */
const maxEnds = 6;
const stableMs = 60_000;
const stopMs = 5_000;

export class KeptBridge<Port = Pipe> {
  readonly #options: KeptBridgeOptions<Port>;
  #process: BridgeProcess<Port> | undefined;
  #pause: Timer | undefined;
  #ends = 0;
  #startedAt = 0;
  #hasFailed = false;
  #stopped: PromiseWithResolvers<void> | undefined;

  constructor(options: KeptBridgeOptions<Port>) {
    this.#options = options;
  }

  start(): void {
    if (this.#process || this.#stopped) return;
    const { settings, spawn, clock, onState } = this.#options;
    onState({ state: 'starting' });
    this.#startedAt = clock.monotonic();
    const process = spawn();
    this.#process = process;
    process.onMessage((message) => this.#hear(message));
    process.onExit((code) => this.#afterExit(code));
    process.post({ type: 'init', settings });
    this.hostReady();
  }

  /** To be called for each host that becomes ready. */
  hostReady(): void {
    this.#connect();
  }

  /** False = no host is ready. */
  #connect(): boolean {
    const port = this.#process && this.#options.openHost();
    if (!port) return false;
    this.#process?.connect(port);
    return true;
  }

  /** Politely, then by force. Resolves when it is gone; never rejects. */
  stop(): Promise<void> {
    if (this.#stopped) return this.#stopped.promise;
    const stopped = Promise.withResolvers<void>();
    this.#stopped = stopped;
    this.#pause?.cancel();
    const process = this.#process;
    if (!process) {
      this.#leave();
      return stopped.promise;
    }
    process.post({ type: 'stop' });
    const kill = this.#options.clock.after(stopMs, () => process.kill());
    void stopped.promise.then(() => kill.cancel());
    return stopped.promise;
  }

  #hear(message: FromBridge): void {
    const { log, name, onState } = this.#options;
    switch (message.type) {
      case 'listening':
        onState({ state: 'listening', at: message.at });
        break;
      case 'failed':
        this.#fail(message.message, message.advice);
        this.#process?.kill();
        break;
      case 'want_host':
        if (!this.#connect()) this.#process?.post({ type: 'no_host' });
        break;
      case 'log':
        if (message.level === 'error') log.error(`bridge ${name}: ${message.text}`);
        else log.warn(`bridge ${name}: ${message.text}`);
        break;
    }
  }

  #afterExit(code: number | null): void {
    const { clock, log, name, onState } = this.#options;
    this.#process = undefined;
    if (this.#stopped) {
      this.#leave();
      return;
    }
    if (this.#hasFailed) return;
    const wasStable = clock.monotonic() - this.#startedAt >= stableMs;
    this.#ends = wasStable ? 1 : this.#ends + 1;
    log.warn(`the bridge ${name} ended`, { code, ends: this.#ends });
    if (this.#ends >= maxEnds) {
      this.#fail(
        `It ended ${String(maxEnds)} times in a row.`,
        'Turn it off and on again. The log says why it ended.',
      );
      return;
    }
    onState({ state: 'starting' });
    const pauseMs = Math.min(firstPauseMs * 2 ** (this.#ends - 1), maxPauseMs);
    this.#pause = clock.after(pauseMs, () => this.start());
  }

  #fail(message: string, advice: string): void {
    this.#hasFailed = true;
    this.#options.onState({ state: 'failed', message, advice });
  }

  #leave(): void {
    this.#options.onState({ state: 'off' });
    this.#stopped?.resolve();
  }
}
