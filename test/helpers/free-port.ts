/** A port at which nobody listens, and where no system puts a server that takes any: those begin at 32,768 or above. */
import { once } from 'node:events';
import { createServer } from 'node:net';

const [lowest, count] = [20_000, 10_000];

export async function freePort(): Promise<number> {
  for (;;) {
    const port = lowest + Math.floor(Math.random() * count);
    const server = createServer();
    const isFree = await Promise.race([
      once(server.listen(port, '127.0.0.1'), 'listening').then(() => true),
      once(server, 'error').then(() => false),
    ]).catch(() => false);
    if (!isFree) continue;
    await new Promise((resolve) => server.close(resolve));
    return port;
  }
}
