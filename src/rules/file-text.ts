/** The text in a file of which only the bytes are known. */

/**
 * null = there is none in it. What is not UTF-8 is UTF-16 where its mark says so, else what Windows wrote for long
 * (windows-1252), as tables of an older program are.
 */
export function fileText(bytes: Uint8Array): string | null {
  const utf16 = utf16ByMark(bytes);
  const utf8 = utf16 === null ? decoded(bytes, 'utf-8') : null;
  if (utf8 !== null) return utf8.includes('\0') ? null : utf8;
  const text = decoded(bytes, utf16 ?? 'windows-1252');
  return text === null || controlSigns.test(text) ? null : text;
}

/** Nearly any bytes are windows-1252, but those of a program or a sound hold signs that no text does. */
const controlSigns = /[^\P{Cc}\s]/u;

function utf16ByMark([first, second]: Uint8Array): string | null {
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  return first === 0xff && second === 0xfe ? 'utf-16le' : null;
}

/** null = it holds what this encoding has not. */
function decoded(bytes: Uint8Array, encoding: string): string | null {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}
