/** What a step that runs may run: what it says, with the paths that it means. */
import type { CallRecord } from '../calls/discipline.ts';
import { isWhole, type KnownPaths } from './known-paths.ts';
import { bare, mentioned } from './named-in-text.ts';

/** Any of them; none = whatever the model writes. @param entries of the workspace; a folder ends with `/`. */
export function commandsOf(
  step: string,
  entries: readonly string[],
  calls: readonly CallRecord[],
  { invented, said }: Pick<KnownPaths, 'invented' | 'said'>,
): readonly string[] {
  if (!isWhole(step)) return [];
  const files = entries.filter((path) => !path.endsWith('/'));
  const looks = calls.filter(({ ok, stale, name }) => ok && !stale && name !== 'run_command');
  const found = looks.flatMap((look) => commandsWithFound(step, look, files));
  if (found.length > 0) return [...new Set(found)];
  // What a command acts on may have had to be found first: its step could not name it yet, or only guessed.
  const isOpen = looks.length > 0 && (mentioned([step], files).length === 0 || invented.length > 0);
  return isOpen ? [] : [withQuotes(step, [...entries, ...said])];
}

/** As a worked example of openings says it of the file that a search is to find. */
const thatOne = /^(\S+) that \S+$/u;

/** The step speaks of what a search looked for, or of "that file": it means the file in which that was found. */
function commandsWithFound(step: string, { args, content }: CallRecord, files: readonly string[]): string[] {
  const wanted = typeof args === 'object' && args !== null && 'pattern' in args ? args.pattern : undefined;
  if (typeof wanted !== 'string' || wanted === '') return [];
  const words = step.split(' ');
  const isMeant = (word: string): boolean => word === wanted || word.endsWith(`/${wanted}`);
  const [, program] = thatOne.exec(step) ?? [];
  if (program !== undefined)
    return mentioned([content], files).map((path) => `${program} ${quotedPath(path)}`);
  const found = mentioned([content], files);
  // Its folder may have blanks in its name.
  const inFolder = found.filter((path) => words.length > 1 && step.includes(` ${besides(path, wanted)}`));
  if (inFolder.length > 0)
    return inFolder.map((path) => step.replace(besides(path, wanted), () => quotedPath(path)));
  if (!words.slice(1).some(isMeant)) return [];
  return found.map((path) =>
    words.map((word, at) => (at > 0 && isMeant(word) ? quotedPath(path) : word)).join(' '),
  );
}

/** In the folder of that file. */
const besides = (path: string, name: string): string => `${path.slice(0, path.lastIndexOf('/') + 1)}${name}`;

/**
 * Paths with blanks, as a shell reads them as one word; what the command begins with is none. Messages have names between
 * backticks, and a shell would run those.
 */
function withQuotes(step: string, paths: readonly string[]): string {
  const named = mentioned([step], paths)
    .map(bare)
    .toSorted((one, other) => other.length - one.length);
  const plain = named.reduce((rest, path) => rest.replaceAll(`\`${path}\``, () => quotedPath(path)), step);
  const spaced = named.filter((path) => path.includes(' '));
  if (spaced.length === 0) return plain;
  const anyOfThem = spaced.map((path) => path.replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`)).join('|');
  return plain.replaceAll(new RegExp(String.raw`(?<=\s)(?:${anyOfThem})(?![^\s])`, 'g'), quotedPath);
}

/** In the quotes that all shells have, unless they would not keep it as it is. */
function quotedPath(path: string): string {
  if (/^[\p{L}\p{N}./_-]+$/u.test(path)) return path;
  return /["$`\\!%]/.test(path) ? `'${path.replaceAll("'", String.raw`'\''`)}'` : `"${path}"`;
}
