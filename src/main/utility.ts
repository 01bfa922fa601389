/**
 * Children of the desktop app. `process.execPath` is Electron there, and as Node it is fused off, so every child is a
 * utility process.
 */
import { utilityProcess, type ForkOptions, type MessagePortMain, type UtilityProcess } from 'electron';
import { withoutAppDir } from '../platform/app-dir.ts';
import type { SamplerProcess } from '../engine/index.ts';
import type { SimProcess } from '../platform/demo.ts';
import type { FromBridge, ToBridge } from '../platform/bridge-channel.ts';
import type { BridgeProcess } from '../platform/kept-bridge.ts';
import type { FromHost, HostConnection, ToHost } from '../platform/host-channel.ts';
import { inheritedEnvironment } from '../platform/inherited-environment.ts';
import type { Log } from '../platform/log.ts';
import type { SupervisedProcess } from '../platform/supervision.ts';

export interface UtilityHost extends SupervisedProcess {
  /** Hands the host one end of a channel. */
  connect(name: HostConnection, port: MessagePortMain): void;
}

/**
 * @param entry absolute path of the built host entry
 * @param given the environment of the person, of which it inherits what programs need
 * @param more for this process alone, beside what it inherits
 */
export function forkUtilityHost(
  entry: string,
  log: Log,
  given: Readonly<Record<string, string>>,
  more: Record<string, string> = {},
): UtilityHost {
  const env = { ...inheritedEnvironment(given), ...more };
  const child = fork(entry, [], { env, serviceName: 'Andiron agent host', stdio: 'inherit' }, log);
  return {
    connect(name, port) {
      child.postMessage({ type: 'connect', name } satisfies ToHost, [port]);
    },
    post: (message) => child.postMessage(message, []),
    onMessage: (listener) => void child.on('message', (message: FromHost) => listener(message)),
    onExit: (listener) => void child.once('exit', listener),
    kill() {
      if (child.kill()) return;
      // It has no process: not yet, maybe never, and then nobody else tells its end. One that comes up after all must
      // not take the data folder from the one that is started in its place.
      child.once('spawn', () => child.kill());
      child.emit('exit', null);
    },
  };
}

/** Starts a bridge, which is told its settings and inherits none. */
export function forkUtilityBridge(entry: string, log: Log): BridgeProcess<MessagePortMain> {
  const env = inheritedEnvironment(withoutAppDir(process.env));
  const child = fork(entry, [], { env, serviceName: 'Andiron bridge', stdio: 'ignore' }, log);
  return {
    post: (message) => child.postMessage(message),
    connect(port) {
      child.postMessage({ type: 'connect', name: 'host' } satisfies ToBridge, [port]);
    },
    onMessage: (listener) => void child.on('message', (message: FromBridge) => listener(message)),
    onExit: (listener) => void child.once('exit', listener),
    kill: () => void child.kill(),
  };
}

/** Starts the simulated engine with the demo's rules. It ends with the app. */
export function forkUtilitySim(entry: string, log: Log): SimProcess {
  const serviceName = 'Andiron simulated engine';
  const child = fork(entry, ['--demo'], { serviceName, stdio: ['ignore', 'pipe', 'inherit'] }, log);
  return { stdout: stdoutOf(child), onExit: (listener) => void child.once('exit', listener) };
}

/** Starts the process that reads the machine; it answers each message with one sample. */
export function startUtilitySampler(entry: string, log: Log): SamplerProcess {
  const child = fork(entry, [], { serviceName: 'Andiron system readings', stdio: 'ignore' }, log);
  return {
    ask: () => child.postMessage('sample'),
    onSample: (listener) => void child.on('message', listener),
    onExit: (listener) => void child.once('exit', () => listener()),
    kill: () => void child.kill(),
  };
}

function fork(entry: string, args: string[], options: ForkOptions, log: Log): UtilityProcess {
  const child = utilityProcess.fork(entry, args, { env: withoutAppDir(process.env), ...options });
  // Out of memory, say. Unheard it would be thrown here; the exit that follows is what is acted on.
  child.on('error', (type, location) => log.error(`${type} in ${entry}`, location));
  return child;
}

function stdoutOf(child: UtilityProcess): NodeJS.ReadableStream {
  if (!child.stdout) throw new Error('A utility process with piped stdout has none.');
  return child.stdout;
}
