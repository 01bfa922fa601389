import { EventEmitter } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import type { ClientRequest, ClientRequestConstructorOptions } from 'electron';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { silentLog } from '../../platform/log.ts';
import type { UpdateState } from '../../protocol/updates.ts';
import { UpdateFailure, type UpdateFailureCode } from './failure.ts';
import { feedFileName } from './feed.ts';
import { openUpdateMemory } from './update-record.ts';
import { openByNet } from './open-by-net.ts';
import { installsOnQuit, packageKind, type PackageKind, type PackagePlace } from './package-kind.ts';
import { releaseChannel, releaseHosts, releaseUrl } from './release-source.ts';
import { startUpdates, type UpdateCheck, type UpdatesDeps } from './updates.ts';
import { trustHosts } from './fetch-update.ts';
import { readWhatsNew } from './whats-new.ts';

const day = 24 * 60 * 60_000;

/** Time that moves by hand. */
function handClock() {
  let now = 0;
  const timers: { due: number; run: () => void }[] = [];
  return {
    now: () => now,
    monotonic: () => now,
    after(ms: number, run: () => void) {
      const timer = { due: now + ms, run };
      timers.push(timer);
      return { cancel: () => void timers.splice(timers.indexOf(timer), 1) };
    },
    pass(ms: number) {
      now += ms;
      for (const timer of timers.filter(({ due }) => due <= now)) {
        timers.splice(timers.indexOf(timer), 1);
        timer.run();
      }
    },
  };
}

type Found = Awaited<ReturnType<UpdateCheck['checkForUpdates']>>;
const found = (version: string, downloadPromise: Promise<unknown> = Promise.resolve()): Found => ({
  isUpdateAvailable: true,
  updateInfo: { version },
  downloadPromise,
});

function updates(answer: () => Promise<Found>, more: Partial<UpdatesDeps> = {}) {
  const clock = handClock();
  const states: UpdateState[] = [];
  const done = { checks: 0, quits: 0, loads: 0 };
  const checkForUpdates = (): Promise<Found> => {
    done.checks++;
    return answer();
  };
  const started = startUpdates({
    updater() {
      done.loads++;
      return Promise.resolve({ checkForUpdates });
    },
    isEnabled: () => true,
    runningTurns: () => 0,
    quitToInstall: () => void done.quits++,
    onState: (state) => states.push(state),
    clock,
    log: silentLog,
    ...more,
  });
  return { started, clock, states, done };
}
const nothing = (): Promise<Found> =>
  Promise.resolve({ isUpdateAvailable: false, updateInfo: { version: '0.1.0' } });
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('looking for updates', () => {
  test('begins soon after the start and goes on daily', async () => {
    const { clock, done } = updates(nothing);
    expect(done.loads).toBe(0);
    clock.pass(30_000);
    await settled();
    expect(done.checks).toBe(1);
    clock.pass(day);
    await settled();
    expect(done.checks).toBe(2);
  });

  test('waits while the setting is off, and a person can still ask', async () => {
    const { started, clock, done } = updates(nothing, { isEnabled: () => false });
    clock.pass(30_000);
    clock.pass(day);
    await settled();
    expect(done).toMatchObject({ checks: 0, loads: 0 });
    expect(await started.check()).toEqual({ kind: 'current' });
  });

  test('ends with the app', async () => {
    const { started, clock, done } = updates(nothing);
    started.stop();
    clock.pass(day);
    await settled();
    expect(done.checks).toBe(0);
  });

  test('asks once for two questions at a time', async () => {
    const { started, done } = updates(nothing);
    await Promise.all([started.check(), started.check()]);
    expect(done.checks).toBe(1);
  });

  test('tells each step, and leaves alone what is ready', async () => {
    const { started, states, done } = updates(() => Promise.resolve(found('0.2.0')));
    await started.check();
    expect(states).toEqual([
      { kind: 'checking' },
      { kind: 'downloading', version: '0.2.0' },
      { kind: 'ready', version: '0.2.0' },
    ]);
    await started.check();
    expect(done.checks).toBe(1);
  });

  test('says one sentence for what nobody foresaw, too', async () => {
    const { started } = updates(() => Promise.reject(new Error('a stack of words')));
    expect(await started.check()).toEqual({
      kind: 'failed',
      message: 'The update failed, so this version stays. The log has the details.',
    });
  });
});

describe('restarting to update', () => {
  test('needs an update that is ready', async () => {
    const { started, done } = updates(() => Promise.resolve(found('0.2.0')));
    expect(started.restart()).toBe(false);
    await started.check();
    expect(started.restart()).toBe(true);
    expect(done.quits).toBe(1);
  });

  test('never happens while a turn runs', async () => {
    let turns = 1;
    const { started, done } = updates(() => Promise.resolve(found('0.2.0')), { runningTurns: () => turns });
    await started.check();
    expect(started.restart()).toBe(false);
    expect(done.quits).toBe(0);
    turns = 0;
    expect(started.restart()).toBe(true);
  });
});

