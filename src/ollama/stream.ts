/**
 * A streamed answer, line by line, over a connection that can be closed at any moment. The `ollama` package is not used for
 * these: it drops lines that it cannot read, and its connection cannot be closed at a chosen moment.
 */
import type { Clock } from '../platform/clock.ts';
import { yieldToOthers } from '../platform/event-loop.ts';
import type { AndironError } from '../protocol/errors.ts';
import { endpointOf, openConnection, type Connection, type OpenConnection } from './connection.ts';
import { refusalOf } from './failures.ts';
import { LineReader, type LineOptions } from './lines.ts';

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

interface StreamOptions<T extends { done: boolean }> extends Wire, LineOptions<T> {
  path: string;
  body: object;
  onLine?: (line: T, connection: Connection) => void;
  /** Of whatever went wrong, unless the signal ended it. */
  describe: (error: unknown) => AndironError;
}

/** Yields every line, the last one with `done`. Throws AndironError, or the signal's reason. */
export async function* streamLines<T extends { done: boolean }>(
  options: StreamOptions<T>,
): AsyncGenerator<T> {
  const { url, path, body, clock, signal, connect = openConnection, onLine, describe } = options;
  const connection = connect(clock, signal);
  const reader = new LineReader(options);
  try {
    const response = await connection.fetch(endpointOf(url, path), {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    });
    if (!response.ok) throw await refusalOf(response);
    let count = 0;
    // Left early, only the connection is closed: to cancel a body that an abort has broken would throw.
    for await (const piece of response.body?.values({ preventCancel: true }) ?? []) {
      const { lines, fault } = reader.read(piece);
      // Known before anybody pauses over a line: an abort asks what came last.
      for (const line of lines) onLine?.(line, connection);
      for (const line of lines) {
        count += 1;
        yield line;
        // What came at once is read without a pause, which no timer and no other session would survive.
        if (count % linesAtOnce === 0) await yieldToOthers();
      }
      if (fault) throw fault;
      if (reader.isFinished) return;
    }
    const last = reader.end();
    if (last) yield last;
  } catch (error) {
    throw signal.aborted ? signal.reason : describe(error);
  } finally {
    if (!signal.aborted) connection.finish();
    await connection.closed();
  }
}
