/** Finding files and text with ripgrep: fast on large folders, and it honours `.gitignore`. */
import { isAbsolute, sep } from 'node:path';
import type { Processes, ProcessEnd, ProcessRequest } from '../../platform/processes.ts';
import { visibleName, visibleText } from '../../rules/visible-text/visible-text.ts';
import type { Advise } from './advice.ts';
import { commandEnvironment } from './command-environment.ts';
import type { KeepSearch } from './search-sandbox.ts';
import { ToolFailure, type ToolContext } from './tool.ts';

export interface RipgrepDeps {
  processes: Processes;
  /** The binary itself, outside any archive; null = it is not in this installation. */
  ripgrepPath: string | null;
  /** Absent = it reaches what Andiron does. */
  keepSearch?: KeepSearch | undefined;
}

export interface RipgrepEnd {
  /** 0 found, 1 found nothing, 2 an error; null = ended from here. */
  exitCode: number | null;
  errors: string;
  /** More was printed than is worth reading. */
  cut: boolean;
}

/** Always in the same order, so that the same question gives the same prompt; no settings of the person's. */
const always = ['--no-config', '--color=never', '--hidden', '--no-require-git', '--sort=path'];
/** Not searched unless they are named: nobody means them. */
const skipped = ['.git', 'node_modules'];
const outputLimit = 20_000_000;

/** Runs in the workspace; `onOutput` gets the output in pieces of any size. `target` is a path below it, as shown to the model, or that of an attached file. */
export async function runRipgrep(
  { processes, ripgrepPath, keepSearch }: RipgrepDeps,
  { workspace, signal }: Pick<ToolContext, 'workspace' | 'signal'>,
  args: readonly string[],
  target: string,
  onOutput: (text: string) => void,
): Promise<RipgrepEnd> {
  if (ripgrepPath === null) {
    throw new ToolFailure('Searching is not available: this installation of Andiron has no search program.', {
      advice: '\nUse list_files and read_file instead.',
    });
  }
  let errors = '';
  const named = target.split('/');
  const skip = skipped.filter((name) => !named.includes(name)).map((name) => `--glob=!${name}`);
  const end = await runSearch(
    { processes, keepSearch },
    {
      file: ripgrepPath,
      args: [...always, ...skip, ...args, '--', argumentOf(target)],
      cwd: workspace,
      env: commandEnvironment(processes.environment),
      signal,
      outputLimit,
      onOutput(stream, text) {
        if (stream === 'stderr') {
          errors = (errors + text).slice(0, 2_000);
          return;
        }
        onOutput(text);
      },
    },
    isAbsolute(target) ? target : undefined,
  );
  signal.throwIfAborted();
  // Nothing found is no error for the search program: whoever speaks then is the sandbox, in which it never began.
  const neverBegan = end.exitCode === 1 && errors.trim() !== '';
  if (neverBegan || (end.killed === null && end.exitCode === null))
    throw new ToolFailure(`The search ended early. ${errors}`);
  return { exitCode: end.exitCode, errors, cut: end.killed === 'output_limit' };
}

/** Kept in where there is a sandbox. @param named as `KeepSearch` takes it */
export async function runSearch(
  { processes, keepSearch }: Pick<RipgrepDeps, 'processes' | 'keepSearch'>,
  request: ProcessRequest,
  named?: string,
): Promise<ProcessEnd> {
  const { file, args, cwd, env } = request;
  if (!keepSearch) return processes.run(request);
  const { env: own, release, ...kept } = await keepSearch({ file, args, cwd }, named);
  try {
    return await processes.run({ ...request, ...kept, env: { ...env, ...own } });
  } finally {
    await release?.();
  }
}

/** Returns what takes output of entries that each end with NUL, such as names: no name holds one. */
export function createEntryReader(onEntry: (entry: string) => void): (output: string) => void {
  let rest = '';
  return (output) => {
    const entries = (rest + output).split('\0');
    rest = entries.pop() ?? '';
    for (const entry of entries) onEntry(entry);
  };
}

const argumentOf = (target: string): string =>
  isAbsolute(target) ? target : `./${target === '.' ? '' : target}`;

/** It found nothing and says why. */
export function failedSearch({ errors }: RipgrepEnd): ToolFailure {
  return new ToolFailure(visibleText(errors.trim()), { advice: '\nUse another pattern or path.' });
}

/** What it found is not all: the first of what it could not read. */
export function unreadable({ exitCode, errors }: RipgrepEnd): string[] {
  const [first = ''] = errors.trim().split('\n');
  return exitCode === 2 ? [`Not everything could be read: ${visibleName(first)}`] : [];
}

/** The files of a walk in its order, as they are shown to the model. True = there were more names than are read. */
export async function walk(
  deps: RipgrepDeps,
  context: Pick<ToolContext, 'workspace' | 'signal'>,
  args: readonly string[],
  target: string,
  onFile: (path: string) => void,
): Promise<boolean> {
  const read = createEntryReader((path) => onFile(withoutDot(path)));
  const { cut } = await runRipgrep(deps, context, ['--files', '--null', ...args], target, read);
  return cut;
}

/** Below a result that is not all, for files in protected places. */
export function leftOutWords(count: number, advise: Advise): string[] {
  if (count === 0) return [];
  const what =
    count === 1 ? '1 file in a protected place is' : `${String(count)} files in protected places are`;
  return [`${what} left out.${advise(' To look there, name the place as path: the person is asked.')}`];
}

/** ripgrep prints paths as it was given them. */
export const withoutDot = (path: string): string => path.replaceAll(sep, '/').replace(/^\.\//, '');
