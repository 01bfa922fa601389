/** The agent host of a data folder: the one that runs, or one without a page that is started for as long as it is used. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { handOn } from '../platform/clean-start.ts';
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

export interface OpenHostOptions {
  dataDir: string;
  engineUrl: string | null;
  /** Absolute path of the built server. */
  serverEntry: string;
  /** The environment that the person gave, with what this process itself no longer has. */
  env: Record<string, string>;
  /** Called before one is started. */
  onStart: () => void;
  signal: AbortSignal;
}

/** Of a started host, until it listens. */
const startMs = 45_000;
/** Another Andiron holds the folder, and may just be starting. */
const otherMs = 10_000;
const retryMs = 50;
/** A host stops its turns and its engine first. */
const endMs = 20_000;

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
  options.onStart();
  const child = startServer(options);
  const failure = watchFailure(child);
  try {
    const rpc = await waitUntilReachable(options, failure);
    return {
      rpc,
      async close() {
        const ended = whenUnneeded(child);
        await hangUp(rpc);
        await ended;
      },
    };
  } catch (error) {
    await whenUnneeded(child);
    throw error;
  }
}

async function connect(dataDir: string): Promise<HostRpc | null> {
  const pipe = await connectLocally(dataDir, maxStreamBytes);
  return pipe && createRpcClient(pipe);
}

/** In a session of its own, so that a Ctrl-C in the terminal reaches the command line alone, which stops its turn first. */
function startServer({ dataDir, engineUrl, serverEntry, env: given }: OpenHostOptions): ChildProcess {
  const { env, handed } = handOn(given);
  const args = [serverEntry, '--no-page', `--data-dir=${dataDir}`];
  if (engineUrl !== null) args.push(`--engine-url=${engineUrl}`);
  const child = spawn(process.execPath, args, {
    detached: true,
    windowsHide: true,
    // It may outlive this process, so none of its output goes to this terminal.
    stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'ipc'],
    env,
  });
  const [, , , pipe] = child.stdio;
  if (pipe && 'end' in pipe) pipe.on('error', () => undefined).end(handed);
  child.on('error', () => undefined);
  return child;
}

/** Says why the started server will never listen; undefined = it still may. */
function watchFailure(child: ChildProcess): () => AndironError | undefined {
  let failure: AndironError | undefined;
  child.on('message', (message: { type?: unknown; message?: unknown; advice?: unknown }) => {
    if (message.type !== 'failed') return;
    failure = new AndironError('internal', String(message.message), String(message.advice));
  });
  child.on('exit', () => {
    failure ??= new AndironError(
      'internal',
      'Andiron ended while it started.',
      'The log in its data folder has the details.',
    );
  });
  return () => failure;
}

async function waitUntilReachable(
  { dataDir, signal }: OpenHostOptions,
  failure: () => AndironError | undefined,
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

/** Resolves when it has ended, or other programs use it. It ends without this process as well. */
async function whenUnneeded(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
  const late = AbortSignal.timeout(endMs);
  const ended = once(child, 'exit', { signal: late });
  const shared = new Promise<void>((resolve) => {
    child.on('message', (message: { type?: unknown; count?: unknown }) => {
      if (message.type === 'clients' && Number(message.count) > 0) resolve();
    });
  });
  if (child.connected) child.send('leave', () => undefined);
  await Promise.race([ended, shared]).catch(() => undefined);
  child.unref();
  if (child.connected) child.disconnect();
}
