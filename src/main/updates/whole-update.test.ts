/** Updates from the first question to the file in its place: electron-updater, the guards and the end of the app are real. */
import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { session as electronSession } from 'electron';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { app, electron, net, resetElectron, session } from '../../../test/helpers/electron-stub.ts';
import { skippableClock } from '../../../test/helpers/skippable-clock.ts';
import { publishToWeb } from '../../../test/helpers/update-web.ts';
import { program, publicKey } from '../../../test/helpers/update-server.ts';
import { silentLog } from '../../platform/log.ts';
import { createClosing, type Closing } from '../closing.ts';
import { guardSession } from '../guards.ts';
import { startDesktopUpdates, type DesktopUpdates } from './desktop-updates.ts';
import { openUpdateWeb } from './load-updater.ts';
import type { StartAfterEnd } from './start-after-end.ts';

let dir = '';
let errors: string[] = [];
let startedAfter: StartAfterEnd[] = [];
const appImage = (): string => join(dir, 'Andiron.AppImage');
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

beforeEach(() => {
  resetElectron();
  guardSession(electronSession.defaultSession);
  errors = [];
  startedAfter = [];
  dir = mkdtempSync(join(tmpdir(), 'andiron-whole-update-'));
  writeFileSync(join(dir, 'app-update.yml'), 'updaterCacheDirName: andiron-updater\n');
  Object.assign(process, { resourcesPath: dir });
  writeFileSync(appImage(), program('0.1.0'));
});
afterEach(() => {
  Reflect.deleteProperty(process, 'resourcesPath');
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
  resetElectron();
  rmSync(dir, { recursive: true, force: true });
});

interface StartOptions {
  turns?: () => number;
  /** What is answered when a turn runs. */
  agrees?: boolean;
}

interface Andiron {
  updates: DesktopUpdates;
  closing: Closing;
  /** As app.ts has it. */
  endSystem(): void;
  downloads(): string[];
}

function start(platform: 'linux' | 'win32', { turns = () => 0, agrees = false }: StartOptions = {}): Andiron {
  let systemEnds = false;
  const updates = startDesktopUpdates({
    dir,
    whatsNewFile: join(dir, 'whats-new.json'),
    publicKey,
    args: platform === 'linux' ? ['--data-dir', '/a b'] : [],
    isEnabled: () => true,
    runningTurns: () => 0,
    systemEnds: () => systemEnds,
    startAfterEnd: (each) => startedAfter.push(each),
    onNews: () => undefined,
    clock: skippableClock(),
    log: { ...silentLog, error: (message) => errors.push(message) },
    platform,
  });
  const closing = createClosing({
    runningTurns: turns,
    ask: () => Promise.resolve(agrees),
    onKeptOpen: () => updates.keptOpen(),
    shutdown: () => Promise.resolve(),
    quit: () => app.quit(),
    onFailure: (error) => errors.push(String(error)),
    clock: skippableClock(),
  });
  app.on('before-quit', (event) => closing.beforeQuit(event));
  return {
    updates,
    closing,
    endSystem() {
      systemEnds = true;
      closing.systemEnds();
    },
    downloads: () => readdirSync(join(dir, 'andiron-updater', 'pending')),
  };
}

function startAppImage(options: StartOptions = {}): Andiron {
  vi.stubEnv('APPIMAGE', appImage());
  vi.stubEnv('APPDIR', '/home/anna');
  publishToWeb('linux', 'AppImage', program('0.2.0'));
  return start('linux', options);
}

/** An installer that writes down how it was called. */
const installer = (): Buffer => Buffer.from(`#!/bin/sh\necho "$@" > '${join(dir, 'installed')}'\n`);
const installed = (): string | null => {
  const file = join(dir, 'installed');
  return existsSync(file) ? readFileSync(file, 'utf8') : null;
};
function startOnWindows(options: StartOptions = {}): Andiron {
  vi.spyOn(app, 'getPath').mockImplementation((name) => join(dir, name === 'exe' ? 'Andiron.exe' : name));
  writeFileSync(join(dir, 'Uninstall Andiron.exe'), '');
  publishToWeb('win32', 'exe', installer());
  return start('win32', options);
}

async function becomesReady({ updates }: Andiron): Promise<void> {
  updates.act('check');
  await expect.poll(() => updates.news().state).toEqual({ kind: 'ready', version: '0.2.0' });
}
const version = (): string => readFileSync(appImage(), 'utf8').slice(0, 30).split('\n')[1] ?? '';
const quit = async (): Promise<void> => {
  app.quit();
  await settled();
};

