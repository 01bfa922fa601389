/** The built headless server as a child process, as a person would start it. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { WebSocket } from 'ws';
import type { SignInFrame } from '../../src/protocol/frames.ts';
import { fastFolder } from './fresh-database.ts';
import { proveModels } from './proven-models.ts';

export const projectRoot = fileURLToPath(new URL('../../', import.meta.url));

export interface ServerProcess {
  pid: number;
  /** `http://127.0.0.1:PORT`. */
  origin: string;
  /** The address with the token that is good now; a browser that signs in spends it. */
  address: () => string;
  /** Resolves with the exit code; `null` after a signal. */
  exited: Promise<number | null>;
  /** What it wrote to stderr so far: its own lines and those of the agent host. */
  stderr: () => string;
  /** Politely, as Ctrl-C does. */
  stop: () => Promise<number | null>;
}

/**
 * @param root folder that has `out/`; elsewhere than here when a package is tried
 * @param changes of the environment, for programs that are or are not to be found
 */
export async function startServerProcess(
  args: readonly string[],
  root = projectRoot,
  changes: NodeJS.ProcessEnv = {},
): Promise<ServerProcess> {
  const entry = join(root, 'out', 'main', 'server.js');
  if (!existsSync(entry)) throw new Error(`${entry} is missing: run npm run build first.`);
  await proveModels(args);
  // An Ollama of this machine is none of a test's business.
  const { OLLAMA_HOST: _, ...inherited } = process.env;
  // Scripted models answer whatever they are asked, so a test that wants titles says so.
  const env = { ...inherited, ANDIRON_TITLES: 'off', ...changes };
  const child = spawn(process.execPath, [entry, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env,
    cwd: root,
  });
  let stderr = '';
  child.stderr.on('data', (part: Buffer) => {
    stderr += part.toString();
  });
  const exited = new Promise<number | null>((resolve) => child.on('exit', resolve));
  let address = '';
  await new Promise<void>((resolve, reject) => {
    createInterface({ input: child.stdout }).on('line', (line) => {
      address = /http:\/\/127\.0\.0\.1:\d+\/#token=\S+/.exec(line)?.[0] ?? address;
      if (address) resolve();
    });
    void exited.then((code) => reject(new Error(`The server ended with code ${String(code)}.\n${stderr}`)));
  });
  return {
    pid: child.pid ?? 0,
    origin: new URL(address).origin,
    address: () => address,
    exited,
    stderr: () => stderr,
    stop() {
      child.kill('SIGINT');
      return exited;
    },
  };
}

/** Spends the address that is good now, as a page does. Resolves with the secret of the session. */
export async function signIn({
  address,
  origin,
}: Pick<ServerProcess, 'address' | 'origin'>): Promise<string> {
  const token = new URL(address()).hash.slice('#token='.length);
  const reply = await fetch(`${origin}/session`, {
    method: 'POST',
    headers: { origin },
    body: JSON.stringify({ token }),
  });
  if (!reply.ok) throw new Error(`The server did not let us in: ${String(reply.status)}`);
  const { secret } = (await reply.json()) as { secret: string };
  return secret;
}

/** A socket that has said its secret; nobody has answered yet. */
export async function openSocket(
  { origin }: Pick<ServerProcess, 'origin'>,
  path: '/host' | '/engine',
  secret: string,
): Promise<WebSocket> {
  const socket = new WebSocket(origin.replace('http', 'ws') + path, { headers: { origin } });
  await once(socket, 'open');
  socket.send(JSON.stringify({ type: 'sign-in', secret } satisfies SignInFrame));
  return socket;
}

/** A folder that is gone when the test is over. */
export function temporaryFolder(): { path: string; remove: () => void } {
  const path = mkdtempSync(join(fastFolder(), 'andiron-e2e-'));
  return { path, remove: () => rmSync(path, { recursive: true, force: true, maxRetries: 5 }) };
}
