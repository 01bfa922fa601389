/**
 * One request and its one reply, through the `ollama` package. Each is bounded, can be called off, and has no timeout of its
 * own. What comes back is unchecked.
 */
import { Ollama } from 'ollama';
import type { Clock } from '../platform/clock.ts';
import { openConnection, type OpenConnection } from './connection.ts';
import { boundedFetch } from './reply.ts';

export interface Call {
  url: string;
  clock: Clock;
  signal: AbortSignal;
  maxBytes: number;
  /** What is thrown in place of whatever went wrong, unless the signal ended it. */
  describe: (error: unknown) => Error;
  /** Only tests name another: one that brings bytes of their own. */
  connect?: OpenConnection | undefined;
}

/** Resolves when the connection is gone as well. Throws what `describe` makes, or the signal's reason. */
export async function callOllama<T>(
  { url, clock, signal, maxBytes, describe, connect = openConnection }: Call,
  ask: (client: Ollama) => Promise<T>,
): Promise<T> {
  const connection = connect(clock, signal);
  try {
    return await ask(new Ollama({ host: url, fetch: boundedFetch(connection, url, maxBytes) }));
  } catch (error) {
    throw signal.aborted ? signal.reason : describe(error);
  } finally {
    await connection.closed();
  }
}
