/** Which files and folders a message names: those that are there, and those that are not there yet. */
import { looksLikeFile } from './workspace-task.ts';

/** Of the workspace; a folder ends with `/`. */
export interface NamedEntries {
  files: string[];
  folders: string[];
  /** Paths that a person wrote and that do not exist. */
  missing: string[];
  /** Endings of names, as a pattern: `*.csv`. */
  patterns: string[];
}

const token = /[\p{L}\p{N}_@~.-]+(?:\/[\p{L}\p{N}_@.-]+)*/gu;

const ending = /(?<![\p{L}\p{N}_/.)\]-])\*?\.([a-z][a-z0-9]{0,7})(?![\p{L}\p{N}_/.-])/gu;

export function namedEntries(text: string, entries: readonly string[]): NamedEntries {
  const message = text.replaceAll(/\bhttps?:\/\/\S+/giu, ' ');
  const words = new Set([...message.matchAll(token)].map(([word]) => plain(word)));
  const isNamed = (path: string): boolean => words.has(path) || (/\s/.test(path) && message.includes(path));
  const files = entries.filter((path) => !path.endsWith('/'));
  const folders = entries.filter((path) => path.endsWith('/')).map((path) => path.slice(0, -1));
  const byName = Map.groupBy(files, nameOf);
  const namedFiles = files.filter((path) => {
    const name = nameOf(path);
    const alone = byName.get(name)?.length === 1 && /[\d._-]|.\p{Lu}/u.test(name);
    return isNamed(path) || (alone && isNamed(name));
  });
  const known = new Set([...files, ...folders, ...namedFiles.map(nameOf)]);
  return {
    files: namedFiles,
    folders: folders.filter((path) => isNamed(path)),
    patterns: [...message.matchAll(ending)].map(([, found]) => `*.${String(found)}`),
    missing: [...words].filter((word) => looksLikeFile(word) && !known.has(word)),
  };
}

const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

/** Without what a sentence puts around it. */
const plain = (word: string): string => word.replace(/^(?:\.\/)+/, '').replace(/[.\-~@]+$/, '');
