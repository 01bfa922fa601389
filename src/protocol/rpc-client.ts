/** The asking half of a connection. No zod: the renderer uses it too. */
import type { z } from 'zod';
import { AndironError, fromWireError } from './errors.ts';
import { isLargerThan } from './frame-size.ts';
import type { RequestFrame, ServerFrame } from './frames.ts';
import { maxFrameBytes } from './limits.ts';
import type { Transport } from './transport.ts';

type MethodMap = Record<string, { params: z.ZodType; result: z.ZodType }>;
export type Params<M extends MethodMap, K extends keyof M> = z.input<M[K]['params']>;
type Result<M extends MethodMap, K extends keyof M> = z.output<M[K]['result']>;

export interface RpcClient<M extends MethodMap> {
  /** Rejects with AndironError; `cancelled` once the signal fires, `disconnected` when the connection is gone. */
  call<K extends keyof M & string>(
    name: K,
    params: Params<M, K>,
    signal?: AbortSignal,
    /** Gets a result that was already on its way when the call was cancelled: what it grants can be given back. */
    late?: (result: Result<M, K>) => void,
  ): Promise<Result<M, K>>;
  /** Every event of the connection; whoever subscribes buffers what comes before the snapshot. */
  onEvent(listener: (topic: string, seq: number, event: unknown) => void): () => void;
  onHello(listener: (epoch: string) => void): void;
  onClose(listener: () => void): void;
  close(): void;
}

interface Pending {
  resolve: (result: unknown) => void;
  reject: (error: AndironError) => void;
}

/** Sent, it would be refused at the other end. */
const tooLarge = (): AndironError =>
  new AndironError(
    'invalid_params',
    `This is larger than ${String(maxFrameBytes / 1024 / 1024)} MB, so it was not sent.`,
    'Make it smaller, or attach it as a file.',
  );

export function createRpcClient<M extends MethodMap>(transport: Transport): RpcClient<M> {
  const pending = new Map<number, Pending>();
  const eventListeners = new Set<(topic: string, seq: number, event: unknown) => void>();
  const helloListeners: ((epoch: string) => void)[] = [];
  let epoch: string | undefined;
  let nextId = 1;
  let closed = false;

  const settle = (id: number): Pending | undefined => {
    const entry = pending.get(id);
    pending.delete(id);
    return entry;
  };

  transport.onFrame((raw) => {
    const frame = raw as ServerFrame;
    switch (frame.type) {
      case 'hello':
        epoch = frame.epoch;
        for (const listener of helloListeners) listener(frame.epoch);
        break;
      case 'response':
        if (frame.ok) settle(frame.id)?.resolve(frame.result);
        else settle(frame.id)?.reject(fromWireError(frame.error));
        break;
      case 'event':
        for (const listener of eventListeners) listener(frame.topic, frame.seq, frame.event);
        break;
    }
  });
  transport.onClose(() => {
    closed = true;
    for (const entry of pending.values())
      entry.reject(new AndironError('disconnected', 'The connection was lost.'));
    pending.clear();
  });

  return {
    call(name, params, signal, late) {
      return new Promise((resolve, reject) => {
        if (closed) {
          reject(new AndironError('disconnected', 'The connection was lost.'));
          return;
        }
        if (signal?.aborted) {
          reject(new AndironError('cancelled', 'Cancelled before it was sent.'));
          return;
        }
        const id = nextId++;
        const frame: RequestFrame = { type: 'request', id, method: name, params };
        if (isLargerThan(frame, maxFrameBytes)) {
          reject(tooLarge());
          return;
        }
        const onAbort = (): void => {
          if (!settle(id)) return;
          if (late) pending.set(id, { resolve: (result) => late(result as never), reject: () => undefined });
          transport.send({ type: 'cancel', id });
          reject(new AndironError('cancelled', 'Cancelled.'));
        };
        signal?.addEventListener('abort', onAbort, { once: true });
        const done = (): void => signal?.removeEventListener('abort', onAbort);
        pending.set(id, {
          resolve: (result) => {
            done();
            resolve(result as never);
          },
          reject: (error) => {
            done();
            reject(error);
          },
        });
        transport.send(frame);
      });
    },
    onEvent(listener) {
      eventListeners.add(listener);
      return () => eventListeners.delete(listener);
    },
    onHello(listener) {
      helloListeners.push(listener);
      if (epoch !== undefined) listener(epoch);
    },
    onClose: (listener) => transport.onClose(listener),
    close: () => transport.close(),
  };
}
