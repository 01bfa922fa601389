import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { WebSocket } from 'ws';
import type { HostRpc } from '../cli/host-rpc.ts';
import { systemClock } from '../platform/clock.ts';
import { createSessionSockets } from './session-sockets.ts';

const summary = { id: 'ses_1', title: '', profileId: 'p', model: null, status: 'idle', thread: '' };
const session = { ...summary, createdAt: 0, updatedAt: 0 };
const snapshot = { session, turns: [], items: [], hasOlder: false };

/** A host that knows one session and says what a test lets it say. */
function createHostStandIn(): { rpc: HostRpc; say: (seq: number, text: string) => void } {
  const listeners: ((topic: string, seq: number, event: unknown) => void)[] = [];
  const rpc = {
    call: (name: string) =>
      Promise.resolve(name === 'program/session' ? { session } : { seq: 0, epoch: 'host_1', snapshot }),
    onEvent: (listener: (typeof listeners)[number]) => listeners.push(listener),
    onClose: () => undefined,
    close: () => undefined,
  } as unknown as HostRpc;
  const say = (seq: number, text: string): void => {
    const event = { type: 'item/delta', itemId: 'item_1', text };
    for (const listen of listeners)
      listen('session:ses_1', seq, { seq, sessionId: 'ses_1', at: 0, turnId: 'turn_1', event });
  };
  return { rpc, say };
}

test('a socket that does not read is ended, and one that does gets everything (X9)', async () => {
  const { rpc, say } = createHostStandIn();
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const sockets = createSessionSockets({
    clock: systemClock,
    hosts: () => [`127.0.0.1:${String(port)}`],
    signIn: () => Promise.resolve(rpc),
    isAllowed: () => true,
  });
  server.on('upgrade', (...upgrading) => sockets.upgrade(...upgrading));
  const connect = async (): Promise<WebSocket> => {
    const socket = new WebSocket(`ws://127.0.0.1:${String(port)}/v1/sessions/ses_1`);
    await once(socket, 'open');
    socket.send('{"type":"sign-in","token":"and_1"}');
    await once(socket, 'message');
    return socket;
  };
  const [slow, fast] = [await connect(), await connect()];
  slow.pause();
  let got = 0;
  fast.on('message', () => (got += 1));
  const text = 'x'.repeat(1024 * 1024);
  for (let seq = 1; seq <= 40; seq += 1) {
    say(seq, text);
    await once(fast, 'message');
  }
  slow.resume();
  const [code] = (await once(slow, 'close')) as [number];
  expect([code, got, fast.readyState]).toEqual([1006, 40, WebSocket.OPEN]);
  sockets.close();
  server.close();
});
