/** electron-updater for the package that runs, with Electron's network and a folder of its own. */
import { join } from 'node:path';
import { app, net, session } from 'electron';
import type { AppUpdater } from 'electron-updater';
import type { AppAdapter } from 'electron-updater/out/AppAdapter.js';
import { freeBytes } from '../../platform/disk-space.ts';
import { holdToFeed } from './checked-updater.ts';
import type { UpdateMemory } from './update-record.ts';
import { openByNet } from './open-by-net.ts';
import type { PackageKind } from './package-kind.ts';
import { releaseChannel, releaseHosts, releaseUrl } from './release-source.ts';
import { trustHosts, usualLimits, type OpenWeb } from './fetch-update.ts';

export interface LoadUpdaterDeps {
  kind: PackageKind;
  memory: UpdateMemory;
  publicKey: string;
  platform: NodeJS.Platform;
  /** For downloads, of this data folder alone: two Andirons must not write to one file. */
  cacheDir: string;
}

/** Not before the first check: the window comes first. */
export async function loadUpdater(deps: LoadUpdaterDeps): Promise<AppUpdater> {
  const { kind, memory, publicKey, platform, cacheDir } = deps;
  const library = await import('electron-updater');
  const { parseUpdateInfo } = await import('electron-updater/out/providers/Provider.js');
  const { AppImageUpdater, DebUpdater, MacUpdater, NsisUpdater, Provider } = library;
  const Updater = { 'app-image': AppImageUpdater, deb: DebUpdater, mac: MacUpdater, nsis: NsisUpdater }[kind];
  const updater = new Updater(undefined, adapterOf(cacheDir));
  updater.logger = null;
  // Squirrel.Mac installs on quitting; elsewhere the `quit` handler does, once every process has ended.
  updater.autoInstallOnAppQuit = kind === 'mac';
  holdToFeed(updater, { Provider, parseUpdateInfo }, app.getVersion(), {
    source: { url: releaseUrl, channel: releaseChannel, publicKey, platform, arch: process.arch },
    web: { open: openUpdateWeb(), limits: usualLimits, isTrusted: trustHosts(releaseHosts) },
    memory,
    freeBytes,
  });
  return updater;
}

/**
 * Through a session of its own, in memory. Without one a request belongs to the page's session (Electron's
 * api/client-request.md), whose guard lets nothing into the network.
 */
export function openUpdateWeb(): OpenWeb {
  const own = session.fromPartition('andiron-updates', { cache: false });
  return openByNet((options) => net.request({ ...options, session: own }));
}

const adapterOf = (cacheDir: string): AppAdapter => ({
  version: app.getVersion(),
  name: 'Andiron',
  isPackaged: app.isPackaged,
  get appUpdateConfigPath() {
    return join(process.resourcesPath, 'app-update.yml');
  },
  userDataPath: app.getPath('userData'),
  baseCachePath: cacheDir,
  whenReady: () => app.whenReady(),
  // Whoever installs starts it again.
  relaunch: () => undefined,
  quit: () => app.quit(),
  onQuit: (handler) => void app.once('quit', (_event, exitCode) => handler(exitCode)),
});
