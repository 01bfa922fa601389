/** A stream of the `ollama` package whose every line is checked, over a connection that can be closed at any moment. */
import { Ollama } from 'ollama';
import type { Clock } from '../platform/clock.ts';
import { yieldToOthers } from '../platform/event-loop.ts';
import type { AndironError } from '../protocol/errors.ts';
import { openConnection, type Connection, type OpenConnection } from './connection.ts';
import { checkedLines, type LineOptions } from './lines.ts';

export interface Wire {
  url: string;
  clock: Clock;
  /** Its reason is what the iterator throws; the connection is closed before that. */
  signal: AbortSignal;
  /** Only tests name another: one that brings bytes of their own. */
  connect?: OpenConnection;
}

/** Lines of one piece that are read before others get their turn. */
const linesAtOnce = 100;

interface StreamOptions<T extends { done: boolean }>
  extends Wire, Pick<LineOptions<T>, 'schema' | 'failures' | 'maxBytes'> {
  ask: (client: Ollama) => Promise<AsyncIterable<unknown>>;
  onLine?: (line: T, connection: Connection) => void;
  /** Of whatever went wrong, unless the signal ended it. */
  describe: (error: unknown) => AndironError;
}

/** Yields every line, the last one with `done`. Throws AndironError, or the signal's reason. */
export async function* streamLines<T extends { done: boolean }>({
  url,
  clock,
  signal,
  connect = openConnection,
  ask,
  onLine,
  describe,
  ...reading
}: StreamOptions<T>): AsyncGenerator<T> {
  const connection = connect(clock, signal);
  const queue: T[] = [];
  const keep = (line: T): void => {
    onLine?.(line, connection);
    queue.push(line);
  };
  const client = new Ollama({
    host: url,
    fetch: async (input, init) => {
      const response = await connection.fetch(input, init);
      if (!response.ok || !response.body) return response;
      const lines = checkedLines({ ...reading, onLine: keep });
      return new Response(response.body.pipeThrough(lines), { status: response.status });
    },
  });
  try {
    let lines = 0;
    for await (const _ of await ask(client)) {
      lines += 1;
      // What came at once is read without a pause, which no timer and no other session would survive.
      if (lines % linesAtOnce === 0) await yieldToOthers();
      const line = queue.shift();
      if (line) yield line;
    }
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    // Valid lines that came together with the fault.
    yield* queue;
    throw describe(error);
  } finally {
    if (!signal.aborted) connection.finish();
    await connection.closed();
  }
}
