/** What the whole app makes of an update that is ready, by the way in which it ends. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { becomesReady, fromPage, host, page, settled, useDesktop } from '../../test/helpers/desktop-app.ts';
import { app, ipcMain, powerMonitor } from '../../test/helpers/electron-stub.ts';
import { program, publicKey } from '../../test/helpers/update-server.ts';
import { publishToWeb } from '../../test/helpers/update-web.ts';
import { channels } from '../protocol/desktop.ts';
import type { UpdateNews } from '../protocol/updates.ts';

const { start, dir } = useDesktop();
const appImage = (): string => join(dir(), 'Andiron.AppImage');
const version = (): string => readFileSync(appImage(), 'utf8').slice(0, 30).split('\n')[1] ?? '';

beforeEach(() => {
  writeFileSync(join(dir(), 'app-update.yml'), 'updaterCacheDirName: andiron-updater\n');
  writeFileSync(appImage(), program('0.1.0'));
  Object.assign(process, { resourcesPath: dir() });
  vi.stubEnv('APPIMAGE', appImage());
  vi.stubEnv('APPDIR', '/home/anna');
});
afterEach(() => {
  Reflect.deleteProperty(process, 'resourcesPath');
  vi.unstubAllEnvs();
});

const isReady = ({ channel, message }: { channel: string; message: unknown }): boolean =>
  channel === channels.updateNews && (message as UpdateNews).state.kind === 'ready';

async function startWithUpdate(): Promise<void> {
  publishToWeb('linux', 'AppImage', program('0.2.0'));
  start('linux', { updateKey: publicKey });
  becomesReady();
  ipcMain.emit(channels.updateAction, fromPage(), 'check');
  await expect.poll(() => page().webContents.posted.some(isReady)).toBe(true);
}

test.each<[string, () => unknown, string]>([
  ['a person quits', () => app.quit(), 'echo 0.2.0'],
  ['the machine goes down', () => powerMonitor.shutDown(), 'echo 0.1.0'],
  ['the session of Windows ends', () => page().emit('session-end', { reasons: ['logoff'] }), 'echo 0.1.0'],
])('When %s the app ends and its AppImage is as it should be', async (_name, end, says) => {
  await startWithUpdate();
  end();
  host().emit('exit', 0);
  await expect.poll(() => app.ended).toBe(true);
  await settled();
  expect(version()).toBe(says);
});
