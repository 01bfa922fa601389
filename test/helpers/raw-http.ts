/** A server that answers with bytes as they are given: heads that no HTTP library would write. */
import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';

export interface RawHttp {
  url: string;
  /** How many connections the client has left open. */
  open(): number;
  close(): Promise<void>;
}

/** @param head from the status to the last header, without the empty line; '' = the connection is closed unanswered. */
export async function startRawHttp(head: string, body = '{}'): Promise<RawHttp> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => sockets.delete(socket));
    socket.once('data', () => {
      if (head === '') socket.end();
      else socket.write(Buffer.from(`HTTP/1.1 ${head}\r\n\r\n${body}`, 'latin1'));
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`,
    open: () => sockets.size,
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

const length = 'Content-Length: 2';
/** Heads after which no answer can be read: [what, head]. */
export const unreadableHeads: readonly (readonly [what: string, head: string])[] = [
  ...['204 No Content', '205 Reset Content', '304 Not Modified', '600 Odd', '999 Odd', '000 Odd'].map(
    (status) => [`status ${status.slice(0, 3)}`, `${status}\r\n${length}`] as const,
  ),
  ['status 101 without an upgrade', `101 Switching Protocols\r\n${length}`],
  ['an upgrade', '101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket'],
  ['no answer at all', ''],
];
