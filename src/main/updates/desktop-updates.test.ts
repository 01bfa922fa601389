import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { app, resetElectron } from '../../../test/helpers/electron-stub.ts';
import { skippableClock } from '../../../test/helpers/skippable-clock.ts';
import { silentLog } from '../../platform/log.ts';
import type { UpdateNews } from '../../protocol/updates.ts';
import { startDesktopUpdates, type DesktopUpdates } from './desktop-updates.ts';
import { openUpdateMemory } from './update-record.ts';

let dir = '';
let told: UpdateNews[] = [];
beforeEach(() => {
  resetElectron();
  told = [];
  dir = mkdtempSync(join(tmpdir(), 'andiron-desktop-updates-'));
  writeFileSync(join(dir, 'whats-new.json'), '{"version":"0.2.0","lines":["One.","Two.","Three."]}');
});
afterEach(() => rmSync(dir, { recursive: true }));

const clock = skippableClock();
function start(version: string, publicKey = ''): DesktopUpdates {
  app.version = version;
  return startDesktopUpdates({
    dir,
    whatsNewFile: join(dir, 'whats-new.json'),
    publicKey,
    args: [],
    isEnabled: () => true,
    runningTurns: () => 0,
    systemEnds: () => false,
    startAfterEnd: () => undefined,
    onNews: (news) => told.push(news),
    clock,
    log: silentLog,
    platform: 'darwin',
  });
}
const remembered = (version: string): Promise<void> =>
  openUpdateMemory(join(dir, 'updates.json')).rememberVersion(version);

test('a build without a key says so and looks for nothing', () => {
  const updates = start('0.1.0');
  expect(updates.news().state).toEqual({
    kind: 'unavailable',
    message: "This build has no update key, so it can't check for updates.",
  });
  for (const action of ['check', 'restart'] as const) updates.act(action);
  expect(told).toEqual([]);
});

test('a build with a key looks, and a start without Electron ends in one sentence', async () => {
  const updates = start('0.1.0', 'a-key');
  expect(updates.news().state).toEqual({ kind: 'idle' });
  updates.act('check');
  // Outside of Electron its updater cannot even be made.
  await expect.poll(() => updates.news().state.kind).toBe('failed');
  expect(told[0]?.state).toEqual({ kind: 'checking' });
});

test('a copy that was not packed says that it cannot update', () => {
  app.isPackaged = false;
  expect(start('0.1.0').news().state).toMatchObject({
    kind: 'unavailable',
    message: expect.stringContaining("wasn't installed") as string,
  });
});

test('the first start after an update says in three lines what is new, until it is dismissed', async () => {
  await remembered('0.1.0');
  const updates = start('0.2.0');
  expect(updates.news().whatsNew?.lines).toEqual(['One.', 'Two.', 'Three.']);
  updates.act('dismiss');
  expect(told.at(-1)?.whatsNew).toBeNull();
  expect(updates.news().whatsNew).toBeNull();
});

test('what is new is not said at the very first start, nor twice', async () => {
  expect(start('0.2.0').news().whatsNew).toBeNull();
  clock.skip(10_000);
  await expect.poll(() => openUpdateMemory(join(dir, 'updates.json')).lastVersion()).toBe('0.2.0');
  expect(start('0.2.0').news().whatsNew).toBeNull();
});