describe('the package of this copy', () => {
  const appImage = { APPIMAGE: '/home/a/Andiron.AppImage', APPDIR: '/tmp/.mount_And1' };
  const inMount = '/tmp/.mount_And1/andiron';
  const inOpt = '/opt/Andiron/andiron';
  const inApplications = '/Applications/Andiron.app/Contents/MacOS/Andiron';
  const moved = '/private/var/folders/x/AppTranslocation/1/d/Andiron.app/Contents/MacOS/Andiron';
  const inPrograms = 'C:\\Users\\a b\\AppData\\Local\\Programs\\andiron\\Andiron.exe';
  const uninstaller = inPrograms.replace('Andiron.exe', 'Uninstall Andiron.exe');
  const linux = { platform: 'linux', env: {}, execPath: inOpt } as const;
  const windows = {
    platform: 'win32',
    execPath: inPrograms,
    exists: (path: string) => path === uninstaller,
  } as const;
  const mac = { platform: 'darwin', execPath: inApplications } as const;

  const told = (place: Partial<PackagePlace>): PackageKind | UpdateFailureCode => {
    const nothing = { packageType: null, hasOptions: false, exists: () => false };
    try {
      return packageKind({ ...linux, ...nothing, ...place });
    } catch (error) {
      if (error instanceof UpdateFailure) return error.code;
      throw error;
    }
  };
  test.each<[string, Partial<PackagePlace>, PackageKind | UpdateFailureCode]>([
    ['an AppImage', { env: appImage, execPath: inMount }, 'app-image'],
    ['an AppImage with options', { env: appImage, execPath: inMount, hasOptions: true }, 'app-image'],
    [
      'an AppImage that was made beside the deb',
      { env: appImage, execPath: inMount, packageType: 'deb' },
      'app-image',
    ],
    [
      'an AppImage that was unpacked beside the deb',
      {
        env: { APPDIR: '/home/a/squashfs-root' },
        execPath: '/home/a/squashfs-root/andiron',
        packageType: 'deb',
      },
      'not-installed',
    ],
    [
      'the folder of a build',
      { execPath: '/src/dist/linux-unpacked/andiron', packageType: 'deb' },
      'not-installed',
    ],
    ['another program started by an AppImage', { env: appImage }, 'not-installed'],
    [
      'a folder whose name begins as the mount does',
      { env: appImage, execPath: '/tmp/.mount_And12/andiron' },
      'not-installed',
    ],
    [
      'an AppImage that is named by a relative path',
      { env: { ...appImage, APPIMAGE: 'a' }, execPath: inMount },
      'not-installed',
    ],
    ['a deb in the terminal of an AppImage', { env: appImage, packageType: 'deb' }, 'deb'],
    ['a deb with options', { packageType: 'deb', hasOptions: true }, 'deb'],
    ['an rpm', { packageType: 'rpm' }, 'not-installed'],
    ['a folder', {}, 'not-installed'],
    ['Windows', windows, 'nsis'],
    ['a copied folder on Windows', { ...windows, execPath: 'D:\\Andiron.exe' }, 'not-installed'],
    ['Windows with options', { ...windows, hasOptions: true }, 'with-options'],
    ['macOS', mac, 'mac'],
    ['macOS with options', { ...mac, hasOptions: true }, 'with-options'],
    ['macOS without a certificate', { ...mac, packageType: 'ad-hoc' }, 'not-signed'],
    ['macOS in a download that was not moved', { ...mac, execPath: moved }, 'not-installed'],
    ['FreeBSD', { platform: 'freebsd', env: appImage, execPath: inMount }, 'not-installed'],
  ])('is told for %s', (_name, place, kind) => {
    expect(told(place)).toBe(kind);
  });

  test.each<[PackageKind, boolean, number, boolean]>([
    ['app-image', false, 0, true],
    ['app-image', true, 0, true],
    ['app-image', true, 1, false],
    ['nsis', false, 0, false],
    ['nsis', true, 0, true],
    ['nsis', true, 1, false],
    ['deb', false, 0, false],
    ['deb', true, 0, true],
    ['mac', true, 0, false],
  ])('%s with restart %s and exit code %i installs while quitting: %s', (kind, restart, code, installs) => {
    const ending = { kind, restartWanted: restart, exitCode: code };
    expect(installsOnQuit({ ...ending, systemEnds: false })).toBe(installs);
    expect(installsOnQuit({ ...ending, systemEnds: true })).toBe(false);
  });
});

