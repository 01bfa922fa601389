/** The stub of Electron refuses what Electron refuses: what it lets pass would pass here and fail with a person. */
import { createRequire } from 'node:module';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { trayIcon } from '../../test/helpers/desktop-app.ts';
import type { FakeUtilityProcess } from '../../test/helpers/electron-stub.ts';
import {
  app,
  BrowserWindow,
  dialog,
  electron,
  FakeDownloadItem,
  FakeWebContents,
  ipcMain,
  ipcRenderer,
  Menu,
  MessageChannelMain,
  nativeTheme,
  powerMonitor,
  powerSaveBlocker,
  protocol,
  resetElectron,
  screen,
  session,
  Tray,
  utilityProcess,
} from '../../test/helpers/electron-stub.ts';

beforeEach(resetElectron);
// Other files share it.
afterEach(resetElectron);

const uncloneable = { click: () => undefined };
const child = (): FakeUtilityProcess => utilityProcess.fork('/out/host.js', [], {});
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test.each<[string, () => void]>([
  ['a port', () => new MessageChannelMain().port1.postMessage(uncloneable)],
  ['a page', () => new FakeWebContents().postMessage('c', uncloneable)],
  ['a page by send', () => new FakeWebContents().send('c', uncloneable)],
  ['a utility process', () => child().postMessage(uncloneable)],
  ['main', () => ipcRenderer.send('c', uncloneable)],
])('A message to %s that cannot be cloned throws', (_, post) => {
  expect(post).toThrow(/could not be cloned/);
});

test('A port that was handed over is dead here, and lives where it arrived', async () => {
  const { port1, port2 } = new MessageChannelMain();
  port1.postMessage('early');
  const process = child();
  process.postMessage('connect', [port2]);
  const arrived = process.posted[0]?.ports[0];
  const heard: unknown[] = [];
  port2.on('message', () => heard.push('at the old one'));
  port2.start();
  arrived?.on('message', ({ data }: { data: unknown }) => heard.push(data));
  arrived?.start();
  port2.postMessage('from the old one');
  port2.close();
  port1.postMessage('late');
  await settled();
  expect([heard, port1.closed, port2.neutered]).toEqual([['early', 'late'], false, true]);
  expect(() => process.postMessage('again', [port2])).toThrow('Port at index 0 is already neutered.');
});

test('A port travels neither through itself nor twice in one message', () => {
  const { port1 } = new MessageChannelMain();
  expect(() => port1.postMessage('x', [port1])).toThrow(/source port/);
  expect(() => child().postMessage('x', [port1, port1])).toThrow(/duplicate/);
});

test('A page whose process died throws at a port until it is loaded again, and loses what is sent', async () => {
  const window = new BrowserWindow({});
  const { webContents } = window;
  webContents.emit('render-process-gone', {}, {});
  expect(() => webContents.postMessage('c', 1)).toThrow(/Render frame was disposed/);
  webContents.send('c', 2);
  await window.loadURL('app://andiron/');
  webContents.postMessage('c', 3);
  expect(webContents.posted.map(({ message }) => message)).toEqual([3]);
  window.destroy();
  expect(() => webContents.send('c', 4)).toThrow('Object has been destroyed');
});

test('A utility process is ended only between its start and its end, and is told nothing after it', async () => {
  const process = child();
  expect(process.kill()).toBe(false);
  await settled();
  expect(process.kill()).toBe(true);
  await settled();
  process.postMessage('late');
  expect([process.kill(), process.posted]).toEqual([false, []]);
});

test('A utility process has no stdin', () => {
  expect(() => utilityProcess.fork('/x', [], { stdio: ['pipe', 'pipe', 'inherit'] })).toThrow(/stdin/);
});

test.each([
  [{ role: 'exit' }, /Unknown role/],
  [{ label: 'x', submenu: [{ role: 'selectall' }] }, /Unknown role/],
  [{ label: 'x', accelerator: 'Mod+N' }, /no accelerator/],
  [{ label: 'x', accelerator: 'CommandOrControl+ArrowUp' }, /no accelerator/],
  [{ click: () => undefined }, /at least one of/],
])('A menu with %j is refused', (item, why) => {
  expect(() => Menu.buildFromTemplate([item])).toThrow(why);
});

test('A menu is shown only once it is built, and a tray only with an icon that is there', () => {
  expect(() => Menu.setApplicationMenu([{ label: 'x' }])).toThrow(/not built/);
  expect(() => new Tray('/no/such/tray.png')).toThrow(/Failed to load image/);
  const tray = new Tray(trayIcon);
  expect(() => tray.setContextMenu([{ label: 'x' }])).toThrow(/not built/);
  tray.setContextMenu(Menu.buildFromTemplate([{ label: 'x', accelerator: 'CommandOrControl+Shift++' }]));
  tray.destroy();
  expect(() => tray.setTitle('x')).toThrow(/destroyed/);
});

test.each<[string, () => unknown]>([
  ['a window', () => new BrowserWindow({})],
  ['a tray', () => new Tray(trayIcon)],
  ['a utility process', child],
  ['a handler of a scheme', () => protocol.handle('app', () => Promise.resolve(new Response()))],
  ['the screen', () => screen.getPrimaryDisplay()],
  ['the power monitor', () => powerMonitor.on('suspend', () => undefined)],
  ['a power save blocker', () => powerSaveBlocker.start('prevent-app-suspension')],
])('Before ready %s throws', (_, use) => {
  electron.ready = false;
  expect(use).toThrow(/before app is ready/);
});

test.each<[string, () => unknown]>([
  ['a privileged scheme', () => protocol.registerSchemesAsPrivileged([])],
  ['the sandbox', () => app.enableSandbox()],
  ['hardware acceleration', () => app.disableHardwareAcceleration()],
  ['the place of the user data', () => app.setPath('userData', '/x')],
])('After ready %s throws', (_, use) => {
  expect(use).toThrow(/must be called before/);
});

test('An error box while a turn runs is a fault, since it stops main', () => {
  const process = child();
  dialog.showErrorBox('x', 'y');
  expect(electron.faults).toEqual([]);
  process.emit('message', { type: 'activity', runningTurns: 1 });
  dialog.showErrorBox('x', 'y');
  expect(electron.faults).toHaveLength(1);
});

test('A second handler of one channel is refused, and a theme that is none', () => {
  ipcMain.handle('c', () => 1);
  expect(() => ipcMain.handle('c', () => 2)).toThrow(/second handler/);
  expect(() => (nativeTheme.themeSource = 'dusk' as 'dark')).toThrow('Error processing argument');
});

test('The options of a save dialog come while the download begins, and not later', () => {
  const item = new FakeDownloadItem('blob:x');
  session.defaultSession.download(item, new FakeWebContents());
  expect(() => item.setSaveDialogOptions({})).toThrow(/after will-download/);
});

test('A shutdown that nobody delays is not delayed', () => {
  expect(powerMonitor.shutDown()).toBe(false);
  powerMonitor.on('shutdown', (event) => (event as { preventDefault(): void }).preventDefault());
  expect(powerMonitor.shutDown()).toBe(true);
});

test('A library that requires Electron itself downloads nothing in a test (desk-C1)', () => {
  expect(createRequire(import.meta.url)('electron')).toContain('no-electron');
});
