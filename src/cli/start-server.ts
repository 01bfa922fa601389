/** The headless server as the host of one command: a Node process of its own, which ends once nobody uses it. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { handOn } from '../platform/clean-start.ts';
import { AndironError } from '../protocol/errors.ts';
import type { StartedHost } from './open-host.ts';

export interface ServerStart {
  dataDir: string;
  engineUrl: string | null;
  /** Absolute path of the built server. */
  serverEntry: string;
  /** The environment that the person gave, with what this process itself no longer has. */
  env: Record<string, string>;
}

/** A host stops its turns and its engine first. */
const endMs = 20_000;

export function startServer(given: ServerStart): StartedHost {
  const child = spawnServer(given);
  return { failure: watchFailure(child), leave: () => whenUnneeded(child) };
}

/** In a session of its own, so that a Ctrl-C in the terminal reaches the command line alone, which stops its turn first. */
function spawnServer({ dataDir, engineUrl, serverEntry, env: given }: ServerStart): ChildProcess {
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
