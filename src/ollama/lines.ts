/** NDJSON, strictly: every line is checked before anybody sees it, and a bad line is an error of the stream. */
import type { z } from 'zod';
import { AndironError } from '../protocol/errors.ts';
import { NestedTooDeepError, parseJson } from '../protocol/json.ts';
import { maxStreamLineBytes } from '../protocol/limits.ts';
import { describeErrorLine, excerpt, unreadable } from './failures.ts';
import { errorLineSchema } from './schemas.ts';

const newline = 0x0a;

export interface LineOptions<T extends { done: boolean }> {
  schema: z.ZodType<T>;
  /** Told of each valid line, also of those that stand before a bad one in the same piece. */
  onLine: (line: T) => void;
  /** Of all lines together; no limit unless given. */
  maxBytes?: number;
  /** In whose words the stream breaks; an answer's unless given. */
  failures?: StreamFailures;
}

/** What a stream's faults are called. */
export interface StreamFailures {
  /** The server's own last words. */
  errorLine: (raw: string) => AndironError;
  /** A line that cannot be read. */
  broken: (what: string, cause?: unknown) => AndironError;
  /** The stream ended without its last line. */
  cut: (cause?: unknown) => AndironError;
}

const answerFailures: StreamFailures = {
  errorLine: describeErrorLine,
  broken: unreadable,
  cut: () =>
    new AndironError(
      'stream_cut',
      'Ollama ended the answer without saying that it was done.',
      'What came so far is kept. Send the message again to go on.',
    ),
};

/**
 * Bytes in any pieces → for each valid line, up to and including the one that says `done`, a short line that says only
 * whether it was that one. What a line holds goes to `onLine` alone: the `ollama` package, which reads what comes out
 * of here, ends or fails on keys that Ollama does not send.
 */
export function checkedLines<T extends { done: boolean }>(
  options: LineOptions<T>,
): TransformStream<Uint8Array, Uint8Array> {
  const { schema, onLine, maxBytes = Infinity, failures = answerFailures } = options;
  const { broken } = failures;
  const encoder = new TextEncoder();
  let pending: Uint8Array[] = [];
  let pendingBytes = 0;
  let totalBytes = 0;
  let finished = false;

  const keep = (part: Uint8Array): void => {
    if (finished) return;
    pending.push(part);
    pendingBytes += part.length;
    if (pendingBytes > maxStreamLineBytes) throw broken(`a line is longer than ${inMB(maxStreamLineBytes)}`);
  };

  /** A newline is never part of a character, so each line is decoded by itself. */
  const endLine = (controller: TransformStreamDefaultController<Uint8Array>): void => {
    const parts = pending;
    pending = [];
    pendingBytes = 0;
    if (parts.every(isBlank)) return;
    const text = decode(parts, broken);
    const line = parseLine(text, schema, failures);
    finished = line.done;
    onLine(line);
    controller.enqueue(encoder.encode(`{"done":${String(finished)}}\n`));
  };

  return new TransformStream({
    transform(chunk, controller) {
      totalBytes += chunk.length;
      if (totalBytes > maxBytes && !finished) throw broken(`it is longer than ${inMB(maxBytes)}`);
      let from = 0;
      for (let end = chunk.indexOf(newline); end !== -1; end = chunk.indexOf(newline, from)) {
        if (end > from) keep(chunk.subarray(from, end));
        if (pendingBytes > 0) endLine(controller);
        from = end + 1;
      }
      if (from < chunk.length) keep(chunk.subarray(from));
    },
    flush(controller) {
      endLine(controller);
      if (!finished) throw failures.cut();
    },
  });
}

const inMB = (bytes: number): string => `${String(bytes / 1024 / 1024)} MB`;

/** Blanks are told before they are decoded: a server may send millions of such lines to keep a connection open. */
const isBlank = (part: Uint8Array): boolean =>
  part.every((byte) => byte === 0x20 || (byte >= 0x09 && byte <= 0x0d));

function decode(parts: readonly Uint8Array[], broken: StreamFailures['broken']): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(parts));
  } catch (error) {
    throw broken('it is not UTF-8', error);
  }
}

function parseLine<T>(text: string, schema: z.ZodType<T>, { errorLine, broken }: StreamFailures): T {
  let value: unknown;
  try {
    value = parseJson(text);
  } catch (error) {
    const what = error instanceof NestedTooDeepError ? 'is nested too deep' : 'is not JSON';
    throw broken(`a line ${what}: ${excerpt(text, 120)}`, error);
  }
  const failure = errorLineSchema.safeParse(value);
  if (failure.success) throw errorLine(failure.data.error);
  const line = schema.safeParse(value);
  if (!line.success) throw broken(`a line has an unknown shape: ${excerpt(text, 120)}`, line.error);
  return line.data;
}
