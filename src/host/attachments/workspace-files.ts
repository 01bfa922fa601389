/** The files that a message may mention: listed by ripgrep, kept for the few seconds in which somebody types. */
import { sep } from 'node:path';
import type { Clock, Timer } from '../../platform/clock.ts';
import type { ProcessEnd, ProcessRequest } from '../../platform/processes.ts';
import { AndironError } from '../../protocol/errors.ts';
import { bestMatches, comparable, type NamedPath } from './match-paths.ts';

/** In one answer. */
const maxShown = 50;
/** Of one workspace: enough to find a file in a very large one, and what a machine can hold and compare at each key. */
const maxPaths = 200_000;
const maxCharacters = 20_000_000;
const listingMs = 5_000;
/** How long a listing is good for: a file that was just made is found by then. */
const keptMs = 5_000;
const maxKeptContent = 3;

export type WorkspaceFiles = ReturnType<typeof createWorkspaceFiles>;

export interface WorkspaceFilesDeps {
  /** As `Processes.run`, kept in where there is a sandbox. */
  runSearch(request: ProcessRequest): Promise<ProcessEnd>;
  /** null = it is not in this installation. */
  ripgrepPath: string | null;
  /** What a program inherits. */
  environment: Record<string, string>;
  /** Real path of a folder that exists; throws `workspace_invalid` with advice. */
  resolveWorkspace(path: string): Promise<string>;
  clock: Clock;
}

interface Listing {
  paths: NamedPath[];
  complete: boolean;
  /** What ripgrep said of what it could not read. */
  errors: string;
}

/** `problem`: why there may be more, in words; null = there is not, or more than anybody keeps. */
export interface FolderListing {
  paths: string[];
  problem: string | null;
}

interface Kept {
  listing: Promise<Listing>;
  timer: Timer | undefined;
}

export function createWorkspaceFiles(deps: WorkspaceFilesDeps) {
  const { clock } = deps;
  const kept = new Map<string, Kept>();
  const closing = new AbortController();

  const forget = (workspace: string): void => {
    kept.get(workspace)?.timer?.cancel();
    kept.delete(workspace);
  };

  /** A failed listing is forgotten at once. */
  async function keepFor(workspace: string, entry: Kept): Promise<void> {
    const isGood = await entry.listing.then(
      () => true,
      () => false,
    );
    const isStill = (): boolean => kept.get(workspace) === entry;
    if (!isStill()) return;
    if (isGood) entry.timer = clock.after(keptMs, () => isStill() && forget(workspace));
    else forget(workspace);
  }

  function listed(workspace: string): Promise<Listing> {
    const known = kept.get(workspace);
    if (known) return known.listing;
    for (const oldest of [...kept.keys()].slice(0, Math.max(0, kept.size + 1 - maxKeptContent)))
      forget(oldest);
    const entry: Kept = { listing: list(workspace, closing.signal, deps), timer: undefined };
    kept.set(workspace, entry);
    void keepFor(workspace, entry);
    return entry.listing;
  }

  return {
    /** Relative, with `/`. `complete` = there are no more. Throws `workspace_invalid` when the folder is gone. */
    async find(workspace: string, query: string): Promise<{ files: string[]; complete: boolean }> {
      const { paths, complete } = await listed(await deps.resolveWorkspace(workspace));
      const { paths: files, found } = bestMatches(paths, query, maxShown);
      return { files, complete: complete && found <= files.length };
    },
    /** Of a folder by its real path, relative and with `/`, as they are now. Throws `workspace_invalid` where nothing of it can be told. */
    async list(folder: string): Promise<FolderListing> {
      const { paths, complete, errors } = await list(folder, closing.signal, deps);
      const isShort = !complete && paths.length < maxPaths;
      return { paths: paths.map(({ path }) => path), problem: isShort ? shortWords(errors) : null };
    },
    close(): void {
      closing.abort();
      for (const workspace of kept.keys()) forget(workspace);
    },
  };
}

/** As far as it gets in its time and limits; what is hidden or ignored is no part of it. */
async function list(workspace: string, closing: AbortSignal, deps: WorkspaceFilesDeps): Promise<Listing> {
  const { ripgrepPath, environment, clock } = deps;
  if (ripgrepPath === null) throw unavailable();
  const enough = new AbortController();
  const timer = clock.after(listingMs, () => enough.abort());
  const paths: NamedPath[] = [];
  let rest = '';
  let characters = 0;
  let errors = '';
  try {
    const end = await deps.runSearch({
      file: ripgrepPath,
      args: ['--no-config', '--color=never', '--no-require-git', '--glob=!node_modules', '--files', '--null'],
      cwd: workspace,
      env: environment,
      signal: AbortSignal.any([enough.signal, closing]),
      outputLimit: maxCharacters,
      onOutput(stream, text) {
        if (stream === 'stderr') {
          errors = (errors + text).slice(0, 500);
          return;
        }
        const names = (rest + text).split('\0');
        rest = names.pop() ?? '';
        for (const name of names) {
          // A name that is no text cannot be written into a message either.
          if (name.includes('\ufffd')) continue;
          if (paths.length === maxPaths || characters > maxCharacters) return enough.abort();
          const path = name.replaceAll(sep, '/');
          paths.push({ path, compared: comparable(path) });
          characters += path.length;
        }
      },
    });
    // 1 = there are no files, 2 = something could not be read. The sandbox, when it fails, says why.
    const isFailure = end.exitCode === 2 || (end.exitCode === 1 && errors.trim() !== '');
    if (isFailure && paths.length === 0) throw unreadable(workspace, errors);
    const complete = end.killed === null && end.exitCode !== null && end.exitCode !== 2;
    return { paths, complete, errors: errors.trim() };
  } catch (error) {
    throw error instanceof AndironError ? error : unreadable(workspace, String(error));
  } finally {
    timer.cancel();
  }
}

const shortWords = (errors: string): string =>
  errors === '' ? 'Listing its files took too long.' : `Some of it cannot be read: ${errors}`;

function unavailable(): AndironError {
  return new AndironError(
    'internal',
    'Files cannot be listed: this installation of Andiron has no search program.',
    'Install Andiron again. You can still type the path of a file.',
  );
}

function unreadable(workspace: string, reason: string): AndironError {
  return new AndironError(
    'workspace_invalid',
    `The files of ${workspace} cannot be listed: ${reason.trim() || 'no reason was given'}.`,
    'Check that you may read the folder, or write the path by hand.',
  );
}
