/** Where the headless server's process begins (`out/main/server.js`). */
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { homedir } from 'node:os';
import { join } from 'node:path';
import {
  createDescribeModel,
  createDirectoryFinder,
  createSimulatedGpus,
  createEngine,
  createOllamaApi,
  nodeFiles,
  nodeMachine,
  nodeProcesses,
  nodeSetupEdges,
  startSamplerInNode,
} from '../engine/index.ts';
import { hostsFileName, namedIn, startClean } from '../platform/clean-start.ts';
import { randomId, systemClock } from '../platform/clock.ts';
import { codeCacheVariables } from '../platform/code-cache.ts';
import { copyDemoWorkspace, simAddress, type SimAddress } from '../platform/demo.ts';
import { forkBridge } from '../platform/fork-bridge.ts';
import { forkHost } from '../platform/fork-host.ts';
import { HostStartError } from '../platform/host-channel.ts';
import { openLogFile } from '../platform/log-file.ts';
import { createLog } from '../platform/log.ts';
import { withoutKeys } from '../rules/key-formats.ts';
import { parseOptions, usage, UsageError, type StartOptions } from '../platform/options.ts';
import { closeToOthers, engineFileName, warnOfOpen } from '../platform/private-data.ts';
import { describeFileFailure } from '../platform/start-failure.ts';
import { namedWorkspace, openDataDir } from '../platform/start-paths.ts';
import { trustSystemCertificates } from '../platform/system-certificates.ts';
import { limitLookupToPath } from '../platform/system-programs.ts';
import { becomePrivate } from '../platform/umask.ts';
import { createDemoBeside } from './demo-server.ts';
import { createEnding } from './ending.ts';
import { createProgramUse, leaveMessage, type FromServer } from './program-use.ts';
import { forgetSignInFile, openBrowser, runDetached, type OpenedBrowser } from './open-browser.ts';
import { startServer, type RunningServer } from './server.ts';
import { gatewayWay } from '../protocol/way-methods.ts';

const built = (name: string): string => join(import.meta.dirname, name);
const rendererDir = join(import.meta.dirname, '..', 'renderer');
/** With its packages. */
const appDir = join(import.meta.dirname, '..', '..');
const resourcesDir = join(import.meta.dirname, '..', '..', 'resources');

/** Without one this was started by hand, and only a signal ends it. */
const hasParent = process.channel !== undefined;

const say = (line: string): void => void process.stdout.write(`${line}\n`);
/** To whoever started this over a channel, a command line; it may be gone. */
const report = (message: FromServer): void => void process.send?.(message, undefined, {}, () => undefined);
const complain = (line: string): void => void process.stderr.write(`${line}\n`);

async function main(): Promise<void> {
  limitLookupToPath(process.platform, process.env);
  const options = parseOptions(process.argv.slice(2));
  if (options.help) {
    say(usage);
    return;
  }
  const dataDir = openDataDir(options, nodeMachine);
  const env = startClean(namedIn(join(dataDir, hostsFileName)));
  // Not before: a process that starts over would take this mask for the person's.
  const umask = becomePrivate();
  let opened: OpenedBrowser | undefined;
  const use = createProgramUse(() => end(), report);
  const { server, stopSim } = await start({
    options,
    dataDir,
    env,
    umask,
    onTokenSpent: () => opened?.done(),
    onClients: (count) => use.clients(count),
  });
  const end = createEnding({
    clock: systemClock,
    async close() {
      opened?.done();
      await server.close();
      stopSim();
    },
    exit: (code) => process.exit(code),
    complain,
  });
  process.on('SIGINT', end);
  process.on('SIGTERM', end);
  const address = server.address();
  if (address === null) {
    process.on('disconnect', use.left);
    process.on('message', (message) => message === leaveMessage && use.left());
    if (hasParent && !process.connected) use.left();
    report({ type: 'ready' });
    return;
  }
  process.on('disconnect', end);
  say(`Andiron is at ${address}`);
  if (!options.open) return;
  try {
    const run = (command: string, args: readonly string[]): void => runDetached(command, args, umask);
    const edges = { platform: process.platform, clock: systemClock, run };
    opened = openBrowser({ dataDir, home: homedir() }, address, edges);
  } catch (error) {
    complain(`The browser could not be opened (${String(error)}). Open the address above.`);
  }
}

