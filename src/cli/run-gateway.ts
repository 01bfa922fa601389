/** `andiron gateway`: the gateway's process, which has no rights of the owner's, for as long as this one runs. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Clock, Timer } from '../platform/clock.ts';
import { AndironError } from '../protocol/errors.ts';
import type { GatewayUse } from './run-cli.ts';

export interface GatewayProcess extends GatewayUse {
  /** Absolute path of the built gateway. */
  entry: string;
  clock: Pick<Clock, 'after'>;
}

/** It closes its connections first, which stops what programs wait for. */
const endMs = 5_000;

/** Resolves when it has ended because of the signal; rejects with AndironError where it ended by itself. */
export async function runGateway({
  dataDir,
  entry,
  port,
  onListening,
  signal,
  clock,
}: GatewayProcess): Promise<void> {
  if (signal.aborted) return;
  const args = [entry, `--data-dir=${dataDir}`, `--port=${String(port)}`];
  const child = spawn(process.execPath, args, {
    // A Ctrl-C in the terminal reaches this process alone, which then ends it.
    detached: true,
    windowsHide: true,
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  let late: Timer | undefined;
  const stop = (): void => {
    // A signal would end it at once on Windows, with its turns still running.
    if (child.connected) child.disconnect();
    late = clock.after(endMs, () => child.kill('SIGKILL'));
  };
  signal.addEventListener('abort', stop, { once: true });
  child.on('message', (message: { type?: unknown; port?: unknown }) => {
    if (message.type === 'listening') onListening(Number(message.port));
  });
  try {
    await once(child, 'exit');
  } finally {
    late?.cancel();
    signal.removeEventListener('abort', stop);
  }
  if (signal.aborted) return;
  throw new AndironError(
    'internal',
    'The gateway has ended.',
    `Another program may use port ${String(port)}: choose one with --port.`,
  );
}
