/** What edit_file and write_file share: only a file that was read and did not change since is touched. */
import nodePath, { dirname } from 'node:path';
import type { FileStat } from '../../platform/files.ts';
import type { FileToolDeps } from './read-file.ts';
import { allLines, fingerprint, type LineRange } from './read-ledger.ts';
import { ToolFailure, type ToolContext } from './tool.ts';
import { shownPath, type Place } from './workspace-path.ts';
import { writeOver } from './write-over.ts';

const maxChangeBytes = 5 * 1024 * 1024;

export interface KnownFile {
  bytes: Uint8Array;
  stat: FileStat;
}

/** The text of a file that this session has read in this very state. Throws ToolFailure otherwise. */
export async function readKnown(
  deps: FileToolDeps,
  place: Place,
  context: ToolContext,
): Promise<KnownFile & { text: string }> {
  const known = await readKnownBytes(deps, place, context);
  try {
    return { ...known, text: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(known.bytes) };
  } catch (error) {
    const document = await deps.documents.kindAt(place.path);
    if (document !== null) throw documentFailure(place.shown, document);
    throw new ToolFailure(`${place.shown} is not UTF-8 text, so it cannot be changed with this tool.`, {
      cause: error,
    });
  }
}

/** The same of a file that need not be text. */
export async function readKnownBytes(
  { files, ledger, documents }: FileToolDeps,
  { path, shown }: Place,
  { sessionId }: ToolContext,
): Promise<KnownFile> {
  const stat = await files.lstat(path);
  if (stat === null)
    throw new ToolFailure(`${shown} is gone.`, { advice: 'Use list_files to see what is there.' });
  if (stat.size > maxChangeBytes)
    throw new ToolFailure(`${shown} is too large to change with this tool.`, { advice: 'Use a command.' });
  const known = ledger.seen(sessionId, path);
  if (known === undefined) {
    // Reading it would not help: what was read is its text.
    const document = await documents.kindAt(path);
    if (document !== null) throw documentFailure(shown, document);
    throw new ToolFailure(`${shown} exists and was not read yet.`, {
      advice: 'Read it with read_file first.',
    });
  }
  const bytes = await files.readBytes(path, maxChangeBytes);
  if (fingerprint(bytes) !== known) {
    throw new ToolFailure(`${shown} has changed since it was read.`, {
      advice: 'Read it again with read_file first.',
    });
  }
  return { bytes, stat };
}

/** A whole file is written only by who was shown all of it. Throws ToolFailure with the lines that are missing otherwise. */
export function requireWhole(
  { ledger }: Pick<FileToolDeps, 'ledger'>,
  { path, shown }: Place,
  context: ToolContext,
  { bytes }: KnownFile,
): void {
  const unread = ledger.unread(context, path, lineCount(bytes));
  const [next] = unread;
  if (next === undefined) return;
  const named = unread.slice(0, maxNamedRanges).map(inNumbers).join(', ');
  const more = unread.length > maxNamedRanges ? ' and more' : '';
  throw new ToolFailure(
    `${shown} was not replaced: you have not read all of it as it is now (not ${named}${more}).`,
    {
      advice: `To change a part, use edit_file. To replace all of it, read the rest with read_file first, from start_line ${String(next.first)}.`,
    },
  );
}

const maxNamedRanges = 5;
const inNumbers = ({ first, last }: LineRange): string =>
  first === last ? `line ${String(first)}` : `lines ${String(first)}-${String(last)}`;

/** As read_file counts them. */
function lineCount(bytes: Uint8Array): number {
  let ends = 0;
  for (const byte of bytes) if (byte === lineFeed) ends += 1;
  return bytes.length === 0 || bytes.at(-1) === lineFeed ? ends : ends + 1;
}

const lineFeed = 10;

const documentFailure = (shown: string, kind: string): ToolFailure =>
  new ToolFailure(`${shown} is ${kind}, which cannot be changed with this tool.`, {
    advice: 'Write what is to change into a new file, or use a command.',
  });

/** Outermost first. */
async function missingFolders(
  files: FileToolDeps['files'],
  workspace: string,
  path: string,
): Promise<Pick<Place, 'path' | 'shown'>[]> {
  const folder = dirname(path);
  if (folder === workspace || (await files.lstat(folder)) !== null) return [];
  const outer = await missingFolders(files, workspace, folder);
  return [...outer, { path: folder, shown: shownPath(workspace, folder, nodePath) }];
}

/**
 * Writes what follows from a state that was seen (`before`; null = the file is new) and makes it the state that is known.
 * Returns sentences about what else changed.
 */
export async function writeKnown(
  { files, ledger, recorder }: FileToolDeps,
  place: Place,
  context: ToolContext,
  content: string | Uint8Array,
  before: KnownFile | null,
): Promise<string[]> {
  const { path } = place;
  const { sessionId, callId, workspace } = context;
  const isWhole = before === null || ledger.unread(context, path, lineCount(before.bytes)).length === 0;
  const recorded = recorder?.begin({
    sessionId,
    callId,
    place,
    before: before && { bytes: before.bytes, mode: before.stat.mode },
    after: content,
    folders: before ? [] : await missingFolders(files, workspace, path),
  });
  const write = { workspace, path, content, stat: before?.stat ?? null };
  const remarks = await writeOver(files, write).catch((error: unknown) => {
    recorded?.failed();
    throw error;
  });
  recorded?.done();
  // An edit shows nothing of the lines around it.
  ledger.saw(context, path, fingerprint(content), isWhole ? allLines : null);
  return remarks;
}
