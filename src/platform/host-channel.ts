/**
 * The contract between the agent host and whoever starts it: Electron's main (utility process, one MessagePort per
 * connection) or the headless server (forked process, all connections over its one IPC channel).
 */
import { systemClock, type Clock } from './clock.ts';
import {
  createDistantKeychain,
  type DistantKeychain,
  type Keychain,
  type KeychainAnswer,
  type KeychainName,
  type KeychainQuestion,
} from './keychain.ts';
import type { BridgeState } from './kept-bridge.ts';
import type { WantedBridge } from './kept-bridges.ts';
import { listenToParent, type ChildSide } from './parent-channel.ts';
import type { Pipe } from './pipe.ts';
import type { SearchPath } from './login-shell.ts';
import { describeFileFailure } from './start-failure.ts';

/** What the host is told once, before anything else. Absolute paths. */
export interface HostInit {
  dataDir: string;
  /** Workspace of new sessions that name none; null = nobody has chosen one, so they must name it. */
  workspace: string | null;
  /** The app's `resources` folder: built-in profiles, demo workspace. May lie inside an asar: read only. */
  resourcesDir: string;
  /**
   * The environment that the person gave Andiron: keys of hosts, and settings. It is told and not inherited, because any
   * process of the same user can read what a process was started with.
   */
  env?: Record<string, string>;
  /** How its PATH came about; undefined = it is as this process has it. */
  searchPath?: SearchPath;
  /** What the person's own new files do without; undefined = as this process has it. */
  umask?: number;
  /** It was started for one command, and ends with it. */
  isBrief?: boolean;
  /** The Node that it may run children in, by its path; undefined = it runs in none. */
  nodePath?: string;
  /** Which keychain the parent asks for the host; undefined = there is none. */
  keychain?: KeychainName;
}

/** `window`: the host serves it. `engine`: the host is the client. A bridge is named with its platform. */
export type HostConnection = 'window' | 'engine' | `bridge:${string}`;

const bridgePrefix = 'bridge:';

export type ToHost =
  | { type: 'init'; init: HostInit }
  /** Electron only: a port comes with it. */
  | { type: 'connect'; name: HostConnection }
  | { type: 'ping' }
  | { type: 'suspend' | 'resume' }
  /** It was started for one command, and goes on for a person. */
  | { type: 'stay' }
  /** Of a bridge that the host wanted. */
  | { type: 'bridge'; id: string; state: BridgeState }
  | KeychainAnswer
  | { type: 'stop' };

export type FromHost =
  | { type: 'ready' }
  /** Cannot start, and starting again would not help (data folder in use, broken store). */
  | { type: 'failed'; message: string; advice: string }
  | { type: 'pong' }
  /** From now on it works on all of its data, and answers nothing; false, or `ready` = that is over. */
  | { type: 'blocked'; isBlocked: boolean }
  | KeychainQuestion
  | { type: 'activity'; runningTurns: number }
  /** Bridges that are to run, with their secrets; none beside them. */
  | { type: 'bridges'; wanted: WantedBridge[] }
  /** Programs that are connected over the local socket. */
  | { type: 'clients'; count: number };

/** From the polite `stop` to the end without what it waits for. */
const stopLimitMs = 15_000;

const unknownAdvice = 'The log has the details.';

/** A start failure that a person can do something about. `advice`: what to do next. */
export class HostStartError extends Error {
  readonly advice: string;

  constructor(message: string, advice: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'HostStartError';
    this.advice = advice;
  }
}

