/** The other end of a connection, played by a test: it records what is asked and says what the test wants. */
import { AndironError, toWireError } from '../../protocol/errors.ts';
import type { ClientFrame, RequestFrame, ServerFrame } from '../../protocol/frames.ts';
import { createTransportPair, type Transport } from '../../protocol/transport.ts';
import type { Connect } from '../connection/transports.ts';

type Answer = (params: never) => unknown;

export class FakeServer {
  readonly requests: { method: string; params: unknown }[] = [];
  /** Methods of the calls that were cancelled, in that order. */
  readonly cancelled: string[] = [];
  readonly #methods = new Map<RequestFrame['id'], string>();
  readonly #answers = new Map<string, Answer>();
  readonly #waiting = new Map<string, (() => void)[]>();
  #end: Transport | null = null;
  #epoch = 'epoch-1';
  /** Set to refuse the next attempts to connect. */
  refuses = false;
  attempts = 0;

  readonly connect: Connect = () => {
    this.attempts += 1;
    if (this.refuses) return Promise.reject(new Error('refused'));
    const [client, server] = createTransportPair();
    this.#end = server;
    server.onFrame((frame) => this.#receive(frame as ClientFrame));
    this.#send({ type: 'hello', epoch: this.#epoch });
    return Promise.resolve(client);
  };

  /** What a method answers; an Error is answered as one. Without an answer, or with undefined, the call stays open. */
  answer(method: string, answer: Answer): this {
    this.#answers.set(method, answer);
    return this;
  }

  /** Resolves when a method has been asked `times` times in all. */
  async asked(method: string, times = 1): Promise<void> {
    while (this.count(method) < times) {
      await new Promise<void>((resolve) => {
        this.#waiting.set(method, [...(this.#waiting.get(method) ?? []), resolve]);
      });
    }
    await settled();
  }

  count(method: string): number {
    return this.requests.filter((request) => request.method === method).length;
  }

  last(method: string): unknown {
    return this.requests.findLast((request) => request.method === method)?.params;
  }

  publish(topic: string, seq: number, event: unknown): void {
    this.#send({ type: 'event', topic, seq, event });
  }

  /** The same connection, another process behind it. */
  greet(epoch: string): void {
    this.#epoch = epoch;
    this.#send({ type: 'hello', epoch });
  }

  drop(): void {
    this.#end?.close();
  }

  #send(frame: ServerFrame): void {
    this.#end?.send(frame);
  }

  #receive(frame: ClientFrame): void {
    if (frame.type === 'cancel') this.cancelled.push(this.#methods.get(frame.id) ?? '');
    if (frame.type !== 'request') return;
    const { method, params } = frame;
    this.#methods.set(frame.id, method);
    this.requests.push({ method, params });
    this.#reply(frame);
    const waiting = this.#waiting.get(method) ?? [];
    this.#waiting.delete(method);
    for (const resolve of waiting) resolve();
  }

  #reply({ id, method, params }: RequestFrame): void {
    const answer = this.#answers.get(method);
    if (!answer) return;
    const result = answer(params as never);
    if (result === undefined) return;
    if (result instanceof Error) {
      const error = result instanceof AndironError ? result : new AndironError('busy', result.message);
      this.#send({ type: 'response', id, ok: false, error: toWireError(error) });
    } else this.#send({ type: 'response', id, ok: true, result });
  }
}

/** Everything that was sent has arrived and been handled: the memory transport takes a few microtasks. */
export async function settled(): Promise<void> {
  for (let turn = 0; turn < 10; turn += 1) await Promise.resolve();
}
