/** `AGENTS.md`: what a folder says to agents. The nearest one from the workspace up to its repository counts. */
import { dirname, join, relative, sep } from 'node:path';
import type { ReadableFiles } from '../../platform/files.ts';
import { isBeneath } from '../../rules/path-names.ts';
import { visibleName, visibleText } from '../../rules/visible-text/visible-text.ts';

export interface AgentsFile {
  /** Real path. */
  path: string;
  /** Relative to the workspace, with `/`. */
  shown: string;
  text: string;
  /** There was more than the model is shown. */
  isCut: boolean;
}

type Files = Pick<ReadableFiles, 'realPath' | 'lstat' | 'readChunks'>;

const fileName = 'AGENTS.md';
/** Bytes that the model is shown. */
const maxAgentsBytes = 16 * 1024;
const maxFolders = 40;

/** @param workspace a real path. null = there is none. `problem`: why the nearest one is of no use. Never rejects. */
export async function readAgentsFile(
  files: Files,
  workspace: string,
): Promise<AgentsFile | { shown: string; problem: string } | null> {
  try {
    const place = await findAgentsFile(files, workspace);
    if (place === null) return null;
    const { path, shown } = place;
    if (path === null) return { shown, problem: 'it is a link that leads out of the repository' };
    const read = await readStart(files, path);
    return read === null ? { shown, problem: 'it is not a text' } : { path, shown, ...read };
  } catch {
    return { shown: fileName, problem: 'it can’t be read' };
  }
}

/** Where the nearest one is, without reading it. `path`: null = it leads elsewhere. */
export async function findAgentsFile(
  files: Pick<Files, 'realPath' | 'lstat'>,
  workspace: string,
): Promise<{ path: string | null; shown: string } | null> {
  const folders = await foldersUpToRepository(files, workspace);
  const root = folders.at(-1) ?? workspace;
  for (const folder of folders) {
    const path = join(folder, fileName);
    const kind = (await files.lstat(path))?.kind;
    if (kind !== 'file' && kind !== 'link') continue;
    const real = await files.realPath(path);
    const isInside = real !== null && isBeneath(root, real) && (await files.lstat(real))?.kind === 'file';
    return { path: isInside ? real : null, shown: shownFrom(workspace, path) };
  }
  return null;
}

/** From the workspace on; without a repository around it, it alone. */
async function foldersUpToRepository(files: Pick<Files, 'lstat'>, workspace: string): Promise<string[]> {
  const folders: string[] = [];
  let folder = workspace;
  while (folders.length < maxFolders) {
    folders.push(folder);
    if ((await files.lstat(join(folder, '.git'))) !== null) return folders;
    if (dirname(folder) === folder) break;
    folder = dirname(folder);
  }
  return [workspace];
}

/** null = it is not a text. */
async function readStart(files: Files, path: string): Promise<{ text: string; isCut: boolean } | null> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of files.readChunks(path)) {
    chunks.push(chunk);
    length += chunk.length;
    if (length > maxAgentsBytes) break;
  }
  const bytes = Buffer.concat(chunks);
  if (bytes.includes(0)) return null;
  const isCut = bytes.length > maxAgentsBytes;
  // A sign that the limit cuts in two is left out.
  const text = new TextDecoder().decode(bytes.subarray(0, maxAgentsBytes), { stream: isCut });
  return { text: visibleText(text).trim(), isCut };
}

/** The nearest one above a file, below the workspace: relative to that. null = there is none. Never rejects. */
export async function agentsFileAbove(
  files: Pick<Files, 'lstat'>,
  workspace: string,
  file: string,
): Promise<string | null> {
  try {
    let folder = dirname(file);
    for (let level = 0; level < maxFolders && folder !== workspace; level += 1) {
      if (!isBeneath(workspace, folder)) return null;
      const path = join(folder, fileName);
      if (path !== file && (await files.lstat(path))?.kind === 'file') return shownFrom(workspace, path);
      folder = dirname(folder);
    }
    return null;
  } catch {
    return null;
  }
}

const shownFrom = (workspace: string, path: string): string =>
  visibleName(relative(workspace, path).replaceAll(sep, '/'));
