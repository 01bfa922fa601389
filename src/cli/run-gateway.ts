/** `andiron gateway`: the gateway's process, which has no rights of the owner's, for as long as this one runs. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { AndironError } from '../protocol/errors.ts';
import type { GatewayUse } from './run-cli.ts';

export interface GatewayProcess extends GatewayUse {
  /** Absolute path of the built gateway. */
  entry: string;
}

/** Resolves when it has ended because of the signal; rejects with AndironError where it ended by itself. */
export async function runGateway({
  dataDir,
  entry,
  port,
  onListening,
  signal,
}: GatewayProcess): Promise<void> {
  if (signal.aborted) return;
  const args = [entry, `--data-dir=${dataDir}`, `--port=${String(port)}`];
  const child = spawn(process.execPath, args, {
    // A Ctrl-C in the terminal reaches this process alone, which then ends it.
    detached: true,
    windowsHide: true,
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const stop = (): void => void child.kill();
  signal.addEventListener('abort', stop, { once: true });
  child.on('message', (message: { type?: unknown; port?: unknown }) => {
    if (message.type === 'listening') onListening(Number(message.port));
  });
  try {
    await once(child, 'exit');
  } finally {
    signal.removeEventListener('abort', stop);
  }
  if (signal.aborted) return;
  throw new AndironError(
    'internal',
    'The gateway has ended.',
    `Another program may use port ${String(port)}: choose one with --port.`,
  );
}
