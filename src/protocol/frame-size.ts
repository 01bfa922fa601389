/** How large a frame is, counted without writing it: a port hands over objects, not text. */

/** Of a text, a list or an object: quotes or brackets. */
const aroundBytes = 2;

/** True when `value` as JSON text has more than `most` bytes in UTF-8. Stops counting there. */
export function isLargerThan(value: unknown, most: number): boolean {
  const open: unknown[] = [value];
  let left = most;
  while (open.length > 0) {
    const current = open.pop();
    if (typeof current === 'string') left -= bytesOf(current, left);
    else if (typeof current !== 'object' || current === null) left -= scalarBytes(current);
    else if (current instanceof ArrayBuffer || ArrayBuffer.isView(current)) left -= current.byteLength;
    else if (Array.isArray(current)) left = pushAll(current, open, left);
    else {
      const keys = Object.keys(current);
      // A colon each.
      left -= keys.length;
      for (const key of keys) left -= bytesOf(key, left);
      left = pushAll(Object.values(current), open, left);
    }
    if (left < 0) return true;
  }
  return false;
}

/** A list of a million numbers is refused before they are looked at. */
function pushAll(values: readonly unknown[], open: unknown[], left: number): number {
  const rest = left - aroundBytes - Math.max(0, values.length - 1);
  if (rest >= 0) for (const value of values) open.push(value);
  return rest;
}

/** What is no value of JSON counts as null. */
function scalarBytes(value: unknown): number {
  const isWritten = typeof value === 'boolean' || (typeof value === 'number' && Number.isFinite(value));
  return isWritten ? String(value).length : 4;
}

/** With its quotes; no more than shows that it is too long. */
function bytesOf(text: string, most: number): number {
  let bytes = text.length + aroundBytes;
  if (bytes > most) return bytes;
  // Most texts are plain, and a pattern says so several times as fast as a look at each of their characters.
  const first = text.search(notPlain);
  if (first === -1) return bytes;
  for (let at = first; at < text.length && bytes <= most; at += 1) bytes += bytesBeyondOne(text, at);
  return bytes;
}

/** What takes more than one byte. */
const notPlain = /[^ !#-[\]-\u007F]/;
const [quote, backslash] = [0x22, 0x5c];
/** Controls with a short form: \b, \t, \n, \f, \r. */
const short = new Set([0x08, 0x09, 0x0a, 0x0c, 0x0d]);

/** Of the code unit there: more for what JSON escapes, and for what is not ASCII. */
function bytesBeyondOne(text: string, at: number): number {
  const code = text.charCodeAt(at);
  if (code < 0x20) return short.has(code) ? 1 : 5;
  if (code < 0x80) return code === quote || code === backslash ? 1 : 0;
  if (code < 0x800) return 1;
  if (code < 0xd800 || code > 0xdfff) return 2;
  return isPaired(text, at, code) ? 1 : 5;
}

/** One half of a character; a half without its other is written as an escape. */
function isPaired(text: string, at: number, code: number): boolean {
  const isFirst = code < 0xdc00;
  const other = text.charCodeAt(isFirst ? at + 1 : at - 1);
  return isFirst ? other >= 0xdc00 && other <= 0xdfff : other >= 0xd800 && other < 0xdc00;
}