interface Start {
  options: StartOptions;
  dataDir: string;
  env: Record<string, string>;
  /** What the person's own new files do without. */
  umask: number;
  onTokenSpent: () => void;
  onClients: (count: number) => void;
}

async function start(given: Start): Promise<{ server: RunningServer; stopSim: () => void }> {
  const { options, dataDir, env, umask, onTokenSpent, onClients } = given;
  const named = namedWorkspace(options);
  const log = createLog(
    openLogFile(join(dataDir, 'logs', 'server.log')),
    () => systemClock.now(),
    withoutKeys,
  );
  warnOfOpen(closeToOthers(dataDir), log);
  const sim = options.demo ? await startSim() : null;
  try {
    // No folder is the default that nobody chose: the first message of a session asks for one.
    const own = options.demo ? await copyDemoWorkspace(resourcesDir, dataDir) : null;
    const server = await startServer({
      init: {
        dataDir,
        workspace: named ?? own,
        resourcesDir,
        env,
        umask,
        isBrief: !options.page,
        nodePath: process.execPath,
      },
      port: options.page ? options.port : null,
      rendererDir,
      spawnHost: () => forkHost(built('host.js'), log, { env: codeCacheVariables(dataDir) }),
      spawnBridge: (id) =>
        forkBridge({ entry: built(id === gatewayWay ? 'gateway.js' : 'bridge.js'), readable: appDir }),
      createEngine: () =>
        createEngine({
          clock: systemClock,
          log,
          newId: randomId,
          ollama: createOllamaApi(systemClock),
          processes: nodeProcesses(startSamplerInNode(built('system-sample.js')), umask),
          files: nodeFiles,
          machine: nodeMachine,
          dataFile: join(dataDir, engineFileName),
          setup: nodeSetupEdges,
          describe: createDescribeModel(systemClock),
          ...(!options.demo && { openDemo: createDemoBeside(dataDir, umask) }),
          simulated: sim !== null,
          url: sim?.url ?? options.engineUrl,
          trustSystem: () =>
            trustSystemCertificates((error) =>
              log.error('the certificates of the system cannot be read', error),
            ),
          ...(sim?.runnersUrl && {
            findRunner: createDirectoryFinder(sim.runnersUrl),
            readGpus: createSimulatedGpus(sim.runnersUrl),
          }),
        }),
      random: () => randomBytes(32).toString('base64url'),
      log,
      onSignIn(address) {
        onTokenSpent();
        say(`A browser signed in. For another one: ${address}`);
      },
      onSignOut(address) {
        onTokenSpent();
        say(`All browsers were signed out. To sign in again: ${address}`);
      },
      onHostLost: (message, advice) => complain(`${message} ${advice}`),
      ...(!options.page && { onClients }),
    });
    // The data folder is ours now: what lies there belongs to no other Andiron.
    forgetSignInFile({ dataDir, home: homedir() });
    return { server, stopSim: () => sim?.stop() };
  } catch (error) {
    sim?.stop();
    throw error;
  }
}

async function startSim(): Promise<SimAddress & { stop: () => void }> {
  const child = spawn(process.execPath, [built('sim.js'), '--demo'], { stdio: ['pipe', 'pipe', 'inherit'] });
  const stop = (): void => void child.kill();
  try {
    const onExit = (listener: (code: number | null) => void): void => void child.on('exit', listener);
    return { ...(await simAddress({ stdout: child.stdout, onExit })), stop };
  } catch (error) {
    stop();
    throw error;
  }
}

try {
  await main();
} catch (error) {
  const failure = error instanceof HostStartError ? error : describeFileFailure(error);
  if (error instanceof UsageError) complain(`${error.message}\n\n${usage}`);
  else if (failure) complain(`${failure.message} ${failure.advice}`);
  else complain(error instanceof Error ? (error.stack ?? error.message) : String(error));
  const { message, advice } = failure ?? { message: String(error), advice: '' };
  report({ type: 'failed', message, advice });
  process.exitCode = 1;
}
