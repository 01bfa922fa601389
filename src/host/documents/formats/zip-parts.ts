/** Parts of a document that is a zip, by their exact names. What is unpacked is counted, whatever the zip says of it. */
import { crc32, inflateRawSync } from 'node:zlib';
import { packedBytesOf, zipEntries, type ZipEntry } from '../../../rules/zip-entries.ts';
import { UnreadableDocument, unpackingLimit } from '../reading-limits.ts';

export interface ZipParts {
  has(name: string): boolean;
  /** Throws UnreadableDocument for one that is not there, damaged or encrypted, and once all parts are too large together. */
  read(name: string): Uint8Array;
  text(name: string): string;
}

const stored = 0;
const deflated = 8;

export function openZip(bytes: Uint8Array): ZipParts {
  const entries = zipEntries(bytes);
  if (!entries) throw new UnreadableDocument('broken');
  let left = unpackingLimit(bytes.length);

  const read = (name: string): Uint8Array => {
    const entry = entries.get(name);
    if (!entry) throw new UnreadableDocument('broken', { cause: new Error(`there is no ${name}`) });
    const content = unpack(bytes, entry, left);
    left -= content.length;
    return content;
  };

  return { has: (name) => entries.has(name), read, text: (name) => decode(read(name)) };
}

function unpack(bytes: Uint8Array, entry: ZipEntry, limit: number): Uint8Array {
  if (entry.isEncrypted) throw new UnreadableDocument('protected');
  const packed = packedBytesOf(bytes, entry);
  if (!packed) throw new UnreadableDocument('broken');
  const content = inflate(packed, entry.method, limit);
  if (content.length > limit) throw new UnreadableDocument('unpacks');
  if (crc32(content) !== entry.crc) throw new UnreadableDocument('broken');
  return content;
}

function inflate(packed: Uint8Array, method: number, limit: number): Uint8Array {
  if (method === stored) return packed;
  if (method !== deflated) throw new UnreadableDocument('broken');
  try {
    return inflateRawSync(packed, { maxOutputLength: limit + 1 });
  } catch (error) {
    const isTooLarge = error instanceof RangeError;
    throw new UnreadableDocument(isTooLarge ? 'unpacks' : 'broken', { cause: error });
  }
}

/** XML is UTF-8 unless its mark says that it is UTF-16. */
function decode(content: Uint8Array): string {
  const [first, second] = content;
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(content);
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be').decode(content);
  return new TextDecoder().decode(content);
}

/** `ppt/slides/../media/a.png` without its dots, from the folder of the part that names it. */
export function resolvePart(from: string, target: string): string {
  const named = target.startsWith('/') ? [] : from.split('/').slice(0, -1);
  for (const step of target.split('/')) {
    if (step === '..') named.pop();
    else if (step !== '.' && step !== '') named.push(step);
  }
  return named.join('/');
}
