/**
 * The boundary of every file tool: what a model names is resolved, links included, and must lie inside the
 * workspace. What comes out is a real path; the file system edge refuses links that appear on it later.
 */
import nodePath from 'node:path';
import type { PlatformPath } from 'node:path';
import type { ReadableFiles, FileStat } from '../../platform/files.ts';
import { isBeneath, plainSpelling } from '../../rules/path-names.ts';
import { privatePlace } from '../../rules/private-places.ts';
import { ToolFailure, type ToolContext } from './tool.ts';
import { visibleName } from '../../rules/visible-text/visible-text.ts';

export interface Place {
  /** Real and absolute. */
  path: string;
  /** Relative to the workspace, with `/`: for the model and the card. The workspace itself is `.`. */
  shown: string;
  /** null = nothing there yet. */
  stat: FileStat | null;
}

/** `workspace` is the session's real path. Throws ToolFailure with what to do instead. */
export async function locate(files: ReadableFiles, workspace: string, named: string): Promise<Place> {
  if (named.includes('\0') || !named.isWellFormed()) throw notAPath();
  const wanted = resolveInside(workspace, named, nodePath);
  if (wanted === null) throw outside(named);
  const path = await resolveLinks(files, workspace, wanted);
  if (path === null) throw new ToolFailure(`${named} is a link that leads nowhere.`);
  if (!isInside(workspace, path, nodePath)) throw outside(named);
  return { path, shown: shownPath(workspace, path, nodePath), stat: await files.lstat(path) };
}

/** Absolute path by the letters alone, or null when it leaves the workspace. `paths` is Windows' in tests. */
export function resolveInside(workspace: string, named: string, paths: PlatformPath): string | null {
  if (named.includes('\0')) return null;
  const path = paths.resolve(workspace, named);
  if (!isInside(workspace, path, paths)) return null;
  const parts = paths.relative(workspace, path).split(paths.sep);
  return paths.sep === '\\' && parts.some(isSpecialOnWindows) ? null : path;
}

function isInside(workspace: string, path: string, paths: PlatformPath): boolean {
  const relative = paths.relative(workspace, path);
  return relative !== '..' && !relative.startsWith(`..${paths.sep}`) && !paths.isAbsolute(relative);
}

export function shownPath(workspace: string, path: string, paths: PlatformPath): string {
  return paths.relative(workspace, path).replaceAll(paths.sep, '/') || '.';
}

const deviceOnWindows = /^(con|prn|aux|nul|conin\$|conout\$|(com|lpt)[\d¹²³]) *(\.|$)/i;

/** Devices (`NUL`, `COM1.txt`), alternate streams (`a.txt:b`), and names that Windows shortens (`a.txt.`, `a `). */
function isSpecialOnWindows(part: string): boolean {
  return deviceOnWindows.test(part) || part.includes(':') || /[. ]$/.test(part);
}

/** The real path of what exists, in whichever spelling, with the rest added; null where a link leads nowhere. */
async function resolveLinks(files: ReadableFiles, workspace: string, path: string): Promise<string | null> {
  const real = await files.realPath(path);
  if (real !== null) return real;
  if ((await files.lstat(path)) !== null) return null;
  const parent = nodePath.dirname(path);
  if (parent === path) return null;
  const realParent = await resolveLinks(files, workspace, parent);
  if (realParent === null) return null;
  const name = nodePath.basename(path);
  const twin = isInside(workspace, realParent, nodePath) ? await onlyTwin(files, realParent, name) : null;
  const there = nodePath.join(realParent, twin ?? name);
  if (there === path) return there;
  // In a folder of another spelling this may be there after all, as a link, too.
  const found = await files.realPath(there);
  return found === null && (await files.lstat(there)) === null ? there : found;
}

/** The one entry of the folder whose name looks the same, such as a name from a Mac; null = there is none, or more than one. */
async function onlyTwin(files: ReadableFiles, folder: string, name: string): Promise<string | null> {
  // Other names have one spelling, and the folder of most new files is not listed.
  if (!/[^!-~]/.test(name)) return null;
  const entries = await files.readFolder(folder).catch(() => []);
  const wanted = plainSpelling(name);
  const [twin, another] = entries.filter(
    // What has no text for a name is listed by one that leads to nothing.
    (entry) => entry.name !== name && plainSpelling(entry.name) === wanted,
  );
  return twin && !another ? twin.name : null;
}

function notAPath(): ToolFailure {
  return new ToolFailure('The path has characters that no path can have.', {
    advice: 'Write it again, as list_files shows it.',
  });
}

function outside(named: string): ToolFailure {
  return new ToolFailure(`${JSON.stringify(named)} is not inside the workspace.`, {
    advice: 'Use a path relative to the workspace, without "..".',
  });
}

/** The place as that of an existing file. Throws ToolFailure with names that are close when there is none. */
export async function fileAt(files: ReadableFiles, place: Place): Promise<Place & { stat: FileStat }> {
  const { path, shown, stat } = place;
  if (stat === null) throw await notFound(files, place);
  if (stat.kind === 'folder')
    throw new ToolFailure(`${shown} is a folder.`, { advice: 'Use list_files to see what is in it.' });
  if (stat.kind !== 'file') throw new ToolFailure(`${shown} is not a regular file.`);
  return { path, shown, stat };
}

