/** Feeds bytes to the reader of replies and says what is wrong with what came out of it. */
import { z } from 'zod';
import { streamChat, type ChatBody, type ChatOptions } from '../../../src/ollama/chat.ts';
import type { ChatLine } from '../../../src/ollama/schemas.ts';
import { systemClock } from '../../../src/platform/clock.ts';
import { AndironError, type ErrorCode } from '../../../src/protocol/errors.ts';

/** How a stream may end that was answered with 200. */
const endings: ReadonlySet<ErrorCode> = new Set(['stream_broken', 'stream_cut', 'engine_refused']);
/** An error is read by a person: longer than this, what is untrusted has flooded it. */
const maxMessageLength = 1_000;

export type ReadReply = (pieces: readonly Uint8Array[]) => AsyncIterable<ChatLine>;

export interface Reading {
  lines: ChatLine[];
  /** null = a clean end. */
  error: unknown;
  /** The longest time in which nothing came: no line and no end. */
  waitedMs: number;
}

export const body: ChatBody = {
  model: 'm',
  messages: [{ role: 'user', content: 'hi' }],
  truncate: false,
  shift: false,
};

/** The way that every reply takes, from the response on; only the socket is left out. */
export const readReply: ReadReply = (pieces) =>
  streamChat({
    url: 'http://127.0.0.1:1',
    body,
    clock: systemClock,
    signal: new AbortController().signal,
    connect: () => bytesAsConnection(pieces),
  });

function bytesAsConnection(pieces: readonly Uint8Array[]): ReturnType<NonNullable<ChatOptions['connect']>> {
  return {
    fetch: () => Promise.resolve(new Response(streamOf(pieces))),
    expectEnd: () => undefined,
    finish: () => undefined,
    closed: () => Promise.resolve(),
  };
}

/** One piece each time that the reader wants one. */
function streamOf(pieces: readonly Uint8Array[]): ReadableStream<Uint8Array> {
  const left = pieces.values();
  return new ReadableStream({
    pull(controller) {
      const next = left.next();
      if (next.done) controller.close();
      else controller.enqueue(next.value);
    },
  });
}

/** Settles always, unless the reader hangs. */
export async function readAll(reply: AsyncIterable<ChatLine>): Promise<Reading> {
  const lines: ChatLine[] = [];
  let waitedMs = 0;
  let last = performance.now();
  const tick = (): void => {
    const now = performance.now();
    waitedMs = Math.max(waitedMs, now - last);
    last = now;
  };
  try {
    for await (const line of reply) {
      lines.push(line);
      tick();
    }
    tick();
    return { lines, error: null, waitedMs };
  } catch (error) {
    tick();
    return { lines, error, waitedMs };
  }
}

/** What a reading must not be; empty = nothing is wrong with it. */
export function readingProblems(
  { lines, error }: Reading,
  known: ReadonlySet<ErrorCode> = endings,
): string[] {
  const done = lines.filter((line) => line.done).length;
  return [
    ...lines.flatMap(lineProblems),
    ...(error === null && (done !== 1 || lines.at(-1)?.done !== true)
      ? [`a clean end with ${String(done)} done`]
      : []),
    ...(error !== null && done > 0 ? ['an error after done'] : []),
    ...(error === null ? [] : errorProblems(error, known)),
    ...('polluted' in {} ? ['a prototype was changed'] : []),
  ];
}

function errorProblems(error: unknown, known: ReadonlySet<ErrorCode>): string[] {
  if (!(error instanceof AndironError)) return [`not an error for a person: ${String(error)}`];
  return [
    ...(known.has(error.code) ? [] : [`unknown code ${error.code}: ${error.message.slice(0, 200)}`]),
    ...(error.message.length > maxMessageLength
      ? [`a message of ${String(error.message.length)} characters`]
      : []),
    ...(error.advice === '' ? [`no advice: ${error.message.slice(0, 200)}`] : []),
  ];
}

const isPlain = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;

const count = z.int().nonnegative().optional();

/** What the rest of the host relies on, said anew: a slip in the reader's own schema would not see itself. */
const lineSchema = z.object({
  message: z.object({
    content: z.string(),
    thinking: z.string().optional(),
    tool_calls: z
      .array(z.object({ function: z.object({ name: z.string(), arguments: z.custom(isPlain) }) }))
      .optional(),
  }),
  done: z.boolean(),
  prompt_eval_count: count,
  eval_count: count,
  load_duration: count,
});

/** Whatever was let through can be shown, stored and sent: it is what its type says, and it can be written as JSON. */
function lineProblems(line: ChatLine): string[] {
  const { success } = lineSchema.safeParse(line);
  return success ? unwritable(line) : ['a line of the wrong shape'];
}

function unwritable(line: ChatLine): string[] {
  try {
    JSON.stringify(line);
    return [];
  } catch (error) {
    return [`a line cannot be written: ${String(error)}`];
  }
}
