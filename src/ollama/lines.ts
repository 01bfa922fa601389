/** NDJSON, strictly: every line is checked before anybody sees it, and a bad line is an error of the stream. */
import type { z } from 'zod';
import { AndironError } from '../protocol/errors.ts';
import { errorLineSchema } from './schemas.ts';

/** A tool call that carries a file is one line; the runner's own limit for an event is 8 MB (contract 8). */
export const longestLineBytes = 32 * 1024 * 1024;

export interface LineOptions<T extends { done: boolean }> {
  schema: z.ZodType<T>;
  /** Told of each valid line before it is passed on. */
  onLine: (line: T) => void;
}

/** Bytes in any pieces → one chunk per valid line, up to and including the one that says `done`. */
export function checkedLines<T extends { done: boolean }>(
  options: LineOptions<T>,
): TransformStream<Uint8Array, Uint8Array> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const encoder = new TextEncoder();
  let parts: string[] = [];
  let pendingLength = 0;
  let finished = false;

  const pass = (text: string, controller: TransformStreamDefaultController<Uint8Array>): void => {
    if (finished || text.trim() === '') return;
    const line = parseLine(text, options.schema);
    finished = line.done;
    options.onLine(line);
    controller.enqueue(encoder.encode(`${text}\n`));
  };

  return new TransformStream({
    transform(chunk, controller) {
      const pieces = decode(decoder, chunk).split('\n');
      const last = pieces.pop() ?? '';
      for (const piece of pieces) {
        parts.push(piece);
        pass(parts.join(''), controller);
        parts = [];
        pendingLength = 0;
      }
      parts.push(last);
      pendingLength += last.length;
      if (pendingLength > longestLineBytes) {
        throw broken(`a line is longer than ${longestLineBytes / 1024 / 1024} MB`);
      }
    },
    flush(controller) {
      pass(parts.join('') + decode(decoder), controller);
      if (!finished) {
        throw new AndironError(
          'stream_cut',
          'Ollama ended the answer without saying that it was done.',
          'What came so far is kept. Send the message again to go on.',
        );
      }
    },
  });
}

function decode(decoder: InstanceType<typeof TextDecoder>, chunk?: Uint8Array): string {
  try {
    return chunk ? decoder.decode(chunk, { stream: true }) : decoder.decode();
  } catch (error) {
    throw broken('it is not UTF-8', error);
  }
}

function parseLine<T>(text: string, schema: z.ZodType<T>): T {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw broken(`a line is not JSON: ${text.slice(0, 120)}`, error);
  }
  const failure = errorLineSchema.safeParse(value);
  if (failure.success) {
    throw new AndironError(
      'engine_refused',
      `Ollama stopped in the middle of the answer: ${failure.data.error}`,
      'What came so far is kept. Send the message again to go on.',
    );
  }
  const line = schema.safeParse(value);
  if (!line.success) throw broken(`a line has an unknown shape: ${text.slice(0, 120)}`, line.error);
  return line.data;
}

function broken(what: string, cause?: unknown): AndironError {
  return new AndironError(
    'stream_broken',
    `Ollama's answer could not be read: ${what}.`,
    'What came so far is kept. If it happens again, restart Ollama.',
    { cause },
  );
}
