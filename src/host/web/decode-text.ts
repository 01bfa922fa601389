/** The bytes of a page as text, by what its server, its first bytes and its own head say of them. */
import { TextDecoder } from 'node:util';

const textKinds =
  /^(?:text\/[\w.+-]+|application\/(?:xhtml\+xml|json|xml|javascript|ecmascript|yaml|x-yaml|toml|[\w.-]+\+(?:json|xml)))$/;

const kindOf = (type: string): string => (type.split(';')[0] ?? '').trim().toLowerCase();

/** A server that does not say what it sends is believed to send text, until the text is seen. */
export const readableKind = (type: string): boolean => type.trim() === '' || textKinds.test(kindOf(type));

const htmlStart = /^\s*<(?:!doctype\s+html|html|head|body)\b/i;

export function isHtml(type: string, body: Uint8Array): boolean {
  const kind = kindOf(type);
  if (kind === 'text/html' || kind === 'application/xhtml+xml') return true;
  return kind === '' && htmlStart.test(Buffer.from(body.subarray(0, 512)).toString('latin1'));
}

/** null = it is no text. */
export function decodeText(body: Uint8Array, type: string): string | null {
  const decoder = decoderFor(body, type);
  const text = decoder.decode(body);
  return text.includes('\0') ? null : text;
}

/** What is said of the bytes, the surest first (WHATWG HTML, "determining the character encoding"). */
function decoderFor(body: Uint8Array, type: string): TextDecoder {
  const named = [byMark(body), /charset\s*=\s*["']?([^\s"';]+)/i.exec(type)?.[1], inHead(body)];
  for (const label of named) {
    const decoder = label === undefined ? null : decoderOf(label);
    if (decoder) return decoder;
  }
  return isUtf8(body) ? new TextDecoder() : new TextDecoder('windows-1252');
}

function byMark([first, second, third]: Uint8Array): string | undefined {
  if (first === 0xef && second === 0xbb && third === 0xbf) return 'utf-8';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  return first === 0xff && second === 0xfe ? 'utf-16le' : undefined;
}

/** Whoever can read it as ASCII is no UTF-16, whatever it says of itself. */
function inHead(body: Uint8Array): string | undefined {
  const head = Buffer.from(body.subarray(0, 1024)).toString('latin1');
  const label = /<meta[^>]{0,200}?charset\s*=\s*["']?([^\s"'/>;]+)/i.exec(head)?.[1];
  return label?.toLowerCase().startsWith('utf-16') ? 'utf-8' : label;
}

/** null = nobody knows such a set of characters. */
function decoderOf(label: string): TextDecoder | null {
  try {
    return new TextDecoder(label);
  } catch {
    return null;
  }
}

function isUtf8(body: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(body);
    return true;
  } catch {
    return false;
  }
}
