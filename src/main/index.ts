/** Where the desktop app begins (`out/main/index.js`). */
import { homedir, userInfo } from 'node:os';
import { join } from 'node:path';
import { app, dialog } from 'electron';
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
} from '../engine/index.ts';
import { withoutAppDir } from '../platform/app-dir.ts';
import { randomId, systemClock } from '../platform/clock.ts';
import { copyDemoWorkspace, simAddress } from '../platform/demo.ts';
import { openLogFile } from '../platform/log-file.ts';
import { createLog } from '../platform/log.ts';
import { withoutKeys } from '../rules/key-formats.ts';
import { userEnvironment, type UserEnvironment } from '../platform/login-shell.ts';
import { HostStartError } from '../platform/host-channel.ts';
import { ownArguments, parseOptions, type StartOptions } from '../platform/options.ts';
import { closeToOthers, engineFileName, makePrivateFolder, warnOfOpen } from '../platform/private-data.ts';
import { describeFileFailure } from '../platform/start-failure.ts';
import { namedWorkspace, openDataDir, neutralFolder } from '../platform/start-paths.ts';
import { trustSystemCertificates } from '../platform/system-certificates.ts';
import { limitLookupToPath } from '../platform/system-programs.ts';
import { currentUmask } from '../platform/umask.ts';
import { startDesktop } from './app.ts';
import { lacksDisplay } from './background-start.ts';
import { commandOf, runCommandLine } from './command-line.ts';
import { openDemoBeside, type DemoStart } from './demo-window.ts';
import { openDesktopSettings, type DesktopSettingsFile } from './desktop-settings.ts';
import { offerCommand, programOfCommand } from './install-command.ts';
import { prepareApp } from './prepare.ts';
import { handedOverLine } from './second-start.ts';
import { onEndSignal } from './end-signals.ts';
import type { StartKind } from './presence.ts';
import type { StartQueue } from './start-queue.ts';
import { texts } from './texts.ts';
import { trayIconName } from './tray.ts';
import { updateKey } from './updates/release-source.ts';
import { forkUtilitySim, startUtilitySampler } from './utility.ts';

const built = (name: string): string => join(import.meta.dirname, name);
// Packed, they lie beside the archive, where they are real files.
const resourcesDir = join(import.meta.dirname, '..', '..', 'resources').replace(
  /app\.asar(?=[\\/])/,
  'app.asar.unpacked',
);

function main(): void {
  limitLookupToPath(process.platform, process.env);
  const options = parseOptions(ownArguments(process.argv.slice(1)));
  const dataDir = openDataDir(options, nodeMachine);
  const desktopDir = join(dataDir, 'desktop');
  makePrivateFolder(desktopDir);
  const handOver = { workspace: namedWorkspace(options), demo: options.demo, background: !options.page };
  const kind = startKind(options);
  const settings = openDesktopSettings(join(desktopDir, 'settings.json'));
  const secondStarts = prepareApp({
    userData: desktopDir,
    handOver,
    settings: settings.current(),
    isDisplayless: kind === 'displayless',
    platform: process.platform,
  });
  if (!secondStarts) {
    process.stdout.write(`${handedOverLine(handOver)}\n`);
    app.quit();
    return;
  }
  // A login shell takes its time, and so does Electron.
  const environment = readEnvironment();
  app
    .whenReady()
    .then(async () => start({ options, kind, dataDir, settings, secondStarts, person: await environment }))
    .catch((error: unknown) => giveUp(error));
}

function startKind({ page }: StartOptions): StartKind {
  if (page) return 'window';
  return lacksDisplay(process.platform, process.env) ? 'displayless' : 'background';
}

function readEnvironment(): Promise<UserEnvironment> {
  const started = {
    platform: process.platform,
    isTerminal: process.stdout.isTTY,
    homeDir: homedir(),
    loginShell: loginShell(),
  };
  return userEnvironment(withoutAppDir(process.env), started, systemClock);
}

function loginShell(): string | null {
  try {
    return userInfo().shell;
  } catch {
    // The system does not know who this is.
    return null;
  }
}

interface Start {
  options: StartOptions;
  kind: StartKind;
  dataDir: string;
  settings: DesktopSettingsFile;
  secondStarts: StartQueue;
  person: UserEnvironment;
}