describe('an update check', () => {
  test('reaches its server although the page may not load anything from the network', async () => {
    const asked = new URL('https://github.com/x');
    electron.web.set(asked.href, 'here');
    const signal = new AbortController().signal;
    const { status } = await openUpdateWeb()(asked, { signal, mayFollow: () => false });
    expect(status).toBe(200);
  });

  test('of the page itself is still refused', async () => {
    electron.web.set('https://github.com/x', 'here');
    for (const options of [{}, { partition: '' }, { session: session.defaultSession }]) {
      const request = net.request({ url: 'https://github.com/x', ...options });
      const failed = new Promise<Error>((resolve) => request.on('error', resolve));
      request.end();
      expect((await failed).message).toBe('net::ERR_BLOCKED_BY_CLIENT');
    }
  });

  test('downloads into the data folder of this Andiron', async () => {
    const it = startAppImage();
    await becomesReady(it);
    expect(it.downloads()).toContain('Andiron-0.2.0.AppImage');
  });

  test('says before the download that the folder of the AppImage cannot be written', async () => {
    const it = startAppImage();
    vi.stubEnv('APPIMAGE', join(dir, 'gone', 'Andiron.AppImage'));
    it.updates.act('check');
    await expect.poll(() => it.updates.news().state.kind).toBe('failed');
    expect(it.updates.news().state).toMatchObject({
      message: expect.stringMatching(/couldn't replace/) as string,
    });
    expect(existsSync(join(dir, 'andiron-updater'))).toBe(false);
  });
});

describe('an AppImage', () => {
  test('is replaced while it quits, and starts only where a restart was asked for', async () => {
    await becomesReady(startAppImage());
    await quit();
    expect([version(), startedAfter]).toEqual(['echo 0.2.0', []]);
  });

  test('starts again from its file with its options and without its mount', async () => {
    const it = startAppImage();
    await becomesReady(it);
    it.updates.act('restart');
    await settled();
    expect(version()).toBe('echo 0.2.0');
    expect(startedAfter).toMatchObject([
      { pid: process.pid, program: appImage(), args: ['--data-dir', '/a b'] },
    ]);
    expect(startedAfter[0]?.env).not.toHaveProperty('APPDIR');
    // Its own way starts a helper in a mount that vanishes.
    expect(app.relaunched).toBeUndefined();
  });

  test('stays where the downloaded file was changed after its check, and that is told once', async () => {
    const it = startAppImage();
    await becomesReady(it);
    truncateSync(join(dir, 'andiron-updater', 'pending', 'Andiron-0.2.0.AppImage'), 100_000);
    it.updates.act('restart');
    await settled();
    expect([version(), app.ended]).toEqual(['echo 0.1.0', true]);
    expect(errors).toEqual(['the update was not installed']);
    // What was wanted was an Andiron, so the old one comes back.
    expect(startedAfter).toMatchObject([{ program: appImage() }]);
    const again = start('linux').updates;
    expect(again.news().notInstalled).toEqual({
      version: '0.2.0',
      message: expect.stringMatching(/isn't the one that was signed/) as string,
    });
    again.act('dismiss');
    expect(again.news().notInstalled).toBeNull();
  });

  test('that was replaced says nothing of a failure', async () => {
    await becomesReady(startAppImage());
    await quit();
    app.version = '0.2.0';
    expect(start('linux').updates.news().notInstalled).toBeNull();
  });
});

const file = (): string => join(dir, 'andiron-updater', 'pending', 'Andiron-0.2.0.exe');
/** What was noted of an update that was to be installed. */
const openInstall = (): { failure: string | null } | undefined => {
  const { install } = JSON.parse(readFileSync(join(dir, 'updates.json'), 'utf8')) as {
    install: { failure: string | null } | null;
  };
  return install ?? undefined;
};

const installerReady = async (options: StartOptions = {}): Promise<Andiron> => {
  const it = startOnWindows(options);
  await becomesReady(it);
  chmodSync(file(), 0o755);
  return it;
};

describe('on Windows', () => {
  test('the installer runs after "Restart to update", and starts Andiron itself', async () => {
    const it = await installerReady();
    it.updates.act('restart');
    await expect.poll(installed).toBe('--updated /S --force-run\n');
    expect([startedAfter, app.relaunched]).toEqual([[], undefined]);
  });

  test('the installer does not run while quitting: it ends other Andirons', async () => {
    const it = await installerReady();
    expect(it.updates.news().installedAt).toBe('restart-ends-others');
    await quit();
    await settled();
    expect([app.ended, installed(), openInstall()]).toEqual([true, null, undefined]);
  });

  test('a restart that was asked for is forgotten by a "Keep open"', async () => {
    let turns = 1;
    const it = await installerReady({ turns: () => turns });
    it.updates.act('restart');
    await settled();
    expect(app.ended).toBe(false);
    turns = 0;
    await quit();
    await settled();
    expect([app.ended, installed(), openInstall()]).toEqual([true, null, undefined]);
  });

  test('the end of the system starts no installer, whatever was asked for before', async () => {
    const it = await installerReady({ turns: () => 1, agrees: true });
    // The question of this restart is still open.
    it.updates.act('restart');
    it.endSystem();
    await settled();
    await settled();
    expect([app.ended, installed(), openInstall()]).toEqual([true, null, undefined]);
  });

  test('an installer that was changed does not run', async () => {
    const it = await installerReady();
    writeFileSync(file(), installer().toString().replace('echo', 'exit'));
    it.updates.act('restart');
    await expect.poll(() => [openInstall()?.failure, app.relaunched]).toEqual(['wrong-hash', {}]);
    expect(installed()).toBeNull();
  });

  test('an installer that fails after the app has ended is told at the next start', async () => {
    const it = await installerReady();
    // It cannot be run at all, which only this process would have heard.
    chmodSync(file(), 0o600);
    it.updates.act('restart');
    await expect.poll(() => errors).toContain('electron-updater');
    expect(startOnWindows().updates.news().notInstalled).toEqual({
      version: '0.2.0',
      message: "The installer of the update didn't finish, so this version stays.",
    });
  });
});
