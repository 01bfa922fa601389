/** A bridge as a child process of the headless server. */
import { fork } from 'node:child_process';
import type { FromBridge, ToBridge } from './bridge-channel.ts';
import type { BridgeProcess } from './kept-bridge.ts';
import { inheritedEnvironment } from './inherited-environment.ts';
import { joinPipes } from './pipe.ts';
import { createPortMux } from './port-mux.ts';

export interface ForkBridgeOptions {
  /** Absolute path of the built bridge. */
  entry: string;
  /** Absolute path of a folder; of all files it reads those beneath it, starts no program and writes nothing. */
  readable: string;
}

export function forkBridge({ entry, readable }: ForkBridgeOptions): BridgeProcess {
  const child = fork(entry, [], {
    env: inheritedEnvironment(process.env),
    execArgv: ['--permission', `--allow-fs-read=${readable}`],
    // It has a log of its own over the channel. What Node says when it ends it goes to our stderr.
    stdio: ['ignore', 'ignore', 2, 'ipc'],
  });
  const post = (message: unknown): void => {
    if (child.connected) child.send(message as object, () => undefined);
  };
  const mux = createPortMux(post);
  let hear: ((message: FromBridge) => void) | undefined;
  child.on('message', (message) => {
    if (!mux.receive(message)) hear?.(message as unknown as FromBridge);
  });
  let isGone = false;
  const goneListeners: ((code: number | null) => void)[] = [];
  const leave = (code: number | null): void => {
    if (isGone) return;
    isGone = true;
    mux.lost();
    for (const listener of goneListeners) listener(code);
  };
  child.on('exit', leave);
  child.on('error', () => {
    if (child.pid === undefined) leave(null);
  });
  return {
    post: (message: ToBridge) => post(message),
    connect: (pipe) => joinPipes(pipe, mux.open('host')),
    onMessage: (listener) => void (hear = listener),
    onExit: (listener) => void goneListeners.push(listener),
    kill: () => void child.kill('SIGKILL'),
  };
}