async function start({ options, kind, dataDir, settings, secondStarts, person }: Start): Promise<void> {
  const log = createLog(openLogFile(join(dataDir, 'logs', 'main.log')), () => systemClock.now(), withoutKeys);
  // Electron shows the one in a box and whispers the other to a terminal that a packed app does not have.
  process.on('uncaughtExceptionMonitor', (error) => log.error('uncaught in main', error));
  process.on('unhandledRejection', (reason) => log.error('unhandled in main', reason));
  warnOfOpen(closeToOthers(dataDir), log);
  const { env: environment, ...searchPath } = person;
  log.info('search path', searchPath);
  const named = namedWorkspace(options);
  // Whatever was named is a whole path by now. A child that outlives a packed app must not keep its folder or mount in use.
  if (app.isPackaged) process.chdir(neutralFolder(homedir()));
  // No folder is the default that nobody chose: the first message of a session asks for one.
  const own = options.demo ? await copyDemoWorkspace(resourcesDir, dataDir) : null;
  const sim = options.demo ? await simAddress(forkUtilitySim(built('sim.js'), log)) : null;
  startDesktop({
    // What this process itself keeps is made private file by file: the programs that it opens take its mask over.
    init: {
      dataDir,
      workspace: named ?? own,
      resourcesDir,
      env: environment,
      searchPath,
      umask: currentUmask(),
      ...(kind !== 'window' && { isBrief: true }),
    },
    files: {
      host: built('host.js'),
      bridge: built('bridge.js'),
      gateway: built('gateway.js'),
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
        processes: nodeProcesses(
          () => startUtilitySampler(built('system-sample.js'), log),
          undefined,
          environment,
        ),
        files: nodeFiles,
        machine: { ...nodeMachine, env: environment },
        dataFile: join(dataDir, engineFileName),
        setup: nodeSetupEdges,
        describe: createDescribeModel(systemClock),
        simulated: sim !== null,
        ...(!options.demo && { openDemo: () => openDemoBeside(demoStart(dataDir), environment) }),
        url: sim?.url ?? options.engineUrl,
        ...(sim?.runnersUrl && {
          findRunner: createDirectoryFinder(sim.runnersUrl),
          readGpus: createSimulatedGpus(sim.runnersUrl),
        }),
      }),
    kind,
    settings,
    secondStarts,
    onSignal: (listener) => onEndSignal(process, listener),
    updateKey,
    installCommand: commandInstaller(environment),
    demo: options.demo,
    clock: systemClock,
    log,
    platform: process.platform,
  });
  // Downloads go through what the system trusts, such as the proxy of a company. Once the window is on its way.
  setImmediate(() =>
    trustSystemCertificates((error) => log.error('the certificates of the system cannot be read', error)),
  );
}

function demoStart(dataDir: string): DemoStart {
  return {
    self: process,
    appPath: app.isPackaged ? null : app.getAppPath(),
    dataDir,
    hasSandbox: !app.commandLine.hasSwitch('no-sandbox'),
  };
}

/** null = whatever installed Andiron has put the command into a terminal's reach. */
function commandInstaller(environment: Record<string, string>): (() => void) | null {
  const { platform, execPath, env } = process;
  const program = programOfCommand(platform, { execPath, env, isPackaged: app.isPackaged });
  const place = { homeDir: homedir(), searchPath: environment['PATH'] ?? '' };
  return program === null ? null : () => void offerCommand(program, place);
}

function giveUp(error: unknown): void {
  const failure = error instanceof HostStartError ? error : describeFileFailure(error);
  const message = error instanceof Error ? error.message : String(error);
  // A command waits for it, and nobody looks at a screen.
  if (!process.argv.includes('--no-page'))
    dialog.showErrorBox(texts.cannotStart, failure ? `${failure.message}\n${failure.advice}` : message);
  app.exit(1);
}

const command = app.isPackaged ? commandOf(process.argv.slice(1)) : null;
if (command) {
  const { platform } = process;
  const hasSandbox = !app.commandLine.hasSwitch('no-sandbox');
  process.exit(await runCommandLine(command, { platform, hasSandbox }));
} else {
  try {
    main();
  } catch (error) {
    // Before that the box is a line on stderr on Linux, which nobody sees who clicked an icon (Electron: api/dialog.md).
    void app.whenReady().then(() => giveUp(error));
  }
}
