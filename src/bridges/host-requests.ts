/** Requests of a bridge to whichever host there is: each can be repeated, and is, until a host answers it. */
import type { Clock } from '../platform/clock.ts';
import type { BridgeMethods } from '../protocol/bridge-methods.ts';
import { AndironError } from '../protocol/errors.ts';
import { createRpcClient, type Params, type RpcClient } from '../protocol/rpc-client.ts';
import type { Transport } from '../protocol/transport.ts';

export type BridgeRpc = RpcClient<BridgeMethods>;
export type HostRequests = ReturnType<typeof createHostRequests>;

export function createHostRequests(clock: Pick<Clock, 'after'>) {
  const stopped = new AbortController();
  const { signal } = stopped;
  const nobody = (): PromiseWithResolvers<BridgeRpc> => {
    const next = Promise.withResolvers<BridgeRpc>();
    next.promise.catch(() => undefined);
    if (signal.aborted) next.reject(signal.reason);
    return next;
  };
  let host = nobody();
  signal.addEventListener('abort', () => host.reject(signal.reason));

  /** Repeated as a whole when the host goes. Rejects for what a host refuses, and after a stop. */
  const withHost = async <T>(use: (rpc: BridgeRpc) => Promise<T>): Promise<T> => {
    for (;;) {
      signal.throwIfAborted();
      const rpc = await host.promise;
      try {
        return await use(rpc);
      } catch (error) {
        if (!(error instanceof AndironError) || error.code !== 'disconnected') throw error;
      }
    }
  };

  return {
    withHost,
    call: <K extends keyof BridgeMethods>(method: K, params: Params<BridgeMethods, K>) =>
      withHost((rpc) => rpc.call(method, params)),
    /** A host is there, in the place of an earlier one. */
    connect(transport: Transport): BridgeRpc {
      const rpc = createRpcClient<BridgeMethods>(transport);
      host.resolve(rpc);
      const mine = host;
      rpc.onClose(() => {
        if (host === mine) host = nobody();
      });
      return rpc;
    },
    /** Rejects after a stop. */
    wait: (ms: number): Promise<void> =>
      new Promise((resolve, reject) => {
        const end = (): void => {
          timer.cancel();
          reject(signal.reason as Error);
        };
        const timer = clock.after(ms, () => {
          signal.removeEventListener('abort', end);
          resolve();
        });
        signal.addEventListener('abort', end, { once: true });
      }),
    isStopped: (): boolean => signal.aborted,
    stop: (): void => stopped.abort(new AndironError('cancelled', 'The bridge has ended.')),
  };
}