export interface HostHandlers {
  /**
   * Resolves when windows can be served. A throw is told to the parent, which then ends this process.
   * @param keychain null = the parent has none
   */
  onInit(init: HostInit, keychain: Keychain | null): Promise<void>;
  /** Once per life of the host, after `onInit`, before the first window. */
  onEngine(pipe: Pipe): void;
  /** Any number, after `onInit`. */
  onWindow(pipe: Pipe): void;
  /** One for each bridge that runs, after `onInit`. */
  onBridge(pipe: Pipe, platform: string): void;
  onBridgeState(id: string, state: BridgeState): void;
  /** It is not brief any more. */
  onStay(): void;
  /** The machine goes to sleep, or woke up: streams that were cut by it are interruptions. */
  onPower(change: 'suspend' | 'resume'): void;
  /** Polite end, also when the parent died. The process exits when it settles: 0, or 1 if it failed or took too long. Called once. */
  onStop(): Promise<void>;
}

/** The host's side, in both clothes. Throws when there is no parent to talk to. */
export function acceptConnections(
  handlers: HostHandlers,
  side: ChildSide,
  clock: Pick<Clock, 'after'> = systemClock,
) {
  let initialised = false;
  let stopping = false;
  let distant: DistantKeychain | undefined;
  const waiting: (() => void)[] = [];

  const connect = (name: HostConnection, pipe: Pipe): void => {
    const deliver = (): void => {
      if (name === 'engine') handlers.onEngine(pipe);
      // A name that is none of these must not open what a window may do.
      else if (name === 'window') handlers.onWindow(pipe);
      else if (name.startsWith(bridgePrefix)) handlers.onBridge(pipe, name.slice(bridgePrefix.length));
      else pipe.close();
    };
    if (initialised) deliver();
    else waiting.push(deliver);
  };

  const start = async (init: HostInit): Promise<void> => {
    try {
      distant = init.keychain && createDistantKeychain(init.keychain, post);
      await handlers.onInit(init, distant?.keychain ?? null);
    } catch (error) {
      post({ type: 'failed', ...describe(error) });
      return;
    }
    initialised = true;
    for (const deliver of waiting.splice(0)) deliver();
    post({ type: 'ready' });
  };

  const stop = (): void => {
    if (stopping) return;
    stopping = true;
    // A parent kills sooner. One that died does not, and this process would keep the data folder.
    const limit = clock.after(stopLimitMs, () => side.exit(1));
    handlers
      .onStop()
      .finally(() => limit.cancel())
      .then(
        () => side.exit(0),
        () => side.exit(1),
      );
  };

  const obey = (message: ToHost): void => {
    switch (message.type) {
      case 'init':
        void start(message.init);
        break;
      case 'ping':
        post({ type: 'pong' });
        break;
      case 'suspend':
      case 'resume':
        handlers.onPower(message.type);
        break;
      case 'bridge':
        handlers.onBridgeState(message.id, message.state);
        break;
      case 'stay':
        if (initialised) handlers.onStay();
        else waiting.push(() => handlers.onStay());
        break;
      case 'stop':
        stop();
        break;
      case 'keychain':
        distant?.receive(message);
        break;
      case 'connect':
        // Carries a port, so only the utility process's listener can answer it.
        break;
    }
  };

  const post: (message: FromHost) => void = listenToParent<ToHost, HostConnection>(side, {
    obey,
    connect,
    orphaned: stop,
  });
  return {
    reportBlocked: (isBlocked: boolean): void => post({ type: 'blocked', isBlocked }),
    /** Closing the app asks only while turns run. */
    reportActivity: (runningTurns: number): void => post({ type: 'activity', runningTurns }),
    wantBridges: (wanted: WantedBridge[]): void => post({ type: 'bridges', wanted }),
    reportClients: (count: number): void => post({ type: 'clients', count }),
  };
}

/** This room knows no protocol: whoever throws what a person can act on has its advice in `advice`. */
function describe(error: unknown): { message: string; advice: string } {
  if (!(error instanceof Error)) return { message: String(error), advice: unknownAdvice };
  const advice = 'advice' in error && typeof error.advice === 'string' ? error.advice : '';
  if (advice === '') return describeFileFailure(error) ?? { message: error.message, advice: unknownAdvice };
  return { message: error.message, advice };
}
