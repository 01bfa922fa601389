/** The agent host of a data folder: the one that runs, or one without a page that is started for as long as it is used. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { connectLocally } from '../platform/local-socket.ts';
import { AndironError } from '../protocol/errors.ts';
import { maxStreamBytes } from '../protocol/limits.ts';
import { createRpcClient } from '../protocol/rpc-client.ts';
import type { HostRpc } from './host-rpc.ts';

export interface OpenHost {
  rpc: HostRpc;
  /** Hangs up. A host that was started here ends, unless other programs use it; resolves then. Never rejects. */
  close(): Promise<void>;
}

/** A host that was started for this command. */
export interface StartedHost {
  /** Why it will never listen; undefined = it still may. */
  failure: () => AndironError | undefined;
  /** Nobody here needs it any longer. Resolves when it has ended, or goes on for others or by itself. Never rejects. */
  leave: () => Promise<void>;
}

export interface OpenHostOptions {
  dataDir: string;
  /** The program that is Andiron here, without a window. */
  start: () => StartedHost;
  signal: AbortSignal;
}

/** Of a started host, until it listens. */
const startMs = 45_000;
/** Another Andiron holds the folder, and may just be starting. */
const otherMs = 10_000;
const retryMs = 50;

/** Resolves with the host that runs; null = none does, and none is started. */
export async function findHost(dataDir: string): Promise<OpenHost | null> {
  const rpc = await connect(dataDir);
  if (!rpc) return null;
  return {
    rpc,
    close() {
      rpc.close();
      return Promise.resolve();
    },
  };
}

/** Rejects with AndironError where none runs and none can be started, `cancelled` when the signal fires. */
export async function openHost(options: OpenHostOptions): Promise<OpenHost> {
  const running = await findHost(options.dataDir);
  if (running) return running;
  const started = options.start();
  try {
    const rpc = await waitUntilReachable(options, started.failure);
    return {
      rpc,
      async close() {
        const left = started.leave();
        await hangUp(rpc);
        await left;
      },
    };
  } catch (error) {
    await started.leave();
    throw error;
  }
}

async function connect(dataDir: string): Promise<HostRpc | null> {
  const pipe = await connectLocally(dataDir, maxStreamBytes);
  return pipe && createRpcClient(pipe);
}

async function waitUntilReachable(
  { dataDir, signal }: OpenHostOptions,
  failure: StartedHost['failure'],
): Promise<HostRpc> {
  const began = performance.now();
  for (;;) {
    if (signal.aborted) throw new AndironError('cancelled', 'Stopped before it began.');
    const rpc = await connect(dataDir);
    if (rpc) return rpc;
    const failed = failure();
    const waited = performance.now() - began;
    // The lock of the folder is another's: two command lines that start at once share the host of the first.
    const mayCome = failed === undefined || existsSync(join(dataDir, 'andiron.lock'));
    if (failed && (!mayCome || waited > otherMs)) throw failed;
    if (waited > startMs)
      throw new AndironError('internal', 'Andiron did not start in time.', 'The log has the details.');
    await wait(retryMs);
  }
}

async function hangUp(rpc: HostRpc): Promise<void> {
  const closed = new Promise<void>((resolve) => rpc.onClose(resolve));
  rpc.close();
  await closed;
}
