/** The tray's Stop: main is one more window of the host for as long as it takes. */
import { MessageChannelMain, type MessagePortMain } from 'electron';
import { pipeFromPort } from '../platform/pipe.ts';
import type { HostMethods } from '../protocol/host-methods.ts';
import { createRpcClient } from '../protocol/rpc-client.ts';

const active = new Set(['queued', 'running', 'asking']);

/** Stops every turn of every session. Rejects with `disconnected` when the host is gone. */
export async function stopAllTurns(connect: (port: MessagePortMain) => void): Promise<void> {
  const { port1, port2 } = new MessageChannelMain();
  connect(port1);
  const client = createRpcClient<HostMethods>(pipeFromPort(port2));
  try {
    const { sessions } = await client.call('host/subscribe', {});
    const running = sessions.filter((session) => active.has(session.status));
    await Promise.all(running.map((session) => client.call('turn/stop', { sessionId: session.id })));
  } finally {
    client.close();
  }
}
