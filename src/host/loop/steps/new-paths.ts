/** Names of files that do not exist, or not yet, as a text has them. */
import { mentioned, nameOf } from './named-in-text.ts';

/** Of names of files: it has a letter, since 2.0 is none. */
export const hasEnding = /^[^*?<>|:]+\.(?=\p{N}*\p{L})[\p{L}\p{N}]{1,10}$/u;
/** With an ending, or in a folder. */
const fileName = /^[^*?<>|:]+\.(?=\p{N}*\p{L})[\p{L}\p{N}]{1,10}$|^[\p{L}\p{N}._-]+(?:\/[\p{L}\p{N}._-]+)+$/u;
/** A name in quotes may have blanks, and scripts without blanks write on around it. */
const quoted =
  /`([^`\n]{1,200})`|"([^"\n]{1,200})"|[“„”]([^“„”\n]{1,200})[“”]|«([^«»\n]{1,200})»|「([^「」\n]{1,200})」/gu;
const around = /^['"`([“„«「『（]+|['"`)\],;:!?.”“»」』）。，、；：！？]+$/gu;

/**
 * Files that the text names and that are not there.
 * @param whole names with blanks that somebody wrote in quotes: a text that repeats them may leave those out
 */
export function newPaths(text: string, entries: readonly string[], whole: readonly string[] = []): string[] {
  const known = mentioned([text], entries);
  const inQuotes = piecesInQuotes(text).map(bareName);
  const names = [...inQuotes, ...mentioned([text], whole.filter(hasBlank))].filter(
    // What has a file in it that exists is a command, or a sentence.
    (name) => fileName.test(name) && (!hasBlank(name) || mentioned([name], entries).length === 0),
  );
  const words = without([...known, ...names], text)
    .split(/\s+/u)
    .map(bareName);
  const there = new Set(known.map(nameOf));
  const isNew = (word: string): boolean =>
    fileName.test(word) && !entries.includes(word) && !there.has(nameOf(word));
  return [...new Set([...names, ...words].filter(isNew))];
}

/** In the quotes of any script, on one line. */
export const piecesInQuotes = (text: string): string[] =>
  [...text.matchAll(quoted)].map((match) => match.slice(1).find((each) => each) ?? '');

/** Only what has blanks would fall apart into words. */
function without(paths: readonly string[], text: string): string {
  return paths
    .flatMap((path) => [path, nameOf(path)])
    .filter(hasBlank)
    .toSorted((one, other) => other.length - one.length)
    .reduce((rest, path) => rest.replaceAll(path, ' '), text);
}

const hasBlank = (path: string): boolean => /\s/.test(path);
const bareName = (word: string): string => word.trim().replaceAll(around, '').replace(/^\.\//, '');
