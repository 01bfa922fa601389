/** Updates of the desktop app: put together for the package that runs, told to the page, installed on the way out. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { app, net } from 'electron';
import type { AppUpdater, BaseUpdater } from 'electron-updater';
import type { Clock } from '../../platform/clock.ts';
import { freeBytes } from '../../platform/disk-space.ts';
import type { Log } from '../../platform/log.ts';
import type { UpdateAction, UpdateNews, UpdateState } from '../../protocol/updates.ts';
import { replaceAppImage } from './app-image.ts';
import { holdToFeed } from './checked-updater.ts';
import { UpdateFailure, type UpdateFailureCode } from './failure.ts';
import { openUpdateMemory, type UpdateMemory } from './memory.ts';
import { openByNet } from './open-by-net.ts';
import { installsOnQuit, packageKind, type PackageKind } from './package-kind.ts';
import { releaseChannel, releaseHosts, releaseUrl } from './release-source.ts';
import { startUpdates, type Updates } from './updates.ts';
import { trustHosts, usualLimits } from './web.ts';
import { readWhatsNew } from './whats-new.ts';

const rememberAfterMs = 10_000;

export interface DesktopUpdatesDeps {
  /** `desktop` in the data folder. */
  dir: string;
  /** Beside main's built files. */
  whatsNewFile: string;
  /** Of the feeds, base64 of SPKI; empty = the project has published none. */
  publicKey: string;
  isEnabled: () => boolean;
  runningTurns: () => number;
  /** Again with each change. */
  onNews: (news: UpdateNews) => void;
  clock: Clock;
  log: Log;
  platform: NodeJS.Platform;
}

export interface DesktopUpdates {
  news(): UpdateNews;
  act(action: UpdateAction): void;
}

export function startDesktopUpdates(deps: DesktopUpdatesDeps): DesktopUpdates {
  const { dir, whatsNewFile, publicKey, onNews, clock, log } = deps;
  const memory = openUpdateMemory(join(dir, 'updates.json'));
  const version = app.getVersion();
  const before = memory.lastVersion();
  let whatsNew = before !== null && before !== version ? readWhatsNew(whatsNewFile, version) : null;
  // A start that is over before somebody could read the note does not count.
  clock.after(rememberAfterMs, () => {
    const remembered = app.isPackaged ? memory.rememberVersion(version) : Promise.resolve();
    remembered.catch((error: unknown) => log.error('the version that runs was not kept', error));
  });

  const kind = app.isPackaged ? kindOfThis(deps.platform) : null;
  const updates = kind !== null && publicKey !== '' ? start(kind, memory, deps, () => tell()) : null;
  const whyNot: UpdateFailureCode = kind === null ? 'not-installed' : 'no-key';
  const state = (): UpdateState =>
    updates?.state() ?? { kind: 'unavailable', message: new UpdateFailure(whyNot).message };
  const news = (): UpdateNews => ({ state: state(), whatsNew });
  const tell = (): void => onNews(news());

  return {
    news,
    act(action) {
      if (action === 'check') void updates?.check();
      else if (action === 'restart') updates?.restart();
      else {
        whatsNew = null;
        tell();
      }
    },
  };
}

function start(
  kind: PackageKind,
  memory: UpdateMemory,
  { publicKey, isEnabled, runningTurns, clock, log, platform }: DesktopUpdatesDeps,
  onState: () => void,
): Updates {
  let updater: Promise<AppUpdater> | undefined;
  let downloaded: string | null = null;
  let restartWanted = false;

  const load = async (): Promise<AppUpdater> => {
    const loaded = await loadUpdater(kind, memory, publicKey, platform);
    loaded.on('update-downloaded', ({ downloadedFile }) => {
      downloaded = downloadedFile;
    });
    app.once('quit', (_event, exitCode) => {
      if (downloaded === null || !installsOnQuit(kind, restartWanted, exitCode)) return;
      try {
        install(loaded, kind, downloaded, restartWanted);
      } catch (error) {
        log.error('the update was not installed', error);
      }
    });
    return loaded;
  };
  return startUpdates({
    updater: () => (updater ??= load()),
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
}

/** Everything has ended by then: Electron's docs/api/app.md, `quit`. */
function install(updater: AppUpdater, kind: PackageKind, downloaded: string, restart: boolean): void {
  if (kind !== 'app-image') {
    (updater as BaseUpdater).install(true, restart);
    return;
  }
  const appImage = process.env['APPIMAGE'] ?? '';
  replaceAppImage(downloaded, appImage);
  // It starts once this process has ended, and so finds the lock free.
  if (restart) app.relaunch({ execPath: appImage, args: process.argv.slice(1) });
}

async function loadUpdater(
  kind: PackageKind,
  memory: UpdateMemory,
  publicKey: string,
  platform: NodeJS.Platform,
): Promise<AppUpdater> {
  // Not before the first check: the window comes first.
  const library = await import('electron-updater');
  const { parseUpdateInfo } = await import('electron-updater/out/providers/Provider.js');
  const { AppImageUpdater, DebUpdater, MacUpdater, NsisUpdater, Provider } = library;
  const Updater = { 'app-image': AppImageUpdater, deb: DebUpdater, mac: MacUpdater, nsis: NsisUpdater }[kind];
  const updater = new Updater();
  updater.logger = null;
  // Squirrel.Mac installs on quitting; elsewhere the `quit` handler does, once every process has ended.
  updater.autoInstallOnAppQuit = kind === 'mac';
  holdToFeed(updater, { Provider, parseUpdateInfo }, app.getVersion(), {
    source: { url: releaseUrl, channel: releaseChannel, publicKey, platform, arch: process.arch },
    web: {
      open: openByNet((options) => net.request(options)),
      limits: usualLimits,
      isTrusted: trustHosts(releaseHosts),
    },
    memory,
    freeBytes,
  });
  return updater;
}

function kindOfThis(platform: NodeJS.Platform): PackageKind | null {
  return packageKind({
    platform,
    env: process.env,
    execPath: app.getPath('exe'),
    packageType: packageType(),
  });
}

function packageType(): string | null {
  try {
    return readFileSync(join(process.resourcesPath, 'package-type'), 'utf8').trim();
  } catch {
    return null;
  }
}
