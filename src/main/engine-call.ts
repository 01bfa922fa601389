/** The tray's hand in the engine: main is one more window of it for one call. */
import { MessageChannelMain, type MessagePortMain } from 'electron';
import { pipeFromPort } from '../platform/pipe.ts';
import type { EngineMethods } from '../protocol/engine-methods.ts';
import { createRpcClient } from '../protocol/rpc-client.ts';

/** Rejects with what a person can read. */
export async function engineCall(
  connect: (port: MessagePortMain) => void,
  method: 'engine/lend' | 'engine/take-back',
): Promise<void> {
  const { port1, port2 } = new MessageChannelMain();
  connect(port1);
  const client = createRpcClient<EngineMethods>(pipeFromPort(port2));
  try {
    await client.call(method, {});
  } finally {
    client.close();
  }
}
