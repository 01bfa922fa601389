/** What a zip says is in it. Its words about sizes are read here and trusted nowhere. */

export interface ZipEntry {
  /** 0 = stored, 8 = deflated. */
  method: number;
  isEncrypted: boolean;
  crc: number;
  packedBytes: number;
  /** Where its own header begins. */
  at: number;
}

/** A document has far fewer. */
const maxEntries = 20_000;
const maxComment = 65_535;
const endBytes = 22;
const entryBytes = 46;
const endMark = 0x06054b50;
const entryMark = 0x02014b50;
const localMark = 0x04034b50;
const localBytes = 30;
/** A figure that is too large for its field: it stands among the extra fields. */
const elsewhere = 0xffffffff;

/** By name, the first of a name alone; nothing of one that is too large for a document. null = its list is not whole. */
export function zipEntries(bytes: Uint8Array): Map<string, ZipEntry> | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const end = findEnd(view);
  if (end === null) return null;
  const count = view.getUint16(end + 10, true);
  let at = view.getUint32(end + 16, true);
  const entries = new Map<string, ZipEntry>();
  if (at === elsewhere || count > maxEntries) return entries;
  for (let index = 0; index < count; index += 1) {
    if (at + entryBytes > end || view.getUint32(at, true) !== entryMark) return null;
    const nameLength = view.getUint16(at + 28, true);
    const extraLength = view.getUint16(at + 30, true);
    const next = at + entryBytes + nameLength + extraLength + view.getUint16(at + 32, true);
    if (next > end) return null;
    const name = nameIn(bytes.subarray(at + entryBytes, at + entryBytes + nameLength));
    if (!entries.has(name)) entries.set(name, entryAt(view, at, { nameLength, extraLength }));
    at = next;
  }
  return entries;
}

/** Where its packed bytes lie; null = not in this file. */
export function packedBytesOf(bytes: Uint8Array, { at, packedBytes }: ZipEntry): Uint8Array | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (at + localBytes > bytes.length || view.getUint32(at, true) !== localMark) return null;
  const start = at + localBytes + view.getUint16(at + 26, true) + view.getUint16(at + 28, true);
  return start + packedBytes <= bytes.length ? bytes.subarray(start, start + packedBytes) : null;
}

/** UTF-8, as writers of documents have it; what is not stays as single signs. */
function nameIn(bytes: Uint8Array): string {
  const signs = Array.from(bytes, (byte) => String.fromCharCode(byte)).join('');
  if (bytes.every((byte) => byte < 0x80)) return signs;
  try {
    return decodeURIComponent(Array.from(bytes, (byte) => `%${byte.toString(16).padStart(2, '0')}`).join(''));
  } catch {
    return signs;
  }
}

function findEnd(view: DataView): number | null {
  const last = view.byteLength - endBytes;
  for (let at = last; at >= Math.max(0, last - maxComment); at -= 1)
    if (view.getUint32(at, true) === endMark) return at;
  return null;
}

function entryAt(
  view: DataView,
  at: number,
  { nameLength, extraLength }: { nameLength: number; extraLength: number },
): ZipEntry {
  const packed = view.getUint32(at + 20, true);
  const unpacked = view.getUint32(at + 24, true);
  const header = view.getUint32(at + 42, true);
  const entry = {
    isEncrypted: (view.getUint16(at + 8, true) & 1) === 1,
    method: view.getUint16(at + 10, true),
    crc: view.getUint32(at + 16, true),
    packedBytes: packed,
    at: header,
  };
  if (packed !== elsewhere && header !== elsewhere) return entry;
  const large = largeFigures(view, at + entryBytes + nameLength, extraLength);
  if (unpacked === elsewhere) large.shift();
  if (packed === elsewhere) entry.packedBytes = large.shift() ?? packed;
  if (header === elsewhere) entry.at = large.shift() ?? header;
  return entry;
}

/** Of the extra field of zip64, in their order. */
function largeFigures(view: DataView, start: number, length: number): number[] {
  for (let at = start; at + 4 <= start + length;) {
    const size = view.getUint16(at + 2, true);
    if (at + 4 + size > start + length) return [];
    if (view.getUint16(at, true) === 1)
      return Array.from({ length: Math.floor(size / 8) }, (_, index) =>
        Number(view.getBigUint64(at + 4 + index * 8, true)),
      ).slice(0, 3);
    at += 4 + size;
  }
  return [];
}
