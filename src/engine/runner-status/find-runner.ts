/** Which process runs a model, and at which port it tells its status. */
import type { EngineProcess, ProcessLister } from './ollama-processes.ts';

export interface RunnerWish {
  /** Where Ollama answers. */
  url: string;
  model: string;
  /** Asks which GGUF Ollama runs for it; null = another format, as MLX models are. */
  file: () => Promise<string | null>;
  /** The window it was loaded with, by `/api/ps`; null = unknown. */
  contextTokens: number | null;
}

export interface FoundRunner {
  /** Where it answers, on this machine. */
  port: number;
  /** null = it is no process that could be looked at. */
  pid: number | null;
  /** It must not be asked again within so many ms of an answer; left out = as long as a real one. */
  quietMs?: number;
}

/** null = there is none that is surely the one. Injected: tests and the simulator know it themselves. */
export type RunnerFinder = (wish: RunnerWish) => Promise<FoundRunner | null>;

export interface RunnerProcess {
  pid: number;
  port: number;
  /** A path that ends with the digest. */
  file: string;
  /** Of each slot; null = not in the command line. */
  contextTokens: number | null;
}

/** Runners that a server of Ollama started and that listen on loopback; anything else is none of ours. */
export function runnersAmong(table: readonly EngineProcess[]): RunnerProcess[] {
  const servers = new Set(table.filter(({ program }) => program === 'ollama').map(({ pid }) => pid));
  return table.flatMap(({ pid, parent, program, args }) => {
    if (program !== 'llama-server' || !servers.has(parent)) return [];
    const port = wholeNumber(valueOf(args, '--port'));
    const file = valueOf(args, '--model');
    if (valueOf(args, '--host') !== '127.0.0.1' || digestOf(file) === null) return [];
    if (port === null || port < 1 || port > 65_535) return [];
    const allTokens = wholeNumber(valueOf(args, '-c'));
    const slots = wholeNumber(valueOf(args, '-np')) ?? 1;
    return { pid, port, file, contextTokens: allTokens === null ? null : Math.floor(allTokens / slots) };
  });
}

/**
 * By the GGUF it runs. Several servers may run the same one: then the path in their own store decides, then the
 * window, and a doubt is no answer.
 */
export function createRunnerFinder(list: ProcessLister): RunnerFinder {
  return async (wish) => {
    const runners = runnersAmong(await list());
    const file = runners.length === 0 ? null : await wish.file();
    if (file === null) return null;
    const same = runners.filter((runner) => digestOf(runner.file) === digestOf(file));
    const own = narrowed(same, (runner) => runner.file === file);
    const [only, ...others] = narrowed(own, (runner) => runner.contextTokens === wish.contextTokens);
    return only && others.length === 0 ? { port: only.port, pid: only.pid } : null;
  };
}

/** Those that fit, where there is a choice and any fits. */
function narrowed(
  runners: readonly RunnerProcess[],
  fits: (runner: RunnerProcess) => boolean,
): readonly RunnerProcess[] {
  const fitting = runners.length > 1 ? runners.filter(fits) : [];
  return fitting.length > 0 ? fitting : runners;
}

/** The GGUF that a Modelfile names; null = it names none. */
export function modelFileOf(modelfile: string): string | null {
  const [, file] = /^FROM (.+?)\s*$/m.exec(modelfile) ?? [];
  return file !== undefined && digestOf(file) !== null ? file : null;
}

function digestOf(file: string): string | null {
  return /(?:^|[/\\])sha256[-:]([0-9a-f]{64})$/.exec(file)?.[1] ?? null;
}

/** Up to the next option: where only the joined command line is known, a path with blanks is in pieces. */
function valueOf(args: readonly string[], option: string): string {
  const rest = args.slice(args.indexOf(option) + 1);
  if (rest.length === args.length) return '';
  const end = rest.findIndex((arg) => arg.startsWith('-'));
  return rest.slice(0, end === -1 ? rest.length : end).join(' ');
}

function wholeNumber(text: string): number | null {
  return /^\d{1,9}$/.test(text) ? Number(text) : null;
}
