/** Files that a tool brings out, read from what it returns before anything of that is cut. Never throws: it is untrusted. */
import { basename, extname } from 'node:path';
import { pathToFileURL } from 'node:url';
import { documentMimes } from '../../rules/document-kind.ts';
import type { BroughtFile } from './tool.ts';
import type { Place } from './workspace-path.ts';

/** Of one result; more is a list of what was found. */
const maxFiles = 50;
const maxNameLength = 200;
const maxUrlLength = 2_048;

const mimes: ReadonlyMap<string, string> = new Map([
  ['.md', 'text/markdown'],
  ['.html', 'text/html'],
  ['.css', 'text/css'],
  ['.csv', 'text/csv'],
  ['.json', 'application/json'],
  ['.svg', 'image/svg+xml'],
  ['.docx', documentMimes.docx],
]);

/** What was written to a place in the folder. */
export function writtenFile({ path, shown }: Place, content: string | Uint8Array): BroughtFile {
  return {
    name: basename(path),
    path: shown,
    url: pathToFileURL(path).href,
    bytes: Buffer.byteLength(content),
    mime: mimes.get(extname(path).toLowerCase()) ?? 'text/plain',
  };
}

/** A top-level `url`, and each entry of `files` that has one. Whatever else is there is passed over. */
export function filesIn(value: unknown): BroughtFile[] {
  try {
    if (!isRecord(value)) return [];
    const { files } = value;
    const listed: unknown[] = Array.isArray(files) ? files.slice(0, maxFiles) : [];
    return [value, ...listed].flatMap(fileIn).slice(0, maxFiles);
  } catch {
    // A value may have properties that throw.
    return [];
  }
}

function fileIn(entry: unknown): BroughtFile[] {
  if (!isRecord(entry)) return [];
  const { url, filename, name, mime, bytes } = entry;
  if (typeof url !== 'string' || url === '' || url.length > maxUrlLength) return [];
  const named = [filename, name].find((each) => typeof each === 'string' && each.trim() !== '');
  return [
    {
      name: typeof named === 'string' ? named.slice(0, maxNameLength).toWellFormed() : 'file',
      path: null,
      url: url.toWellFormed(),
      bytes: Number.isSafeInteger(bytes) && Number(bytes) >= 0 ? Number(bytes) : null,
      mime: typeof mime === 'string' ? mime.slice(0, maxNameLength) : 'application/octet-stream',
    },
  ];
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
