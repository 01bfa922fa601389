/** What of a search is left out, so that it stays within its memory, and what the model is told of it. */
import type { ReadableFiles } from '../../platform/files.ts';
import { visibleName } from '../../rules/visible-text/visible-text.ts';
import type { Advise } from './advice.ts';
import { leftOutWords, walk, type RipgrepDeps } from './ripgrep.ts';
import { ToolFailure, type ToolContext } from './tool.ts';
import type { Place } from './workspace-path.ts';

const MB = 1024 * 1024;
/** ripgrep holds a whole line, and up to three times its length while it looks for the end. */
const maxLine = 20 * MB;
/** Of a file that is found on the way. One that is named may be larger, as long as its lines are not. */
const maxFile = maxLine;
const maxNames = 5;
const fileBound = `--max-filesize=${String(maxFile)}`;

const lineFeed = 0x0a;

/**
 * ripgrep's arguments for this place. A mapped file would be in memory as a whole.
 * @throws ToolFailure where a named file has a line that is too long.
 */
export async function boundsFor(files: ReadableFiles, found: Place, signal: AbortSignal): Promise<string[]> {
  const { stat, path, shown } = found;
  if (stat?.kind === 'folder') return ['--no-mmap', fileBound];
  if (stat !== null && stat.size > maxLine && (await hasLongLine(files, path, signal))) {
    throw new ToolFailure(`${shown} was not searched: it has a line longer than ${megabytes(maxLine)}.`, {
      advice: 'Use a command.',
    });
  }
  return ['--no-mmap'];
}

async function hasLongLine(files: ReadableFiles, path: string, signal: AbortSignal): Promise<boolean> {
  let length = 0;
  for await (const chunk of files.readChunks(path)) {
    signal.throwIfAborted();
    const first = chunk.indexOf(lineFeed);
    length += first === -1 ? chunk.length : first;
    if (length > maxLine) return true;
    if (first !== -1) length = chunk.length - chunk.lastIndexOf(lineFeed) - 1;
  }
  return false;
}

export interface LeftOut {
  /** How many files are in protected places. */
  closed: number;
  /** Files that are too large, as they are shown to the model; null = there are too many names to compare. */
  large: string[] | null;
}

/**
 * What a walk leaves out, whatever is looked for: told of matches alone, a count would tell what protected files hold.
 */
export async function leftOutOf(
  deps: RipgrepDeps,
  context: Pick<ToolContext, 'workspace' | 'signal'>,
  target: string,
  bounds: readonly string[],
  isClosed: (path: string) => boolean,
): Promise<LeftOut> {
  const searched = new Set<string>();
  const isBounded = bounds.includes(fileBound);
  const isCut = isBounded && (await walk(deps, context, bounds, target, (path) => searched.add(path)));
  const large: string[] = [];
  let closed = 0;
  await walk(deps, context, [], target, (path) => {
    if (isClosed(path)) closed += 1;
    else if (isBounded && !isCut && !searched.has(path)) large.push(path);
  });
  return { closed, large: isCut ? null : large };
}

/** Below a result that is not all. */
export const boundWords = ({ closed, large }: LeftOut, advise: Advise): string[] => [
  ...leftOutWords(closed, advise),
  ...largeWords(large, advise(' To search one, name it as path.')),
];

function largeWords(large: readonly string[] | null, advice: string): string[] {
  const limit = `larger than ${megabytes(maxFile)}`;
  if (large === null) return [`Files ${limit} are left out.${advice}`];
  if (large.length === 0) return [];
  const what = large.length === 1 ? `1 file ${limit} is` : `${String(large.length)} files ${limit} are`;
  const names = large.slice(0, maxNames).map((name) => visibleName(name));
  const rest = large.length > maxNames ? `, and ${String(large.length - maxNames)} more` : '';
  return [`${what} left out: ${names.join(', ')}${rest}.${advice}`];
}

const megabytes = (bytes: number): string => `${String(bytes / MB)} MB`;
