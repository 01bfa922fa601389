/** Server-sent events of one answer. */
import type { ServerResponse } from 'node:http';
import type { Clock, Timer } from '../platform/clock.ts';
import { maxFrameBytes } from '../protocol/limits.ts';
import { bodyOf, type ApiFailure } from './api-failure.ts';

export interface EventStream {
  /** Whether the answer has begun, so that its status is said. */
  isOpen: () => boolean;
  /** `name`: for clients that know events by it. */
  send(event: object, name?: string): void;
  /** The answer is whole, and says so by the mark that chat clients wait for. */
  end(): void;
  /** The answer is whole, as its last event has said. */
  close(): void;
  /** It ends here, without the mark of a whole one. Nothing happens where it has ended. */
  fail(failure: ApiFailure): void;
}

/** A model may read its prompt for minutes; clients and proxies take silence of half a minute or more for a lost one. */
const keepAliveMs = 15_000;

export function createEventStream(response: ServerResponse, clock: Pick<Clock, 'after'>): EventStream {
  let keepAlive: Timer | undefined;
  const write = (text: string): void => {
    keepAlive?.cancel();
    if (response.writableEnded || response.destroyed) return;
    if (!response.headersSent)
      response.writeHead(200, {
        'Content-Type': 'text/event-stream; charset=utf-8',
        'Cache-Control': 'no-store',
        'X-Content-Type-Options': 'nosniff',
      });
    // Whoever does not read would have all of it kept here.
    if (response.writableLength > maxFrameBytes) response.destroy();
    else response.write(`${text}\n\n`);
    keepAlive = clock.after(keepAliveMs, () => write(': nothing new yet'));
  };
  const close = (): void => {
    keepAlive?.cancel();
    response.end();
  };
  response.on('close', () => keepAlive?.cancel());
  return {
    isOpen: () => response.headersSent,
    send: (event, name) =>
      write(`${name === undefined ? '' : `event: ${name}\n`}data: ${JSON.stringify(event)}`),
    end() {
      write('data: [DONE]');
      close();
    },
    close,
    fail(failure) {
      write(`data: ${JSON.stringify(bodyOf(failure))}`);
      close();
    },
  };
}