/**
 * What may be read: an attached file by the very path that the model was told, what really lies in the folder of a loaded
 * skill, or whatever is in the workspace.
 */
export async function locateReadable(
  files: ReadableFiles,
  { workspace, attached = [] }: Pick<ToolContext, 'workspace' | 'attached'>,
  named: string,
): Promise<Place> {
  if (attached.includes(named)) return { path: named, shown: named, stat: await files.lstat(named) };
  const folder = attached.find((each) => isBeneath(each, named));
  if (folder === undefined) return mentionedAt(files, workspace, named);
  return { ...(await locate(files, folder, named)), shown: named };
}

/** A file that a message mentions is named there with a mark, and models take that for a part of its name. */
async function mentionedAt(files: ReadableFiles, workspace: string, named: string): Promise<Place> {
  const place = await locate(files, workspace, named);
  if (place.stat !== null || !/^@[^@]/.test(named)) return place;
  const unmarked = await locate(files, workspace, named.slice(1));
  return unmarked.stat === null ? place : unmarked;
}

/** An existing folder. */
export async function locateFolder(files: ReadableFiles, workspace: string, named: string): Promise<Place> {
  return folderAt(files, await locate(files, workspace, named));
}

/** The same for a place that was looked up. */
export async function folderAt(files: ReadableFiles, place: Place): Promise<Place> {
  if (place.stat === null) throw await notFound(files, place);
  if (place.stat.kind !== 'folder')
    throw new ToolFailure(`${place.shown} is a file.`, { advice: 'Use read_file to read it.' });
  return place;
}

/** A place for a file that is written. Git's own folder holds programs that Git runs: it is left to Git. */
export async function locateTarget(files: ReadableFiles, workspace: string, named: string): Promise<Place> {
  const place = await locate(files, workspace, named);
  const parts = place.shown.toLowerCase().split('/');
  if (parts.includes('.git'))
    throw new ToolFailure(`${place.shown} belongs to Git.`, { advice: 'Use git commands to change it.' });
  if (place.stat?.kind === 'folder' || place.shown === '.')
    throw new ToolFailure(`${place.shown} is a folder.`, { advice: 'Name a file in it.' });
  if (place.stat !== null && place.stat.kind !== 'file')
    throw new ToolFailure(`${place.shown} is not a regular file.`);
  if (place.stat === null) await checkFolderOf(files, workspace, place.path);
  return place;
}

/** Folders on the way that do not exist are made; a file on the way is not turned into one. */
async function checkFolderOf(files: ReadableFiles, workspace: string, path: string): Promise<void> {
  const folder = nodePath.dirname(path);
  const stat = await files.stat(folder);
  if (stat === null && folder !== workspace) {
    await checkFolderOf(files, workspace, folder);
  } else if (stat !== null && stat.kind !== 'folder') {
    const shown = shownPath(workspace, folder, nodePath);
    throw new ToolFailure(`${shown} is a file, so there can be nothing below it.`, {
      advice: 'Use another path.',
    });
  }
}

const howToFind = 'Use list_files or glob to find it.';

export async function notFound(files: ReadableFiles, { path, shown }: Place): Promise<ToolFailure> {
  const folder = nodePath.dirname(path);
  // Names of such a place are told only to who asked for them.
  if (privatePlace(folder)) return new ToolFailure(`There is no ${shown}.`);
  if ((await files.stat(folder))?.kind !== 'folder') {
    return new ToolFailure(`There is no ${shown}, and its folder does not exist either.`, {
      advice: howToFind,
    });
  }
  const names = (await files.readRealFolder(folder)).map(({ name }) => name);
  const close = closest(nodePath.basename(path), names);
  return close.length > 0
    ? new ToolFailure(`There is no ${shown}. Close to it: ${close.map(visibleName).join(', ')}.`)
    : new ToolFailure(`There is no ${shown}.`, { advice: howToFind });
}

/** Longer names are no slips of the pen, and comparing names takes the product of their lengths. */
const maxComparedLength = 80;
const maxCompared = 5_000;

/** At most five names that are a slip of the pen away, nearest first. In a huge folder only its first names are tried. */
export function closest(wanted: string, names: readonly string[]): string[] {
  if (wanted.length > maxComparedLength) return [];
  const limit = Math.max(2, Math.floor(wanted.length / 3));
  return names
    .filter((name) => Math.abs(name.length - wanted.length) <= limit)
    .slice(0, maxCompared)
    .map((name) => ({ name, distance: editDistance(wanted.toLowerCase(), name.toLowerCase()) }))
    .filter(({ distance }) => distance <= limit)
    .toSorted((a, b) => a.distance - b.distance || a.name.localeCompare(b.name, 'en'))
    .slice(0, 5)
    .map(({ name }) => name);
}

function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 0; i < a.length; i++) {
    const next = [i + 1];
    for (let j = 0; j < b.length; j++) {
      const replaced = (row[j] ?? 0) + (a[i] === b[j] ? 0 : 1);
      next.push(Math.min(replaced, (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