describe('the source of releases', () => {
  test.each([
    ['win32', 'x64', 'latest.yml'],
    ['win32', 'arm64', 'latest.yml'],
    ['darwin', 'arm64', 'latest-mac.yml'],
    ['linux', 'x64', 'latest-linux.yml'],
    ['linux', 'arm64', 'latest-linux-arm64.yml'],
  ] as const)('has one feed for %s %s: %s', (platform, arch, name) => {
    expect(feedFileName('latest', platform, arch)).toBe(name);
  });

  test('is the same in the app and in its packages', () => {
    const config = readFileSync(new URL('../../../electron-builder.config.cjs', import.meta.url), 'utf8');
    expect(config).toContain(`url: '${releaseUrl}'`);
    expect(config).toContain(`channel: '${releaseChannel}'`);
  });

  test.each([
    [releaseUrl, true],
    ['https://release-assets.githubusercontent.com/x', true],
    ['http://github.com/andiron', false],
    ['https://github.com.evil.example/', false],
    ['https://github.com:8443/', false],
    ['https://evil.example/github.com', false],
    ['file:///etc/passwd', false],
  ])('%s is trusted: %s', (url, trusted) => {
    expect(trustHosts(releaseHosts)(new URL(url))).toBe(trusted);
  });
});

describe('files of the updates', () => {
  let folder = '';
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'andiron-updates-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  test('the memory keeps feeds and version, and takes a broken file for an empty one', async () => {
    const file = join(folder, 'updates.json');
    writeFileSync(file, '{"feeds": 3');
    const memory = openUpdateMemory(file);
    expect(memory.lastVersion()).toBeNull();
    await memory.accept('latest.yml', '2026-11-23T10:00:00.000Z');
    await memory.rememberVersion('0.2.0');
    const again = openUpdateMemory(file);
    expect(again.lastVersion()).toBe('0.2.0');
    const older = again.accept('latest.yml', '2026-11-23T09:59:59.000Z');
    await expect(older).rejects.toMatchObject({ code: 'replayed' });
    await again.accept('beta.yml', '2026-11-23T09:00:00.000Z');
    await again.accept('latest.yml', '2026-11-23T10:00:00.000Z');
  });

  test.each([
    ['{"version":"0.2.0","lines":["One.","Two."]}', ['One.', 'Two.']],
    ['{"version":"0.1.0","lines":["One."]}', undefined],
    ['{"version":"0.2.0","lines":["1","2","3","4"]}', undefined],
    ['{', undefined],
  ])('what is new is read from %s', (content, lines) => {
    const file = join(folder, 'whats-new.json');
    writeFileSync(file, content);
    expect(readWhatsNew(file, '0.2.0')?.lines).toEqual(lines);
  });
});

class FakeRequest extends EventEmitter {
  readonly options: ClientRequestConstructorOptions;
  followed = 0;
  aborted = false;
  constructor(options: ClientRequestConstructorOptions) {
    super();
    this.options = options;
  }
  followRedirect = (): void => void this.followed++;
  abort = (): void => {
    this.aborted = true;
  };
  end = (): void => undefined;
}

const ask = (signal = new AbortController().signal) => {
  let request: FakeRequest | undefined;
  const reply = openByNet((options) => {
    request = new FakeRequest(options);
    return request as unknown as ClientRequest;
  })(new URL('https://github.com/x'), { signal, mayFollow: trustHosts(releaseHosts) });
  if (!request) throw new Error('Nothing was asked.');
  return { request, reply };
};

describe('the update server through Electron', () => {
  test('is asked without cookies, cache and unasked redirects', async () => {
    const { request, reply } = ask();
    expect(request.options).toMatchObject({ redirect: 'manual', credentials: 'omit', cache: 'no-store' });
    const body = Object.assign(Readable.from([Buffer.from('feed')]), { statusCode: 200 });
    request.emit('response', body);
    const { status, body: read } = await reply;
    expect(status).toBe(200);
    const parts: Uint8Array[] = [];
    for await (const part of read) parts.push(part);
    expect(Buffer.concat(parts).toString()).toBe('feed');
  });

  test('may redirect to storage of its own, five times at most', async () => {
    const { request, reply } = ask();
    for (let hop = 1; hop <= 5; hop++) {
      request.emit('redirect', 302, 'GET', 'https://objects.githubusercontent.com/y', {});
      expect(request.followed).toBe(hop);
    }
    request.emit('redirect', 302, 'GET', 'https://objects.githubusercontent.com/y', {});
    await expect(reply).rejects.toMatchObject({ code: 'redirected' });
    expect(request).toMatchObject({ followed: 5, aborted: true });
  });

  test.each(['https://evil.example/', 'http://github.com/', 'nonsense://'])(
    'may not redirect to %s',
    async (to) => {
      const { request, reply } = ask();
      request.emit('redirect', 302, 'GET', to, {});
      await expect(reply).rejects.toBeInstanceOf(UpdateFailure);
      expect(request).toMatchObject({ followed: 0, aborted: true });
    },
  );

  test('is given up when the time is over', async () => {
    const limit = new AbortController();
    const { request, reply } = ask(limit.signal);
    limit.abort(new UpdateFailure('too-slow'));
    await expect(reply).rejects.toMatchObject({ code: 'too-slow' });
    expect(request.aborted).toBe(true);
  });
});
