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

/** Bytes in any pieces → checked lines, up to and including the one that says `done`. */
export class LineReader<T extends { done: boolean }> {
  readonly #schema: z.ZodType<T>;
  readonly #maxBytes: number;
  readonly #failures: StreamFailures;
  #pending: Uint8Array[] = [];
  #pendingBytes = 0;
  #totalBytes = 0;
  #isFinished = false;

  constructor({ schema, maxBytes = Infinity, failures = answerFailures }: LineOptions<T>) {
    this.#schema = schema;
    this.#maxBytes = maxBytes;
    this.#failures = failures;
  }

  get isFinished(): boolean {
    return this.#isFinished;
  }

  /** The lines that this piece ends, and what is wrong behind them; undefined = nothing. */
  read(piece: Uint8Array): { lines: T[]; fault: AndironError | undefined } {
    const lines: T[] = [];
    const fault = this.#failing(() => {
      this.#totalBytes += piece.length;
      if (this.#totalBytes > this.#maxBytes)
        throw this.#failures.broken(`it is longer than ${inMB(this.#maxBytes)}`);
      let from = 0;
      let end = piece.indexOf(newline);
      for (; end !== -1 && !this.#isFinished; end = piece.indexOf(newline, from)) {
        this.#keep(piece.subarray(from, end));
        const line = this.#endLine();
        if (line) lines.push(line);
        from = end + 1;
      }
      if (!this.#isFinished) this.#keep(piece.subarray(from));
    });
    return { lines, fault };
  }

  /** The last line, where no newline ended it. Throws where the stream does not end with `done`. */
  end(): T | undefined {
    const line = this.#endLine();
    if (!this.#isFinished) throw this.#failures.cut();
    return line;
  }

  #failing(act: () => void): AndironError | undefined {
    try {
      act();
      return undefined;
    } catch (error) {
      if (error instanceof AndironError) return error;
      throw error;
    }
  }

  #keep(part: Uint8Array): void {
    this.#pending.push(part);
    this.#pendingBytes += part.length;
    if (this.#pendingBytes > maxStreamLineBytes)
      throw this.#failures.broken(`a line is longer than ${inMB(maxStreamLineBytes)}`);
  }

  /** A newline is never part of a character, so each line is decoded by itself. */
  #endLine(): T | undefined {
    const parts = this.#pending;
    this.#pending = [];
    this.#pendingBytes = 0;
    if (parts.every(isBlank)) return undefined;
    const line = parseLine(decode(parts, this.#failures.broken), this.#schema, this.#failures);
    this.#isFinished = line.done;
    return line;
  }
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
