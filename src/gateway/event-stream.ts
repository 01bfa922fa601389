/** Server-sent events of one answer. */
import type { ServerResponse } from 'node:http';
import { maxFrameBytes } from '../protocol/limits.ts';
import { bodyOf, type ApiFailure } from './api-failure.ts';

export interface EventStream {
  /** Whether the answer has begun, so that its status is said. */
  isOpen: () => boolean;
  send(event: object): void;
  /** The answer is whole. */
  end(): void;
  /** It ends here, without the mark of a whole one. */
  fail(failure: ApiFailure): void;
}

export function createEventStream(response: ServerResponse): EventStream {
  const write = (data: string): void => {
    if (!response.headersSent)
      response.writeHead(200, {
        'Content-Type': 'text/event-stream; charset=utf-8',
        'Cache-Control': 'no-store',
      });
    // Whoever does not read would have all of it kept here.
    if (response.writableLength > maxFrameBytes) response.destroy();
    else response.write(`data: ${data}\n\n`);
  };
  return {
    isOpen: () => response.headersSent,
    send: (event) => write(JSON.stringify(event)),
    end() {
      write('[DONE]');
      response.end();
    },
    fail(failure) {
      write(JSON.stringify(bodyOf(failure)));
      response.end();
    },
  };
}
