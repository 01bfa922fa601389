/** Updates of the desktop app: put together for the package that runs, told to the page, installed on the way out. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { app, autoUpdater } from 'electron';
import type { AppUpdater, BaseUpdater } from 'electron-updater';
import type { Clock } from '../../platform/clock.ts';
import type { Log } from '../../platform/log.ts';
import { ownArguments } from '../../platform/options.ts';
import type { FailedInstall, UpdateAction, UpdateMoment, UpdateNews } from '../../protocol/updates.ts';
import { assertReplaceable } from './app-image.ts';
import { UpdateFailure, updateFailureCodeOf, updateFailureOf } from './failure.ts';
import { appImagePath, installAtEnd, readyUpdateOf, type ReadyUpdate } from './install.ts';
import { loadUpdater } from './load-updater.ts';
import { openUpdateMemory, type UpdateMemory } from './update-record.ts';
import { installsOnQuit, needsRestart, packageKind, type PackageKind } from './package-kind.ts';
import { awaitSquirrel } from './squirrel.ts';
import type { StartAfterEnd } from './start-after-end.ts';
import { startUpdates, type UpdateCheck, type Updates } from './updates.ts';
import { readWhatsNew } from './whats-new.ts';

const rememberAfterMs = 10_000;

export interface DesktopUpdatesDeps {
  /** `desktop` in the data folder. */
  dir: string;
  /** Beside main's built files. */
  whatsNewFile: string;
  /** Of the feeds, base64 of SPKI; empty = the project has published none. */
  publicKey: string;
  /** Of the command line, after the program. */
  args: readonly string[];
  isEnabled: () => boolean;
  runningTurns: () => number;
  /** The machine goes down, or the person logs out. */
  systemEnds: () => boolean;
  /** Begins a program once a process has ended. */
  startAfterEnd: (start: StartAfterEnd) => void;
  /** Again with each change. */
  onNews: (news: UpdateNews) => void;
  clock: Clock;
  log: Log;
  platform: NodeJS.Platform;
}

export type DesktopUpdates = ReturnType<typeof startDesktopUpdates>;

export function startDesktopUpdates(deps: DesktopUpdatesDeps) {
  const { dir, whatsNewFile, onNews, clock, log } = deps;
  const memory = openUpdateMemory(join(dir, 'updates.json'));
  const version = app.getVersion();
  const before = memory.lastVersion();
  let whatsNew = before !== null && before !== version ? readWhatsNew(whatsNewFile, version) : null;
  let notInstalled = failedInstall(memory, version);
  // A start that is over before somebody could read the notes does not count.
  clock.after(rememberAfterMs, () => {
    const remembered = app.isPackaged ? memory.rememberVersion(version) : Promise.resolve();
    remembered.catch((error: unknown) => log.error('the version that runs was not kept', error));
  });

  const possible = possibleUpdates(deps, memory, () => publish());
  const news = (): UpdateNews => ({
    state:
      'updates' in possible
        ? possible.updates.state()
        : { kind: 'unavailable', message: possible.whyNot.message },
    installedAt: 'kind' in possible ? momentOf(possible.kind) : 'quit',
    notInstalled,
    whatsNew,
  });
  const publish = (): void => onNews(news());

  return {
    news,
    act(action: UpdateAction): void {
      if (action === 'dismiss') {
        whatsNew = null;
        notInstalled = null;
        publish();
      } else if ('updates' in possible) {
        if (action === 'check') void possible.updates.check();
        else possible.updates.restart();
      }
    },
    /** The app was to quit and stays: what was asked of that end is asked no more. */
    keptOpen(): void {
      if ('updates' in possible) possible.keptOpen();
    },
  };
}

const momentOf = (kind: PackageKind): UpdateMoment =>
  kind === 'nsis' ? 'restart-ends-others' : needsRestart(kind) ? 'restart' : 'quit';

/** Whatever the installer said: this version would not run if it had done its work. */
function failedInstall(memory: UpdateMemory, version: string): FailedInstall | null {
  const tried = memory.lastInstall();
  if (tried?.from !== version) return null;
  const code = tried.failure === null ? 'not-finished' : updateFailureCodeOf(tried.failure);
  return { version: tried.to, message: new UpdateFailure(code).message };
}

interface PossibleUpdates {
  kind: PackageKind;
  updates: Updates;
  keptOpen: () => void;
}

function possibleUpdates(
  deps: DesktopUpdatesDeps,
  memory: UpdateMemory,
  onState: () => void,
): PossibleUpdates | { whyNot: UpdateFailure } {
  try {
    if (!app.isPackaged) throw new UpdateFailure('not-installed');
    const kind = kindOfThis(deps);
    if (deps.publicKey === '') throw new UpdateFailure('no-key');
    return { kind, ...start(kind, memory, deps, onState) };
  } catch (error) {
    return { whyNot: updateFailureOf(error) };
  }
}

function start(
  kind: PackageKind,
  memory: UpdateMemory,
  deps: DesktopUpdatesDeps,
  onState: () => void,
): Omit<PossibleUpdates, 'kind'> {
  const { dir, publicKey, args, isEnabled, runningTurns, systemEnds, startAfterEnd, clock, log, platform } =
    deps;
  let updater: Promise<AppUpdater> | undefined;
  let update: ReadyUpdate | null = null;
  let restartWanted = false;

  const load = async (): Promise<AppUpdater> => {
    const loaded = await loadUpdater({ kind, memory, publicKey, platform, cacheDir: dir });
    loaded.on('error', (error) => {
      // Those of a check are told by its result.
      if (!(error instanceof UpdateFailure)) log.error('electron-updater', error);
    });
    loaded.on('update-downloaded', (event) => {
      update = readyUpdateOf(event);
    });
    app.once('quit', (_event, exitCode) => {
      if (!update || !installsOnQuit({ kind, restartWanted, exitCode, systemEnds: systemEnds() })) return;
      const restart = restartWanted;
      const runInstaller = (): boolean => (loaded as BaseUpdater).install(true, restart);
      installAtEnd({ kind, update, restart, runInstaller, startAfterEnd, memory, dir, args, log });
    });
    return loaded;
  };
  const updates = startUpdates({
    async updater() {
      if (kind === 'app-image') assertReplaceable(appImagePath());
      const loaded: UpdateCheck = await (updater ??= load());
      return kind === 'mac' ? awaitSquirrel(loaded, autoUpdater, clock) : loaded;
    },
    isEnabled,
    runningTurns,
    quitToInstall() {
      restartWanted = true;
      if (kind === 'mac') void updater?.then((loaded) => loaded.quitAndInstall());
      else app.quit();
    },
    onState,
    clock,
    log,
  });
  const keptOpen = (): void => {
    restartWanted = false;
  };
  return { updates, keptOpen };
}

/** Throws UpdateFailure. */
function kindOfThis({ platform, args }: DesktopUpdatesDeps): PackageKind {
  return packageKind({
    platform,
    env: process.env,
    execPath: app.getPath('exe'),
    packageType: packageType(),
    hasOptions: ownArguments(args).length > 0,
    exists: existsSync,
  });
}

function packageType(): string | null {
  try {
    return readFileSync(join(process.resourcesPath, 'package-type'), 'utf8').trim();
  } catch {
    return null;
  }
}
