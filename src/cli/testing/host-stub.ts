/** A host for unit tests: each call is answered as the test says, and what was called is kept. */
import { AndironError, toWireError } from '../../protocol/errors.ts';
import type { ClientFrame } from '../../protocol/frames.ts';
import type { HostMethods } from '../../protocol/host-methods.ts';
import { createRpcClient } from '../../protocol/rpc-client.ts';
import { createTransportPair } from '../../protocol/transport.ts';
import type { HostRpc } from '../host-rpc.ts';

interface Call {
  method: string;
  params: unknown;
}

export interface HostStub {
  rpc: HostRpc;
  calls: readonly Call[];
  publish: (topic: string, event: unknown) => void;
}

/** @param answer the result of a call; throws AndironError where it is refused. Absent = every result is empty. */
export function hostStub(answer: (call: Call) => unknown = () => ({})): HostStub {
  const [near, far] = createTransportPair();
  const calls: Call[] = [];
  let seq = 0;
  const respond = async (id: number, call: Call): Promise<void> => {
    try {
      far.send({ type: 'response', id, ok: true, result: await answer(call) });
    } catch (error) {
      if (!(error instanceof AndironError)) throw error;
      far.send({ type: 'response', id, ok: false, error: toWireError(error) });
    }
  };
  far.onFrame((raw) => {
    const frame = raw as ClientFrame;
    if (frame.type !== 'request') return;
    const call = { method: frame.method, params: frame.params };
    calls.push(call);
    void respond(frame.id, call);
  });
  return {
    rpc: createRpcClient<HostMethods>(near),
    calls,
    publish: (topic, event) => far.send({ type: 'event', topic, seq: (seq += 1), event }),
  };
}
