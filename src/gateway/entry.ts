/**
 * Where the gateway's process begins (`out/main/gateway.js`). `andiron gateway` starts it with arguments, and it reaches the
 * host by the socket in the data folder; main or the headless server starts it without any, and hands it each connection.
 */
import { parseArgs } from 'node:util';
import { startClean } from '../platform/clean-start.ts';
import { systemClock } from '../platform/clock.ts';
import { connectLocally } from '../platform/local-socket.ts';
import { maxStreamBytes } from '../protocol/limits.ts';
import { withoutKeys } from '../rules/key-formats.ts';
import { serveGateway } from './serve-gateway.ts';
import { serveUnderParent } from './under-parent.ts';

const complain = (text: string): void => void process.stderr.write(`${withoutKeys(text)}\n`);

async function main(dataDir: string, port: string): Promise<void> {
  // Keys of the environment are for nobody here.
  startClean(() => false);
  const gateway = await serveGateway({
    port: Number(port),
    connect: () => connectLocally(dataDir, maxStreamBytes),
    clock: systemClock,
    // Its authority is kept by the host, and turned on in the window alone.
    network: null,
    onInternalError: (error) => complain(String(error)),
  });
  const end = (): void => void gateway.close().then(() => process.exit(0));
  process.on('SIGINT', end);
  process.on('SIGTERM', end);
  process.on('disconnect', end);
  // Its parent may have ended before anybody listened for that.
  if (process.send && !process.connected) end();
  else process.send?.({ type: 'listening', port: gateway.port });
}

const { values } = parseArgs({ options: { 'data-dir': { type: 'string' }, port: { type: 'string' } } });
const { 'data-dir': dataDir, port } = values;
try {
  if (dataDir === undefined || port === undefined) serveUnderParent(process);
  else await main(dataDir, port);
} catch (error) {
  complain(error instanceof Error ? error.message : String(error));
  process.exit(1);
}
