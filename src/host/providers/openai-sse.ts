/** Server-sent events, as far as chats use them: the `data:` lines, each of which is one chunk. */
import { maxStreamBytes, maxStreamLineBytes } from '../../protocol/limits.ts';
import { unreadable, type AskedHost } from './openai-failures.ts';

const newline = 0x0a;
/** A field of the format, or a comment (RFC: HTML, "Server-sent events"); anything else is another kind of answer. */
const otherField = /^(:|event\b|id\b|retry\b)/;
const dataField = /^data:\s?/;
/** How older versions of llama-server send an error: without the object around it. */
const errorField = /^error:\s?/;

/** Yields the value of each `data:` line. Lines may come in any pieces; one that is neither field nor comment throws. */
export async function* dataLines(body: AsyncIterable<Uint8Array>, host: AskedHost): AsyncGenerator<string> {
  for await (const bytes of linesOf(body, host)) {
    const line = decode(bytes, host).trimEnd();
    if (line === '' || line === 'data:' || otherField.test(line)) continue;
    if (errorField.test(line)) yield `{"error":${line.replace(errorField, '')}}`;
    else if (dataField.test(line)) yield line.replace(dataField, '');
    else throw unreadable(host, 'it is no stream of events', line);
  }
}

async function* linesOf(body: AsyncIterable<Uint8Array>, host: AskedHost): AsyncGenerator<Uint8Array> {
  let pending: Uint8Array[] = [];
  let pendingBytes = 0;
  let totalBytes = 0;
  for await (const piece of body) {
    totalBytes += piece.length;
    if (totalBytes > maxStreamBytes) throw unreadable(host, `it is longer than ${inMB(maxStreamBytes)}`);
    let rest = piece;
    for (let end = rest.indexOf(newline); end !== -1; end = rest.indexOf(newline)) {
      yield Buffer.concat([...pending, rest.subarray(0, end)]);
      pending = [];
      pendingBytes = 0;
      rest = rest.subarray(end + 1);
    }
    pending.push(rest);
    pendingBytes += rest.length;
    if (pendingBytes > maxStreamLineBytes)
      throw unreadable(host, `a line is longer than ${inMB(maxStreamLineBytes)}`);
  }
  yield Buffer.concat(pending);
}

const inMB = (bytes: number): string => `${String(bytes / 1024 / 1024)} MB`;

/** A newline is never part of a character, so each line is decoded by itself. */
function decode(bytes: Uint8Array, host: AskedHost): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw unreadable(host, 'it is not UTF-8');
  }
}
