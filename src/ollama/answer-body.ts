/**
 * The body of an answer, and the end of its connection after an abort: at a quiet moment, because closing against a waiting
 * line can cost Ollama the model's only slot (docs/engine.md, Cancelling).
 */
import type { ClientRequest, IncomingMessage } from 'node:http';
import type { Clock, Timer } from '../platform/clock.ts';

/** Closed once no line came for this long … */
const quietMs = 4;
/** … and at the latest after this, from the abort. After a tool-call line the end is awaited this long. */
const maxQuietWaitMs = 40;

/** Closes the connection of a request whose reader has gone. */
export class QuietClose {
  readonly #sent: Pick<ClientRequest, 'destroy'>;
  readonly #clock: Pick<Clock, 'after'>;
  readonly #isEndExpected: () => boolean;
  #quiet: Timer | undefined;
  #latest: Timer | undefined;

  /** @param isEndExpected whether the server is about to end the answer itself, so that silence is no reason to close */
  constructor(
    sent: Pick<ClientRequest, 'destroy'>,
    clock: Pick<Clock, 'after'>,
    isEndExpected: () => boolean,
  ) {
    this.#sent = sent;
    this.#clock = clock;
    this.#isEndExpected = isEndExpected;
  }

  begin(): void {
    this.#latest = this.#clock.after(maxQuietWaitMs, () => this.#close());
    this.heard();
  }

  /** Something came: the silence is counted from here. */
  heard(): void {
    this.#quiet?.cancel();
    if (!this.#isEndExpected()) this.#quiet = this.#clock.after(quietMs, () => this.#close());
  }

  cancel(): void {
    this.#quiet?.cancel();
    this.#latest?.cancel();
  }

  #close(): void {
    this.cancel();
    this.#sent.destroy();
  }
}

/** Fails with the reason of `signal` at once; `quietClose` then ends the connection. Whoever cancels it closes at once. */
export function bodyOf(
  incoming: IncomingMessage,
  sent: ClientRequest,
  signal: AbortSignal,
  quietClose: QuietClose,
): ReadableStream<Uint8Array> {
  let open = true;
  /** Once, and never after the reader has gone: a closed stream answers by throwing into the socket's events. */
  const settle = (act: () => void): void => {
    if (!open) return;
    open = false;
    act();
  };

  return new ReadableStream<Uint8Array>({
    start(controller) {
      const onAbort = (): void => {
        settle(() => controller.error(signal.reason));
        // From here on bytes are read and dropped, to see when it is quiet.
        incoming.resume();
        quietClose.begin();
      };

      incoming.on('data', (chunk: Buffer) => {
        if (signal.aborted) {
          quietClose.heard();
          return;
        }
        if (!open) return;
        controller.enqueue(chunk);
        if ((controller.desiredSize ?? 1) <= 0) incoming.pause();
      });
      incoming.on('end', () => settle(() => controller.close()));
      incoming.on('error', (error) => settle(() => controller.error(error)));
      incoming.on('close', () => {
        quietClose.cancel();
        signal.removeEventListener('abort', onAbort);
        settle(() => controller.error(new Error('The connection was closed in the middle of the answer.')));
      });
      signal.addEventListener('abort', onAbort, { once: true });
      if (signal.aborted) onAbort();
    },
    pull() {
      incoming.resume();
    },
    cancel() {
      settle(() => sent.destroy());
    },
  });
}
