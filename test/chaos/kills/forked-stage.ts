/** The host alone is a process; its supervisor and the engine live here, as they do in the server. */
import { systemClock } from '../../../src/platform/clock.ts';
import { forkHost, type ForkedHost } from '../../../src/platform/fork-host.ts';
import { silentLog } from '../../../src/platform/log.ts';
import { hostLimits, HostSupervisor } from '../../../src/platform/supervision.ts';
import type { HostMethods } from '../../../src/protocol/host-methods.ts';
import { createRpcClient } from '../../../src/protocol/rpc-client.ts';
import { startEngine, Window } from '../../helpers/host-world.ts';
import { Bell } from '../../helpers/waiting.ts';
import type { Stage, StageOptions } from './stage.ts';

export function forkedStage({ built, dataDir, workspace, engineUrl }: StageOptions): Stage {
  const engine = startEngine(engineUrl, true);
  const bell = new Bell();
  const recoveriesMs: number[] = [];
  let newest: ForkedHost | undefined;
  let ready: ForkedHost | undefined;
  let lost = '';
  let diedAt: number | undefined;
  let births = 0;

  const supervisor = new HostSupervisor({
    spawn() {
      newest = forkHost(built.host, silentLog);
      births += 1;
      return newest;
    },
    init: { dataDir, workspace, resourcesDir: built.resourcesDir },
    clock: systemClock,
    log: silentLog,
    // The rest of the rules stays as it is.
    limits: { ...hostLimits, restarts: Infinity },
    onReady(host) {
      if (diedAt !== undefined) recoveriesMs.push(performance.now() - diedAt);
      engine.connect(host.open('engine'));
      ready = host;
      bell.ring();
    },
    onGone() {
      diedAt = performance.now();
      ready = undefined;
      bell.ring();
    },
    onStatus(status) {
      if (status.state === 'lost') lost = `${status.message} ${status.advice}`;
      bell.ring();
    },
  });
  supervisor.start();

  return {
    victims: ['host'],
    recoveriesMs,
    farewellsMs: [],
    orphanedHosts: [],
    async next() {
      await bell.until(() => ready !== undefined || lost !== '', 'a host that is ready');
      const host = ready;
      if (!host) throw new Error(lost);
      return {
        openWindow: () => Promise.resolve(new Window(createRpcClient<HostMethods>(host.open('window')))),
        async kill() {
          host.kill();
          await bell.until(() => ready !== host, 'the end of a killed host');
        },
      };
    },
    async killAtBirth(afterMs) {
      const born = births;
      const host = newest;
      await new Promise((resolve) => setTimeout(resolve, afterMs));
      if (ready || host !== newest) return false;
      host?.kill();
      await bell.until(() => births > born, 'the host after one that died at birth');
      // It took two starts.
      diedAt = undefined;
      return true;
    },
    async close() {
      await supervisor.stop();
      await engine.stop();
    },
  };
}
