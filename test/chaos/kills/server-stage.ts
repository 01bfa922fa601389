/** The real headless server as a process, with its host and its engine; windows come over WebSockets, as a browser's do. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { HostMethods } from '../../../src/protocol/host-methods.ts';
import { createRpcClient } from '../../../src/protocol/rpc-client.ts';
import { pipeFromWebSocket } from '../../../src/server/socket-pipe.ts';
import { Window } from '../../helpers/host-world.ts';
import { openSocket, signIn, startServerProcess, type ServerProcess } from '../../helpers/server-process.ts';
import { isAlive } from './processes.ts';
import type { Life, Stage, StageOptions } from './stage.ts';

/** How long a host may live that lost its server: it stops its turns and lets go of the data. */
const farewellMs = 10_000;
const patienceMs = 20_000;
const mostHostDeaths = 2;

export function serverStage({ built, dataDir, workspace, engineUrl }: StageOptions): Stage {
  const args = [`--data-dir=${dataDir}`, `--workspace=${workspace}`, `--engine-url=${engineUrl}`];
  const orphanedHosts: string[] = [];
  const farewellsMs: number[] = [];
  let epochNow = '';
  let deadEpoch = '';
  let hostDeaths = 0;
  let running: { server: ServerProcess; secret: string } | undefined;

  /** As a person does it: started again as soon as it is gone, and once more while the old one still holds the data. */
  const start = async (): Promise<{ server: ServerProcess; secret: string }> => {
    const until = performance.now() + patienceMs;
    for (;;) {
      try {
        const server = await startServerProcess(args, built.root);
        return { server, secret: await signIn(server) };
      } catch (error) {
        if (!String(error).includes('Another Andiron') || performance.now() > until) throw error;
        await pause(50);
      }
    }
  };

  const hostPid = (): number => {
    const { pid } = JSON.parse(readFileSync(join(dataDir, 'andiron.lock'), 'utf8')) as { pid: number };
    return pid;
  };

  const expectEnd = async (pid: number, what: string): Promise<void> => {
    const start = performance.now();
    const until = start + farewellMs;
    while (isAlive(pid)) {
      if (performance.now() > until) {
        orphanedHosts.push(`${what} lives on`);
        process.kill(pid, 'SIGKILL');
        return;
      }
      await pause(10);
    }
    farewellsMs.push(performance.now() - start);
  };

  /** As a page does it: until a host answers that is not the dead one. */
  const openNext = async (server: ServerProcess, secret: string): Promise<Window> => {
    for (const until = performance.now() + patienceMs; performance.now() < until;) {
      const { window, hello } = await openWindow(server, secret);
      const epoch = await hello;
      if (epoch !== null && epoch !== deadEpoch) {
        epochNow = epoch;
        return window;
      }
      window.rpc.close();
      await pause(20);
    }
    throw new Error('No host answered behind the server.');
  };

  return {
    victims: ['host', 'server', 'server', 'both'],
    recoveriesMs: [],
    farewellsMs,
    orphanedHosts,
    async killAtBirth(afterMs) {
      if (running) return false;
      const born = spawn(process.execPath, [join(built.root, 'out', 'main', 'server.js'), ...args], {
        stdio: 'ignore',
      });
      const gone = once(born, 'exit');
      await pause(afterMs);
      // Refused because the host before it still holds the data, it is gone already.
      if (!born.kill('SIGKILL')) return false;
      await gone;
      return true;
    },
    async next(): Promise<Life> {
      running ??= await start();
      const { server, secret } = running;
      return {
        openWindow: () => openNext(server, secret),
        async kill(wanted) {
          const host = hostPid();
          deadEpoch = epochNow;
          if (wanted === 'host') hostDeaths += 1;
          // A fourth restart within a minute is refused, as it should be.
          const victim = hostDeaths > mostHostDeaths ? 'both' : wanted;
          if (victim !== 'host') process.kill(server.pid, 'SIGKILL');
          if (victim !== 'server') process.kill(host, 'SIGKILL');
          if (victim !== 'host') {
            running = undefined;
            hostDeaths = 0;
            await server.exited;
          }
          if (victim === 'server') await expectEnd(host, 'an agent host whose server was killed');
        },
      };
    },
    async close() {
      await running?.server.stop();
    },
  };
}

/** `hello`: the epoch of the host behind it; null = the connection was closed before one came. */
async function openWindow(
  server: ServerProcess,
  secret: string,
): Promise<{ window: Window; hello: Promise<string | null> }> {
  const rpc = createRpcClient<HostMethods>(pipeFromWebSocket(await openSocket(server, '/host', secret)));
  const hello = Promise.withResolvers<string | null>();
  rpc.onHello(hello.resolve);
  rpc.onClose(() => hello.resolve(null));
  return { window: new Window(rpc), hello: hello.promise };
}
