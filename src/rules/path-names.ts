/**
 * Paths as text, for decisions that must not be fooled by them. Two comparisons, because a mistake costs differently on
 * each side: what protects compares as forgivingly as the most forgiving file system, what allows compares to the letter.
 */

/** Backslashes separate too: on Linux they are part of a name, and protecting one name too many is harmless. */
export function splitPath(path: string): string[] {
  return path.split(/[/\\]+/).filter((part) => part !== '');
}

/**
 * A name as Windows, macOS and Linux would find it: case, Unicode form, look-alike widths, invisible characters (HFS+
 * ignores them), trailing dots and spaces (Windows ignores them) and the name of the main stream make no difference.
 */
export function foldName(name: string): string {
  if (/^[!-~]*[!--/-~]$/.test(name) && !name.includes(':')) return name.toLowerCase();
  return name
    .normalize('NFKC')
    .replaceAll(/\p{Default_Ignorable_Code_Point}/gu, '')
    .toLowerCase()
    .normalize('NFKC')
    .replace(/::\$data$/, '')
    .replace(/(?<=[^. ])[. ]+$/, '');
}

/** The whole path folded, with a slash at both ends: `/home/ann/.ssh/` holds `/.ssh/`. */
export function foldPath(path: string): string {
  return `/${splitPath(path).map(foldName).join('/')}/`;
}

/** The same name with one spelling of each letter and one kind of blank: nobody who reads or writes it sees another. */
export const plainSpelling = (name: string): string => name.normalize('NFC').replaceAll(/\p{Zs}/gu, ' ');

/** To the letter, for real paths: the folder itself or something beneath it. False for a path that is not normal. */
export function isBeneath(folder: string, path: string): boolean {
  const separator = isWindowsPath(folder) ? '\\' : '/';
  const parts = path.split(separator);
  if (folder === '' || parts.includes('..') || parts.includes('.')) return false;
  return path === folder || path.startsWith(folder.endsWith(separator) ? folder : folder + separator);
}

/** The folders in which it lies, nearest first; of a relative path with `/`. */
export function foldersAbove(path: string): string[] {
  const names = path.split('/').slice(0, -1);
  return names.map((_, at) => names.slice(0, names.length - at).join('/'));
}

/** What lies between a folder and something beneath it, as names; null = it is not beneath it. */
export function namesBeneath(folder: string, path: string): string[] | null {
  return isBeneath(folder, path) ? splitPath(path.slice(folder.length)) : null;
}

const isWindowsPath = (path: string): boolean => /^(?:[a-z]:[\\/]|\\\\)/i.test(path);
