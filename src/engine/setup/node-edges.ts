/** The machine as it is, for setting up Ollama: what `createEngine` gets outside of tests. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { copyFile, mkdir, open, readdir, realpath, rm, stat, statfs, truncate } from 'node:fs/promises';
import { createServer } from 'node:net';
import { dirname, isAbsolute, join, relative, sep } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { machineProcesses } from '../../platform/process-table.ts';
import { hasCode } from '../../platform/files.ts';
import { endStep } from '../../platform/command-tree.ts';
import { privateFileMode, privateFolderMode } from '../../platform/private-data.ts';
import { renameOver } from '../../platform/rename-over.ts';
import { releaseChecksums, releasesUrl } from './release.ts';
import type { ServeRequest, Served, SetupEdges, SetupFiles, ToolRequest, TreeEntry } from './edges.ts';

/** Characters of what a tool says; a listing of a release is a tenth of it. */
const maxOutput = 8 * 1024 * 1024;

const setupFiles: SetupFiles = {
  size: (path) => stat(path).then(({ size }) => size, absent),
  async makeFolder(path) {
    await mkdir(path, { recursive: true, mode: privateFolderMode });
  },
  // On Windows a scanner looks into what was just unpacked.
  rename: (from, to) => renameOver(from, to),
  remove: (path) => rm(path, { recursive: true, force: true, maxRetries: 3 }),
  async openSink(path, from) {
    await mkdir(dirname(path), { recursive: true, mode: privateFolderMode });
    const file = await open(path, 'a', privateFileMode);
    await file.truncate(from);
    return {
      async write(chunk) {
        await file.writeFile(chunk);
      },
      async close() {
        try {
          await file.sync();
        } finally {
          await file.close();
        }
      },
    };
  },
  readChunks: (path) => createReadStream(path, { highWaterMark: 1024 * 1024 }),
  walk,
  async freeBytes(folder) {
    await mkdir(folder, { recursive: true, mode: privateFolderMode });
    const { bavail, bsize } = await statfs(folder);
    return bavail * bsize;
  },
  async readEnd(path, characters) {
    const size = await setupFiles.size(path);
    if (size === null) return '';
    const chunks: Uint8Array[] = [];
    const stream = createReadStream(path, { start: Math.max(0, size - characters) });
    for await (const chunk of stream) chunks.push(chunk as Uint8Array);
    return Buffer.concat(chunks).toString('utf8');
  },
  async capLog(path, limit) {
    if (((await setupFiles.size(path)) ?? 0) <= limit) return;
    await copyFile(path, `${path}.1`);
    // Whoever appends to it goes on at the new end.
    await truncate(path);
  },
};

function absent(error: unknown): null {
  if (hasCode(error, 'ENOENT') || hasCode(error, 'ENOTDIR')) return null;
  throw error;
}

async function* walk(folder: string): AsyncGenerator<TreeEntry> {
  const root = await realpath(folder).catch(absent);
  if (root === null) return;
  const entries = await readdir(root, { withFileTypes: true, recursive: true });
  for (const entry of entries) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isDirectory()) yield { path, kind: 'folder', size: 0, staysInside: true };
    else if (entry.isFile()) yield { path, kind: 'file', size: (await stat(path)).size, staysInside: true };
    else if (entry.isSymbolicLink()) {
      yield { path, kind: 'link', size: 0, staysInside: isInside(root, await realpath(path).catch(absent)) };
    } else yield { path, kind: 'other', size: 0, staysInside: true };
  }
}

function isInside(folder: string, path: string | null): boolean {
  if (path === null) return false;
  const from = relative(folder, path);
  return from.split(sep)[0] !== '..' && !isAbsolute(from);
}

async function runTool({ command, args, env, input, signal }: ToolRequest): Promise<string> {
  const ending = new AbortController();
  const child = spawn(command, args, {
    env,
    stdio: ['pipe', 'pipe', 'pipe'],
    windowsHide: true,
    signal: AbortSignal.any([signal, ending.signal]),
    killSignal: 'SIGKILL',
  });
  const said = { stdout: '', stderr: '' };
  for (const stream of ['stdout', 'stderr'] as const) {
    child[stream].setEncoding('utf8').on('data', (text: string) => {
      said[stream] += text;
      if (said[stream].length > maxOutput) ending.abort(new Error(`${command} says too much`));
    });
  }
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  // A tool that ended early does not read the rest; why it ended says more than the pipe that broke.
  const fed = (input ? pipeline(Readable.from(input), child.stdin) : end(child.stdin)).catch(
    (error: unknown) => {
      if (hasCode(error, 'EPIPE') || hasCode(error, 'ERR_STREAM_PREMATURE_CLOSE')) return;
      ending.abort(error);
      throw error;
    },
  );
  const [code, feeding] = await Promise.allSettled([ended, fed]);
  signal.throwIfAborted();
  if (feeding.status === 'rejected') throw feeding.reason;
  if (code.status === 'rejected') throw ending.signal.aborted ? ending.signal.reason : code.reason;
  if (code.value !== 0)
    throw new Error(`${command} ended with ${String(code.value)}. ${lastLines(said.stderr)}`);
  return said.stdout;
}

async function end(stdin: { end(): void }): Promise<void> {
  stdin.end();
}

function lastLines(text: string): string {
  return text.trim().split('\n').slice(-3).join(' ').slice(0, 500);
}

async function serve({ command, args, env, cwd, logFile }: ServeRequest): Promise<Served> {
  await mkdir(dirname(logFile), { recursive: true, mode: privateFolderMode });
  await using log = await open(logFile, 'a', privateFileMode);
  const child = spawn(command, args, {
    cwd,
    env,
    detached: true,
    windowsHide: true,
    // No pipes: they would break when Andiron crashes, and the child with them.
    stdio: ['ignore', log.fd, log.fd],
  });
  const exited = new Promise<number | null>((resolve) => child.once('exit', resolve));
  await new Promise<void>((resolve, reject) => {
    child.once('error', reject);
    child.once('spawn', resolve);
  });
  child.unref();
  // Spawned, it has one.
  return { pid: child.pid ?? 0, exited };
}

function endGroup(pid: number, force: boolean): void {
  const step = endStep(process.platform, pid, force, process.env);
  if ('file' in step) {
    // Thrown in an event it would end this process: whatever cannot be ended is left.
    const onError = (): void => {
      try {
        process.kill(pid);
      } catch {
        return;
      }
    };
    spawn(step.file, step.args, { stdio: 'ignore', windowsHide: true }).on('error', onError);
    return;
  }
  try {
    process.kill(step.target, step.signal);
  } catch (error) {
    if (!hasCode(error, 'ESRCH')) throw error;
  }
}

async function freePort(wanted: number | null): Promise<number> {
  const server = createServer();
  const listen = async (port: number): Promise<number> => {
    server.listen({ host: '127.0.0.1', port, exclusive: true });
    await once(server, 'listening');
    const address = server.address();
    return typeof address === 'object' && address ? address.port : port;
  };
  try {
    return await (wanted === null ? listen(0) : listen(wanted).catch(() => listen(0)));
  } finally {
    server.close();
    await once(server, 'close');
  }
}

export const nodeSetupEdges: SetupEdges = {
  releasesUrl,
  checksums: releaseChecksums,
  fetch: (input, init) => fetch(input, init),
  files: setupFiles,
  processes: {
    run: runTool,
    serve,
    end: endGroup,
    isAlive: (pid) => machineProcesses.isAlive(pid),
    identity: (pid) => machineProcesses.identity(pid),
    identityOfNew: (pid) => machineProcesses.identityOfNew(pid),
    freePort,
  },
};
