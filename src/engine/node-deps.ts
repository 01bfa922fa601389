/** The machine as it is: what `createEngine` gets outside of tests. */
import { execFile, fork, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { access, mkdir, readdir, readFile, rm, statfs, writeFile } from 'node:fs/promises';
import { availableParallelism, cpus, freemem, homedir, networkInterfaces, totalmem } from 'node:os';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import { privateFileMode, privateFolderMode } from '../platform/private-data.ts';
import { renameOver } from '../platform/rename-over.ts';
import { neutralFolder } from '../platform/start-paths.ts';
import { withUmask } from '../platform/umask.ts';
import type { EngineFiles, EngineProcesses, LaunchSpec, Machine } from './base/engine-deps.ts';

const runFile = promisify(execFile);

/**
 * @param startSampler how this kind of process starts the built `gpu/system-sample-entry`: a Node process with
 * `startSamplerInNode`, Electron's main with a utility process (its own program is no Node).
 * @param umask what new files of the person's Ollama do without; as this process unless given
 * @param environment what programs inherit; as this process has it unless given
 */
export function nodeProcesses(
  startSampler: EngineProcesses['startSampler'],
  umask?: number,
  environment: NodeJS.ProcessEnv = process.env,
): EngineProcesses {
  return {
    run: (command, args, timeoutMs) => run(command, args, timeoutMs, environment),
    launch: (spec) => launch(spec, environment, umask),
    startSampler,
  };
}

/** @param entry absolute path of the built entry. */
export function startSamplerInNode(entry: string): EngineProcesses['startSampler'] {
  return () => {
    const child = fork(entry, [], { stdio: ['ignore', 'ignore', 'ignore', 'ipc'] });
    return {
      ask() {
        // What was lost with the child is told by its end.
        if (child.connected) child.send('sample', () => undefined);
      },
      onSample: (listener) => void child.on('message', listener),
      onExit(listener) {
        child.once('exit', listener);
        child.once('error', listener);
      },
      kill: () => void child.kill('SIGKILL'),
    };
  };
}

async function run(
  command: string,
  args: readonly string[],
  timeoutMs: number,
  env: NodeJS.ProcessEnv,
): Promise<string> {
  const options = { timeout: timeoutMs, killSignal: 'SIGKILL', windowsHide: true, env } as const;
  return (await runFile(command, args, options)).stdout;
}

function launch(
  { command, args, env }: LaunchSpec,
  environment: NodeJS.ProcessEnv,
  umask?: number,
): Promise<{ exited: Promise<number | null> }> {
  return new Promise((resolve, reject) => {
    const child = withUmask(umask, () =>
      spawn(command, args, {
        detached: true,
        // A pipe would break when Andiron ends, and the program with it.
        stdio: 'ignore',
        windowsHide: true,
        // It may outlive the app, whose folder must not stay in use for it.
        cwd: neutralFolder(homedir()),
        env: { ...environment, ...env },
      }),
    );
    const exited = new Promise<number | null>((settle) => child.once('exit', settle));
    child.once('error', reject);
    child.once('spawn', () => {
      child.unref();
      resolve({ exited });
    });
  });
}

export const nodeFiles: EngineFiles = {
  exists: (path) =>
    access(path).then(
      () => true,
      () => false,
    ),
  readText: (path) => readFile(path, 'utf8'),
  readTextNow: (path) => readFileSync(path, 'utf8'),
  list: (folder) =>
    readdir(folder).catch((error: unknown) => {
      if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
      throw error;
    }),
  async writeWhole(path, text) {
    await mkdir(dirname(path), { recursive: true, mode: privateFolderMode });
    const beside = `${path}.new`;
    try {
      await writeFile(beside, text, { flush: true, mode: privateFileMode });
      await renameOver(beside, path);
    } catch (error) {
      await rm(beside, { force: true });
      throw error;
    }
  },
  freeBytes: (folder) =>
    statfs(folder).then(
      ({ bavail, bsize }) => bavail * bsize,
      () => null,
    ),
};

export const nodeMachine: Machine = {
  platform: process.platform,
  arch: process.arch,
  env: process.env,
  homeDir: homedir(),
  lanAddresses: () =>
    Object.values(networkInterfaces())
      .flatMap((addresses) => addresses ?? [])
      .filter(({ family, internal }) => family === 'IPv4' && !internal)
      .map(({ address }) => address),
  totalMemory: totalmem,
  availableMemory: freemem,
  cores: availableParallelism(),
  cpuTimes() {
    const times = cpus().map((core) => core.times);
    const idle = times.reduce((sum, core) => sum + core.idle, 0);
    const total = times.reduce(
      (sum, core) => sum + core.user + core.nice + core.sys + core.irq + core.idle,
      0,
    );
    return { idle, total };
  },
};
