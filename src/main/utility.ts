/**
 * Children of the desktop app. `process.execPath` is Electron there, and as Node it is fused off, so every child is a
 * utility process (design 12).
 */
import { utilityProcess, type MessagePortMain, type UtilityProcess } from 'electron';
import type { SimProcess } from '../platform/demo.ts';
import type { FromHost, HostConnection, ToHost } from '../platform/host-channel.ts';
import type { SupervisedProcess } from '../platform/supervision.ts';

export interface UtilityHost extends SupervisedProcess {
  /** Hands the host one end of a channel. */
  connect(name: HostConnection, port: MessagePortMain): void;
}

/** @param entry absolute path of the built host entry */
export function forkUtilityHost(entry: string): UtilityHost {
  const child = utilityProcess.fork(entry, [], { serviceName: 'Andiron agent host', stdio: 'inherit' });
  return {
    connect(name, port) {
      child.postMessage({ type: 'connect', name } satisfies ToHost, [port]);
    },
    post: (message) => child.postMessage(message, []),
    onMessage: (listener) => void child.on('message', (message: FromHost) => listener(message)),
    onExit: (listener) => void child.once('exit', listener),
    kill: () => void child.kill(),
  };
}

/** Starts the simulated engine with the demo's rules. It ends with the app. */
export function forkUtilitySim(entry: string): SimProcess {
  const child = utilityProcess.fork(entry, ['--demo'], {
    serviceName: 'Andiron simulated engine',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return { stdout: stdoutOf(child), onExit: (listener) => void child.once('exit', listener) };
}

/** Runs an entry to its end. Resolves with its stdout; rejects when it fails or takes longer than `timeoutMs`. */
export function runUtility(entry: string, timeoutMs: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = utilityProcess.fork(entry, [], { stdio: ['ignore', 'pipe', 'ignore'] });
    const parts: Buffer[] = [];
    const stdout = stdoutOf(child);
    stdout.on('data', (part: Buffer) => parts.push(part));
    const timer = setTimeout(() => {
      child.kill();
      reject(new Error(`${entry} took longer than ${String(timeoutMs)} ms.`));
    }, timeoutMs);
    child.once('exit', (code) => {
      clearTimeout(timer);
      if (code === 0) resolve(Buffer.concat(parts).toString());
      else reject(new Error(`${entry} ended with code ${String(code)}.`));
    });
  });
}

function stdoutOf(child: UtilityProcess): NodeJS.ReadableStream {
  if (!child.stdout) throw new Error('A utility process with piped stdout has none.');
  return child.stdout;
}
