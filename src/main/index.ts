/** Where the desktop app begins (`out/main/index.js`). */
import { join } from 'node:path';
import { app, dialog } from 'electron';
import {
  createDescribeModel,
  createDirectoryFinder,
  createEngine,
  createOllamaApi,
  nodeFiles,
  nodeMachine,
  nodeProcesses,
  nodeSetupEdges,
} from '../engine/index.ts';
import { withoutAbsent } from '../platform/clean-start.ts';
import { randomId, systemClock } from '../platform/clock.ts';
import { copyDemoWorkspace, simAddress } from '../platform/demo.ts';
import { openLogFile } from '../platform/log-file.ts';
import { createLog } from '../platform/log.ts';
import { HostStartError } from '../platform/host-channel.ts';
import { ownArguments, parseOptions, type StartOptions } from '../platform/options.ts';
import { closeToOthers, engineFileName, makePrivateFolder, warnOfOpen } from '../platform/private-data.ts';
import { describeFileFailure } from '../platform/start-failure.ts';
import { namedWorkspace, openDataDir } from '../platform/start-paths.ts';
import { currentUmask } from '../platform/umask.ts';
import { startDesktop } from './app.ts';
import { registerPageScheme } from './page-scheme.ts';
import { texts } from './texts.ts';
import { trayIconName } from './tray.ts';
import { forkUtilitySim, startUtilitySampler } from './utility.ts';

const built = (name: string): string => join(import.meta.dirname, name);
// Packed, they lie beside the archive, where they are real files.
const resourcesDir = join(import.meta.dirname, '..', '..', 'resources').replace(
  /app\.asar(?=[\\/])/,
  'app.asar.unpacked',
);

function main(): void {
  const options = parseOptions(ownArguments(process.argv.slice(1)));
  const dataDir = openDataDir(options, nodeMachine);
  const desktopDir = join(dataDir, 'desktop');
  makePrivateFolder(desktopDir);
  // Before the lock: Electron's own is one per userData, so it is one per data folder.
  app.setPath('userData', desktopDir);
  if (!app.requestSingleInstanceLock()) {
    app.quit();
    return;
  }
  app.enableSandbox();
  registerPageScheme();
  app
    .whenReady()
    .then(() => start(options, dataDir))
    .catch((error: unknown) => giveUp(error));
}

async function start(options: StartOptions, dataDir: string): Promise<void> {
  const log = createLog(openLogFile(join(dataDir, 'logs', 'main.log')), () => systemClock.now());
  // Electron shows the one in a box and whispers the other to a terminal that a packed app does not have.
  process.on('uncaughtExceptionMonitor', (error) => log.error('uncaught in main', error));
  process.on('unhandledRejection', (reason) => log.error('unhandled in main', reason));
  warnOfOpen(closeToOthers(dataDir), log);
  const named = namedWorkspace(options);
  // No folder is the default that nobody chose: the first message of a session asks for one.
  const own = options.demo ? await copyDemoWorkspace(resourcesDir, dataDir) : null;
  const sim = options.demo ? await simAddress(forkUtilitySim(built('sim.js'), log)) : null;
  startDesktop({
    // What this process itself keeps is made private file by file: the programs that it opens take its mask over.
    init: {
      dataDir,
      workspace: named ?? own,
      resourcesDir,
      env: withoutAbsent(process.env),
      umask: currentUmask(),
    },
    files: {
      host: built('host.js'),
      preload: join(import.meta.dirname, '..', 'preload', 'index.cjs'),
      rendererDir: join(import.meta.dirname, '..', 'renderer'),
      icon: join(resourcesDir, 'icons', 'icon.png'),
      trayIcon: join(resourcesDir, 'icons', trayIconName(process.platform)),
      windowState: join(dataDir, 'desktop', 'window.json'),
    },
    createEngine: () =>
      createEngine({
        clock: systemClock,
        log,
        newId: randomId,
        ollama: createOllamaApi(systemClock),
        processes: nodeProcesses(() => startUtilitySampler(built('system-sample.js'), log)),
        files: nodeFiles,
        machine: nodeMachine,
        dataFile: join(dataDir, engineFileName),
        setup: nodeSetupEdges,
        describe: createDescribeModel(systemClock),
        simulated: sim !== null,
        url: sim?.url ?? options.engineUrl,
        ...(sim?.runnersUrl && { findRunner: createDirectoryFinder(sim.runnersUrl) }),
      }),
    clock: systemClock,
    log,
    platform: process.platform,
  });
}

function giveUp(error: unknown): void {
  const failure = error instanceof HostStartError ? error : describeFileFailure(error);
  const message = error instanceof Error ? error.message : String(error);
  dialog.showErrorBox(texts.cannotStart, failure ? `${failure.message}\n${failure.advice}` : message);
  app.exit(1);
}

try {
  main();
} catch (error) {
  giveUp(error);
}
