/** The agent host as a child process of the headless server: one IPC channel, all connections multiplexed over it. */
import { fork } from 'node:child_process';
import type { FromHost, HostConnection, ToHost } from './host-channel.ts';
import { inheritedEnvironment } from './inherited-environment.ts';
import type { Log } from './log.ts';
import type { Pipe } from './pipe.ts';
import { createPortMux } from './port-mux.ts';
import type { SupervisedProcess } from './supervision.ts';

export interface ForkedHost extends SupervisedProcess {
  /** Opens a connection to the host. It closes when the host ends. */
  open(name: HostConnection): Pipe;
}

export interface ForkOptions {
  /**
   * Where it prints, the reason of a crash included. Our stderr, because our stdout carries the address for whoever
   * started the server.
   */
  output?: 2 | 'ignore';
  /** For this process alone, beside what it inherits. */
  env?: Record<string, string>;
}

/** @param entry absolute path of the built host entry */
export function forkHost(entry: string, log: Log, { output = 2, env = {} }: ForkOptions = {}): ForkedHost {
  const child = fork(entry, [], {
    env: { ...inheritedEnvironment(process.env), ...env },
    stdio: ['ignore', output, output, 'ipc'],
  });
  const lost = (error: Error): void =>
    log.warn('a message to the agent host was lost', { error: error.message });
  const post = (message: unknown): void => {
    if (!child.connected) return;
    try {
      child.send(message as object, (error) => {
        if (error) lost(error);
      });
    } catch (error) {
      // It cannot be written as JSON. Nothing that comes over the network may end this process.
      lost(error instanceof Error ? error : new Error(String(error)));
    }
  };
  const mux = createPortMux(post);
  child.on('exit', () => mux.lost());

  return {
    open: (name) => mux.open(name),
    post: (message: ToHost) => post(message),
    onMessage(listener) {
      child.on('message', (message) => {
        if (!mux.receive(message)) listener(message as unknown as FromHost);
      });
    },
    onExit(listener) {
      let isReported = false;
      const report = (code: number | null): void => {
        if (isReported) return;
        isReported = true;
        listener(code);
      };
      child.on('exit', report);
      // Without a process id it never started, and no exit will come.
      child.on('error', (error) => {
        log.error('the agent host', error);
        if (child.pid === undefined) report(null);
      });
    },
    kill: () => void child.kill('SIGKILL'),
  };
}
