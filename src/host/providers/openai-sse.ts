/** Server-sent events, as far as chats use them: the `data:` lines, each of which is one chunk. */
import { yieldToOthers } from '../../platform/event-loop.ts';
import { maxStreamBytes, maxStreamLineBytes } from '../../protocol/limits.ts';
import { unreadable, type AskedHost } from './openai-failures.ts';

const newline = 0x0a;
/** Lines of one piece that are read before others get their turn. */
const linesAtOnce = 100;
/** A field of the format, or a comment (RFC: HTML, "Server-sent events"); anything else is another kind of answer. */
const otherField = /^(:|event\b|id\b|retry\b)/;
const dataField = /^data:\s?/;
/** How older versions of llama-server send an error: without the object around it. */
const errorField = /^error:\s?/;

/** Yields the value of each `data:` line. Lines may come in any pieces; one that is neither field nor comment throws. */
export async function* dataLines(body: AsyncIterable<Uint8Array>, host: AskedHost): AsyncGenerator<string> {
  let lines = 0;
  for await (const bytes of linesOf(body, host)) {
    lines += 1;
    // What came at once is read without a pause, which no timer and no other session would survive.
    if (lines % linesAtOnce === 0) await yieldToOthers();
    const line = decode(bytes, host).trimEnd();
    if (line === '' || line === 'data:' || otherField.test(line)) continue;
    if (errorField.test(line)) yield `{"error":${line.replace(errorField, '')}}`;
    else if (dataField.test(line)) yield line.replace(dataField, '');
    else throw unreadable(host, 'it is no stream of events', line);
  }
}

/** Each line that is not blank: those stand behind every chunk, and a host may send millions to keep a connection open. */
async function* linesOf(body: AsyncIterable<Uint8Array>, host: AskedHost): AsyncGenerator<Uint8Array> {
  let pending: Uint8Array[] = [];
  let pendingBytes = 0;
  let totalBytes = 0;
  const keep = (part: Uint8Array): void => {
    pending.push(part);
    pendingBytes += part.length;
    if (pendingBytes > maxStreamLineBytes)
      throw unreadable(host, `a line is longer than ${inMB(maxStreamLineBytes)}`);
  };
  const endLine = (): Uint8Array | null => {
    const parts = pending;
    pending = [];
    pendingBytes = 0;
    return parts.every(isBlank) ? null : Buffer.concat(parts);
  };
  for await (const piece of body) {
    totalBytes += piece.length;
    if (totalBytes > maxStreamBytes) throw unreadable(host, `it is longer than ${inMB(maxStreamBytes)}`);
    let from = 0;
    for (let end = piece.indexOf(newline); end !== -1; end = piece.indexOf(newline, from)) {
      if (end > from) keep(piece.subarray(from, end));
      const line = endLine();
      if (line) yield line;
      from = end + 1;
    }
    if (from < piece.length) keep(piece.subarray(from));
  }
  const last = endLine();
  if (last) yield last;
}

const isBlank = (part: Uint8Array): boolean =>
  part.every((byte) => byte === 0x20 || (byte >= 0x09 && byte <= 0x0d));

const inMB = (bytes: number): string => `${String(bytes / 1024 / 1024)} MB`;

/** A newline is never part of a character, so each line is decoded by itself. */
function decode(bytes: Uint8Array, host: AskedHost): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw unreadable(host, 'it is not UTF-8');
  }
}
