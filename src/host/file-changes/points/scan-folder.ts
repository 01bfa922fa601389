/**
 * What stands in a session's folder now, link by link and never through one. What Git ignores is not covered by undo, nor are
 * Git's own folders and installed packages: they are only counted.
 */
import { join } from 'node:path';
import type { Clock } from '../../../platform/clock.ts';
import type { FileStat, FolderEntry, ReadableFiles } from '../../../platform/files.ts';
import { foldersAbove } from '../../../rules/path-names.ts';
import { walk, type RipgrepDeps } from '../../tools/ripgrep.ts';
import { stampOf, type Manifest } from './manifest.ts';

export interface ScanDeps extends RipgrepDeps {
  files: ReadableFiles;
  clock: Clock;
  /** Andiron's own data, in every spelling: where the folder of a session holds it, it is no part of that. */
  dataDirs: readonly string[];
}

export interface ScanLimits {
  /** Entries that are covered. */
  entries: number;
  /** Entries in places that are not. */
  uncovered: number;
  ms: number;
}

/** Why a folder cannot be covered. */
export type ScanProblem = 'too_many' | 'too_slow' | 'unreadable';

export interface FoundEntry {
  path: string;
  stat: FileStat;
}

export interface Scan extends Pick<Manifest, 'at' | 'uncovered'> {
  covered: FoundEntry[];
}

/** In every folder of that name, ignored or not: what is in it was not written here. */
const ownPlaces = new Set(['.git', 'node_modules']);
/** Each waits for the disk. */
const atOnce = 64;

class ScanStopped extends Error {
  readonly problem: ScanProblem;

  constructor(problem: ScanProblem, options?: ErrorOptions) {
    super(problem, options);
    this.problem = problem;
  }
}

/** @param known what was covered before, by its paths: it still is */
export async function scanFolder(
  deps: ScanDeps,
  workspace: string,
  known: Iterable<string>,
  limits: ScanLimits,
): Promise<Scan | ScanProblem> {
  const at = deps.clock.now();
  try {
    const wanted = await listWanted(deps, workspace, known, limits);
    const scan = new FolderScan(deps, workspace, wanted, limits);
    await scan.enter('');
    return { at, covered: scan.covered, uncovered: scan.uncovered };
  } catch (error) {
    return error instanceof ScanStopped ? error.problem : 'unreadable';
  }
}

interface Wanted {
  files: ReadonlySet<string>;
  /** With one of the files in them, however deep. */
  folders: ReadonlySet<string>;
}

/** null = nothing tells what Git ignores: all is wanted. */
async function listWanted(
  deps: ScanDeps,
  workspace: string,
  known: Iterable<string>,
  limits: ScanLimits,
): Promise<Wanted | null> {
  if (deps.ripgrepPath === null) return null;
  const files = new Set(known);
  const late = new AbortController();
  const timer = deps.clock.after(limits.ms, () => late.abort(new ScanStopped('too_slow')));
  try {
    const isCut = await walk(deps, { workspace, signal: late.signal }, [], '.', (path) => files.add(path));
    if (isCut || files.size > limits.entries) throw new ScanStopped('too_many');
  } finally {
    timer.cancel();
  }
  const folders = new Set([...files].flatMap((path) => foldersAbove(path)));
  return { files, folders };
}

class FolderScan {
  readonly covered: FoundEntry[] = [];
  readonly uncovered: Manifest['uncovered'] = new Map();
  readonly #deps: ScanDeps;
  readonly #workspace: string;
  readonly #wanted: Wanted | null;
  readonly #limits: ScanLimits;
  readonly #until: number;
  #uncoveredLeft: number;

  constructor(deps: ScanDeps, workspace: string, wanted: Wanted | null, limits: ScanLimits) {
    this.#deps = deps;
    this.#workspace = workspace;
    this.#wanted = wanted;
    this.#limits = limits;
    this.#until = deps.clock.monotonic() + limits.ms;
    this.#uncoveredLeft = limits.uncovered;
  }

  /** What is in a folder that is covered. */
  async enter(folder: string): Promise<void> {
    for (const { path, stat, name } of await this.#entriesOf(folder)) {
      if (this.#deps.dataDirs.includes(join(this.#workspace, path))) continue;
      if (stat === null) this.uncovered.set(path, null);
      else if (ownPlaces.has(name)) await this.#count(path, [{ path, stat }]);
      else if (stat.kind === 'folder') await this.#enterFolder(path, stat);
      else if (stat.kind === 'file' && this.#wanted?.files.has(path) === false)
        await this.#count(path, [{ path, stat }]);
      else this.#cover({ path, stat });
    }
  }

  /** Without a file that is wanted it is ignored where any file is in it, and covered where there is none. */
  async #enterFolder(path: string, stat: FileStat): Promise<void> {
    if (this.#wanted === null || this.#wanted.folders.has(path) || this.#wanted.files.has(path)) {
      this.#cover({ path, stat });
      await this.enter(path).catch((error: unknown) => {
        if (error instanceof ScanStopped) throw error;
        this.uncovered.set(path, null);
      });
      return;
    }
    const found: FoundEntry[] = [{ path, stat }];
    const isWhole = await this.#collect(path, found);
    if (isWhole && found.every((entry) => entry.stat.kind !== 'file'))
      for (const entry of found) this.#cover(entry);
    else if (isWhole) this.#note(path, found);
    else this.uncovered.set(path, null);
  }

  /** A place of its own, with all that is in it. */
  async #count(place: string, found: FoundEntry[]): Promise<void> {
    const isFolder = found[0]?.stat.kind === 'folder';
    const isWhole = !isFolder || (await this.#collect(place, found));
    if (isWhole) this.#note(place, found);
    else this.uncovered.set(place, null);
  }

  #note(place: string, found: readonly FoundEntry[]): void {
    this.uncovered.set(place, new Map(found.map(({ path, stat }) => [path, stampOf(stat)])));
  }

  #cover(entry: FoundEntry): void {
    this.covered.push(entry);
    if (this.covered.length > this.#limits.entries) throw new ScanStopped('too_many');
  }

  /** Adds all that is in the folder. False = there is more than is looked at, or something that cannot be. */
  async #collect(folder: string, into: FoundEntry[]): Promise<boolean> {
    if (this.#uncoveredLeft <= 0) return false;
    const entries = await this.#entriesOf(folder).catch((error: unknown) => {
      if (error instanceof ScanStopped) throw error;
      return null;
    });
    if (entries === null) return false;
    this.#uncoveredLeft -= entries.length;
    for (const { path, stat } of entries) {
      if (stat === null) return false;
      into.push({ path, stat });
      if (stat.kind === 'folder' && !(await this.#collect(path, into))) return false;
    }
    return true;
  }

  async #entriesOf(folder: string) {
    const listed = await this.#deps.files.readRealFolder(join(this.#workspace, folder));
    const entries: { path: string; name: string; stat: FileStat | null }[] = [];
    for (let at = 0; at < listed.length; at += atOnce) {
      if (this.#deps.clock.monotonic() > this.#until) throw new ScanStopped('too_slow');
      const some = listed.slice(at, at + atOnce);
      entries.push(...(await Promise.all(some.map((entry) => this.#lookAt(folder, entry)))));
    }
    return entries;
  }

  /** null = its name is no text, or it went away. */
  async #lookAt(folder: string, { name }: FolderEntry) {
    const path = folder === '' ? name : `${folder}/${name}`;
    return { path, name, stat: await this.#deps.files.lstat(join(this.#workspace, path)) };
  }
}
