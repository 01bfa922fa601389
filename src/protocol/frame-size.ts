/** How large a frame is, counted without writing it: a port hands over objects, not text. */

const quotes = 2;
/** Of a number, a boolean or null, with what separates it. */
const scalarBytes = 8;

/** True when `value` as JSON text has more than about `most` bytes. Stops counting there. */
export function isLargerThan(value: unknown, most: number): boolean {
  const open: unknown[] = [value];
  let left = most;
  while (open.length > 0) {
    const current = open.pop();
    if (typeof current === 'string') left -= bytesOf(current, left);
    else if (typeof current !== 'object' || current === null) left -= scalarBytes;
    else if (current instanceof ArrayBuffer || ArrayBuffer.isView(current)) left -= current.byteLength;
    else if (Array.isArray(current)) left = pushAll(current, open, left);
    else {
      for (const key of Object.keys(current)) left -= bytesOf(key, left);
      left = pushAll(Object.values(current), open, left);
    }
    if (left < 0) return true;
  }
  return false;
}

/** A list of a million numbers is refused before they are looked at. */
function pushAll(values: readonly unknown[], open: unknown[], left: number): number {
  const rest = left - quotes - values.length;
  if (rest >= 0) for (const value of values) open.push(value);
  return rest;
}

/** In UTF-8, with its quotes; no more than shows that it is too long. */
function bytesOf(text: string, most: number): number {
  let bytes = text.length + quotes;
  for (let at = 0; at < text.length && bytes <= most; at += 1) {
    const code = text.charCodeAt(at);
    if (code >= 0x80) bytes += code >= 0x800 ? 2 : 1;
  }
  return bytes;
}
