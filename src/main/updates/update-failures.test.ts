import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import {
  appendFileSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { before, content, feed, filePath, updateFaults } from '../../../test/helpers/update-faults.ts';
import {
  feedText,
  installCopy,
  publicKey,
  publish,
  publishVersion,
  startUpdateServer,
  type CopyOptions,
  type InstalledCopy,
  type UpdateServer,
} from '../../../test/helpers/update-server.ts';
import { silentLog } from '../../platform/log.ts';
import { systemClock } from '../../platform/clock.ts';
import { replaceAppImage } from './app-image.ts';
import { assertUnchanged, type CheckedFile } from './checked-file.ts';
import { UpdateFailure } from './failure.ts';
import { readyUpdateOf, type ReadyUpdate } from './install.ts';
import { startUpdates, type Updates } from './updates.ts';
import { downloadFile } from './fetch-update.ts';

let server: UpdateServer;
let copy: InstalledCopy;
let ready: ReadyUpdate | null = null;

beforeEach(async () => {
  server = await startUpdateServer();
  ready = null;
});
afterEach(async () => {
  await server.close();
  copy.remove();
  vi.unstubAllEnvs();
});

/** Andiron 0.1.0, started. */
function start(options: Partial<CopyOptions> = {}): Updates {
  copy = installCopy({ origin: server.origin, ...options });
  vi.stubEnv('APPIMAGE', copy.appImage);
  copy.updater.on('update-downloaded', (event) => {
    ready = readyUpdateOf(event);
  });
  return startUpdates({
    updater: () => Promise.resolve(copy.updater),
    isEnabled: () => true,
    runningTurns: () => 0,
    quitToInstall: () => ready && replaceAppImage(ready, copy.appImage, 'a'),
    onState: () => undefined,
    clock: { ...systemClock, after: () => ({ cancel: () => undefined }) },
    log: silentLog,
  });
}

test.each(updateFaults)('an update fails in one sentence when $name', async ({ spoil, options, says }) => {
  publishVersion(server);
  await spoil(server);
  const updates = start(options);
  const data = copy.dataDigest();
  const state = await updates.check();
  expect(state).toMatchObject({ kind: 'failed' });
  expect('message' in state && state.message).toMatch(says);
  // The old version starts, its data is as it was, and nothing is there to install.
  expect(updates.restart()).toBe(false);
  expect(ready).toBeNull();
  expect(copy.startedVersion()).toBe('0.1.0');
  expect(copy.dataDigest()).toBe(data);
  expect(copy.downloads()).toEqual([]);
});

test('after each failure an honest server updates Andiron at the next check', async () => {
  publishVersion(server);
  const updates = start();
  for (const { spoil, options, name } of updateFaults) {
    if (options || name === 'there is no network') continue;
    publishVersion(server);
    await spoil(server);
    const { kind } = await updates.check();
    expect(`${name}: ${kind}`).toBe(`${name}: failed`);
  }
  publishVersion(server);
  expect(await updates.check()).toEqual({ kind: 'ready', version: '0.2.0' });
  expect(copy.startedVersion()).toBe('0.1.0');
  expect(updates.restart()).toBe(true);
  expect(copy.startedVersion()).toBe('0.2.0');
});

test('a feed older than one that was seen before is refused, also after a restart', async () => {
  publishVersion(server);
  publish(server, feedText('0.1.0', content));
  const updates = start();
  expect(await updates.check()).toEqual({ kind: 'current' });
  publish(server, feed, { at: before });
  const again = startUpdatesIn(copy.folder);
  const state = await again.check();
  expect('message' in state && state.message).toMatch(/sent an older feed than last time/);
  expect(copy.startedVersion()).toBe('0.1.0');
});

function startUpdatesIn(folder: string): Updates {
  return start({ folder });
}

test('the version that runs is no update, and asking leaves no id of the person', async () => {
  publish(server, feedText('0.1.0', content));
  const updates = start();
  const data = copy.dataDigest();
  expect(await updates.check()).toEqual({ kind: 'current' });
  expect(copy.dataDigest()).toBe(data);
});

test('requests for an update carry nothing about the person', async () => {
  const seen: string[] = [];
  publishVersion(server);
  for (const [path, answer] of server.answers) {
    server.answers.set(path, (request, response) => {
      seen.push(`${request.url ?? ''} ${Object.keys(request.headers).toSorted().join(' ')}`);
      response.end(answer);
    });
  }
  await start().check();
  expect(seen).toHaveLength(3);
  for (const request of seen) expect(request).not.toMatch(/\?|staging|cookie|authorization/);
});

test('a copy that is no AppImage says that it cannot update', async () => {
  publishVersion(server);
  const updates = start();
  vi.stubEnv('APPIMAGE', undefined);
  const state = await updates.check();
  expect('message' in state && state.message).toMatch(/wasn't installed from a package/);
});

test('a disk that is full while writing is told as such', async () => {
  publishVersion(server);
  start();
  const web = { open: () => Promise.resolve({ status: 200, body: bodyOf(content) }), isTrusted: () => true };
  const limits = { smallMs: 1000, idleMs: 1000, wholeMs: 1000 };
  const expected = { size: content.length, sha512: '' };
  const written = downloadFile({ ...web, limits }, new URL('https://x/'), '/dev/full', expected);
  await expect(written).rejects.toMatchObject({ code: 'disk-full' });
});

async function* bodyOf(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

test('a folder of the cache that cannot be made is told as such', async () => {
  publishVersion(server);
  const updates = start();
  writeFileSync(join(copy.folder, 'cache'), 'a file is in the way');
  const state = await updates.check();
  expect('message' in state && state.message).toMatch(/couldn't write the update/);
  expect(copy.startedVersion()).toBe('0.1.0');
});

test('an Andiron that is killed while it downloads starts as before and updates later', async () => {
  publishVersion(server);
  const wholeFile = server.answers.get(filePath);
  server.answers.set(filePath, (_request, response) => void response.write(content.subarray(0, 100_000)));
  copy = installCopy({ origin: server.origin });
  const data = copy.dataDigest();
  const script = fileURLToPath(new URL('../../../test/helpers/update-child.ts', import.meta.url));
  const child = spawn(process.execPath, [script, server.origin, copy.folder, publicKey], {
    stdio: 'ignore',
    env: { ...process.env, APPIMAGE: copy.appImage },
  });
  await vi.waitFor(() => expect(copy.downloads()).toContain('temp-Andiron-0.2.0.AppImage'), 20_000);
  child.kill('SIGKILL');
  await once(child, 'exit');
  expect(copy.startedVersion()).toBe('0.1.0');
  expect(copy.dataDigest()).toBe(data);
  server.answers.set(filePath, wholeFile ?? '');
  const updates = start({ folder: copy.folder });
  expect(await updates.check()).toEqual({ kind: 'ready', version: '0.2.0' });
  updates.restart();
  expect(copy.startedVersion()).toBe('0.2.0');
});

const whole = (path: string): CheckedFile => ({
  path,
  size: content.length,
  sha512: createHash('sha512').update(content).digest('base64'),
});
const replace = (from: string, to: string) => () => replaceAppImage(whole(from), to, 'a');
const names = (): string[] => readdirSync(copy.folder).filter((name) => name.includes('AppImage'));

test('an AppImage is replaced in one move, and what a crash left of a draft is no obstacle', () => {
  copy = installCopy({ origin: server.origin });
  const downloaded = join(copy.folder, 'new');
  writeFileSync(downloaded, content);
  writeFileSync(`${copy.appImage}.a.update`, 'half');
  replaceAppImage(whole(downloaded), copy.appImage, 'a');
  expect([copy.startedVersion(), names()]).toEqual(['0.2.0', ['Andiron.AppImage']]);
});

test('A draft of an AppImage never goes through a link that lies in its place', () => {
  copy = installCopy({ origin: server.origin });
  const [downloaded, target] = [join(copy.folder, 'new'), join(copy.folder, 'victim')];
  writeFileSync(downloaded, content);
  writeFileSync(target, 'mine');
  symlinkSync(target, `${copy.appImage}.a.update`);
  replaceAppImage(whole(downloaded), copy.appImage, 'a');
  expect([copy.startedVersion(), readFileSync(target, 'utf8')]).toEqual(['0.2.0', 'mine']);
});

test.each<[string, (file: string) => void]>([
  ['is half of it', (file) => truncateSync(file, content.length / 2)],
  [
    'has one other byte',
    (file) => writeFileSync(file, Buffer.concat([content.subarray(1), Buffer.from('x')])),
  ],
  ['has one byte more', (file) => appendFileSync(file, 'x')],
  ['is empty', (file) => truncateSync(file)],
  ['is gone', (file) => rmSync(file)],
])('A downloaded file is not installed when what lies on the disk by then %s', (_name, spoil) => {
  copy = installCopy({ origin: server.origin });
  const downloaded = join(copy.folder, 'new');
  writeFileSync(downloaded, content);
  assertUnchanged(whole(downloaded));
  spoil(downloaded);
  expect(() => assertUnchanged(whole(downloaded))).toThrow(/isn't the one that was signed/);
  expect(() => replaceAppImage(whole(downloaded), copy.appImage, 'a')).toThrow(UpdateFailure);
  expect([copy.startedVersion(), names()]).toEqual(['0.1.0', ['Andiron.AppImage']]);
});

test('an AppImage stays when the downloaded file is gone or its place cannot be written', () => {
  copy = installCopy({ origin: server.origin });
  const downloaded = join(copy.folder, 'new');
  expect(replace(downloaded, copy.appImage)).toThrow(UpdateFailure);
  expect(copy.startedVersion()).toBe('0.1.0');
  writeFileSync(downloaded, content);
  // It leads to the same file.
  expect(replace(downloaded, relative(process.cwd(), copy.appImage))).toThrow(
    /couldn't replace its own files/,
  );
  expect(copy.startedVersion()).toBe('0.1.0');
  expect(replace(downloaded, join(copy.folder, 'data'))).toThrow(UpdateFailure);
});
