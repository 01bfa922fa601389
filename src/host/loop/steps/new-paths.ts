/** Names of files that do not exist, or not yet, as a text has them. */
import { mentioned } from './named-in-text.ts';

/** Of names of files: it has a letter, since 2.0 is none. */
export const hasEnding = /^[^*?<>|:]+\.(?=\p{N}*\p{L})[\p{L}\p{N}]{1,10}$/u;
/** With an ending, or in a folder. */
const fileName = /^[^*?<>|:]+\.(?=\p{N}*\p{L})[\p{L}\p{N}]{1,10}$|^[\p{L}\p{N}._-]+(?:\/[\p{L}\p{N}._-]+)+$/u;
/** A name in quotes may have blanks, and scripts without blanks write on around it. */
const quoted =
  /`([^`\n]{1,200})`|"([^"\n]{1,200})"|[“„”]([^“„”\n]{1,200})[“”]|«([^«»\n]{1,200})»|「([^「」\n]{1,200})」/gu;
const around = /^['"`([“„«「『（]+|['"`)\],;:!?.”“»」』）。，、；：！？]+$/gu;

/** Files that the text names and that are not there. */
export function newPaths(text: string, entries: readonly string[]): string[] {
  const inQuotes = [...text.matchAll(quoted)].map((match) => match.slice(1).find((each) => each) ?? '');
  const names = inQuotes.map(bareName).filter((name) => fileName.test(name));
  const words = text
    .split(/\s+/u)
    .map(bareName)
    // A part of a name that stands in quotes as a whole is none.
    .filter((word) => !names.some((name) => name !== word && (name.includes(word) || word.includes(name))));
  const known = new Set(mentioned([text], entries).map((path) => path.slice(path.lastIndexOf('/') + 1)));
  const isNew = (word: string): boolean =>
    fileName.test(word) && !entries.includes(word) && !known.has(word.slice(word.lastIndexOf('/') + 1));
  return [...new Set([...names, ...words].filter(isNew))];
}

const bareName = (word: string): string => word.trim().replaceAll(around, '').replace(/^\.\//, '');
