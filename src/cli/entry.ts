/** Where the command line's process begins (`out/main/cli.js`). */
import { join } from 'node:path';
import { startClean } from '../platform/clean-start.ts';
import { systemClock } from '../platform/clock.ts';
import { runCli } from './run-cli.ts';
import { runGateway } from './run-gateway.ts';
import { startServer } from './start-server.ts';

const built = (name: string): string => join(import.meta.dirname, name);
// Keys of the environment are for the host that may be started, and for nobody who looks at this process.
const env = startClean(() => false);
const exit = (code: number): never => process.exit(code);

// Nothing that is still open may keep it from ending.
exit(
  await runCli(process.argv.slice(2), {
    env,
    stdin: process.stdin,
    startHost: (start) => startServer({ ...start, serverEntry: built('server.js'), env }),
    serveGateway: (gateway) => runGateway({ ...gateway, entry: built('gateway.js'), clock: systemClock }),
    exit,
  }),
);
