/** What the desktop does about the system around it: its end, its sleep, its second starts, its colours. */
import { EventEmitter } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import {
  asksForPorts,
  becomesReady,
  fromPage,
  host,
  last,
  page,
  settled,
  useDesktop,
} from '../../test/helpers/desktop-app.ts';
import {
  app,
  dialog,
  electron,
  ipcMain,
  nativeTheme,
  powerMonitor,
  resetElectron,
} from '../../test/helpers/electron-stub.ts';
import { skippableClock } from '../../test/helpers/skippable-clock.ts';
import { silentLog } from '../platform/log.ts';
import { channels } from '../protocol/desktop.ts';
import { closingLimits } from './closing.ts';
import { isMarkedEnding } from './ending-mark.ts';
import { queueSecondStarts } from './start-queue.ts';

const { start, dir } = useDesktop();

const runs = (runningTurns: number): boolean => host().emit('message', { type: 'activity', runningTurns });
const told = (): string[] => host().posted.map(({ message }) => (message as { type: string }).type);
const sent = (channel: string): unknown[] =>
  page()
    .webContents.posted.filter((each) => each.channel === channel)
    .map(({ message }) => message);
const change = (asked: unknown): unknown =>
  ipcMain.handlers.get(channels.changeSettings)?.(fromPage(), asked);

test('A shutdown of macOS or Linux is delayed until all has ended, and nobody is asked (desk-F14)', async () => {
  const engine = start('darwin');
  becomesReady();
  runs(1);
  expect(powerMonitor.shutDown()).toBe(true);
  expect(told()).toContain('stop');
  expect(electron.questions).toEqual([]);
  host().emit('exit', 0);
  await settled();
  expect([app.ended, engine.stopped, page().destroyed]).toEqual([true, 1, true]);
});

test('The end of a Windows session stops the host at once, before anything else (desk-F14)', async () => {
  start('win32');
  becomesReady();
  runs(2);
  const order: string[] = [];
  page().hide = () => void order.push('hide');
  host().postMessage = (message) => void order.push((message as { type: string }).type);
  page().emit('session-end', { reasons: ['shutdown'] });
  expect(order).toEqual(['stop', 'hide']);
  expect(electron.questions).toEqual([]);
  host().emit('exit', 0);
  await settled();
  expect(app.ended).toBe(true);
});

test('A shutdown answers the open question whether to stop the turn, and ends once (desk-F14)', async () => {
  const engine = start('darwin');
  becomesReady();
  runs(1);
  electron.answer = 1;
  app.quit();
  expect(electron.questions).toHaveLength(1);
  powerMonitor.shutDown();
  powerMonitor.shutDown();
  host().emit('exit', 0);
  await settled();
  expect([app.ended, engine.stopped, told().filter((type) => type === 'stop')]).toEqual([true, 1, ['stop']]);
});

test('A running turn keeps the machine awake, and the last one lets it sleep (desk-F15)', () => {
  start();
  becomesReady();
  runs(1);
  runs(2);
  expect(electron.keptAwake).toEqual(['prevent-app-suspension']);
  runs(0);
  expect(electron.keptAwake).toEqual([]);
});

test('The machine may sleep when the host of a running turn dies (desk-F15)', () => {
  start();
  becomesReady();
  runs(1);
  host().emit('exit', 139);
  expect(electron.keptAwake).toEqual([]);
});

test('On battery power a turn keeps the machine awake only where that was chosen (desk-F15)', () => {
  start();
  becomesReady();
  runs(1);
  powerMonitor.onBatteryPower = true;
  powerMonitor.emit('on-battery');
  expect(electron.keptAwake).toEqual([]);
  change({ keepAwake: 'always' });
  expect(electron.keptAwake).toHaveLength(1);
  change({ keepAwake: 'never' });
  expect(electron.keptAwake).toEqual([]);
  change({ keepAwake: 'mains' });
  powerMonitor.onBatteryPower = false;
  powerMonitor.emit('on-ac');
  expect(electron.keptAwake).toHaveLength(1);
});

test('The settings of the desktop outlive a restart, and nonsense from the page changes none (desk-P18)', () => {
  start();
  expect(change({ keepAwake: 'never', hardwareAcceleration: false })).toEqual({
    keepAwake: 'never',
    hardwareAcceleration: false,
    checkUpdates: true,
  });
  expect(() => change({ keepAwake: 'sometimes' })).toThrow('Invalid option');
  expect(() => change({ dataDir: '/' })).toThrow('Unrecognized key');
  expect(change({ keepAwake: undefined })).toMatchObject({ keepAwake: 'never' });
  expect(JSON.parse(readFileSync(join(dir(), 'desktop', 'settings.json'), 'utf8'))).toEqual({
    keepAwake: 'never',
    hardwareAcceleration: false,
    checkUpdates: true,
  });
});

test('A second start shows the window and hands its folder to the page (desk-F16)', () => {
  start();
  becomesReady();
  asksForPorts();
  app.emit('second-instance', {}, [], '/', { workspace: '/work/other', demo: false });
  expect(page().calls).toEqual(['show', 'focus']);
  expect(sent(channels.start)).toEqual([{ kind: 'workspace', workspace: '/work/other' }]);
});

test('The folder of a second start waits for a page that listens, also after a crash (desk-F16)', () => {
  start();
  app.emit('second-instance', {}, [], '/', { workspace: '/work/one', demo: false });
  expect(sent(channels.start)).toEqual([]);
  asksForPorts();
  page().webContents.emit('render-process-gone', {}, { reason: 'crashed', exitCode: 1 });
  app.emit('second-instance', {}, [], '/', { workspace: '/work/two', demo: false });
  page().webContents.gone = false;
  asksForPorts();
  asksForPorts();
  expect(sent(channels.start)).toMatchObject([{ workspace: '/work/one' }, { workspace: '/work/two' }]);
});

test('While the app ends, no second start, tray or dock opens a window that ends with it (desk-F16)', async () => {
  start('darwin');
  becomesReady();
  asksForPorts();
  app.quit();
  await settled();
  expect(isMarkedEnding(dir())).toBe(true);
  const before = page().calls.length;
  app.emit('second-instance', {}, [], '/', { workspace: '/work/one', demo: false });
  app.emit('activate');
  last(electron.trays)
    .menu.find(({ label }) => label === 'Open Andiron')
    ?.click?.();
  expect([electron.windows.length, page().calls.length, sent(channels.start)]).toEqual([1, before, []]);
});

test('A second start that came while the first one started is shown with its folder (desk-F16)', () => {
  const secondStarts = queueSecondStarts();
  app.emit('second-instance', {}, [], '/', { workspace: '/work/early', demo: false });
  start('linux', { secondStarts });
  asksForPorts();
  expect(sent(channels.start)).toEqual([{ kind: 'workspace', workspace: '/work/early' }]);
});

test('After a signal nobody need answer: the turn is stopped, and the question leaves (desk-F14)', async () => {
  const clock = skippableClock();
  const signals = new EventEmitter();
  start('linux', { clock, onSignal: (listener) => void signals.on('SIGTERM', listener) });
  becomesReady();
  runs(1);
  page().minimized = true;
  const asked: unknown[][] = [];
  const box = vi.spyOn(dialog, 'showMessageBox').mockImplementation((...given: unknown[]) => {
    asked.push(given);
    return new Promise(() => undefined);
  });
  signals.emit('SIGTERM');
  box.mockRestore();
  // Without a window it would stop main on a Mac, and no signal would close it.
  const [parent, { signal }] = last(asked) as [unknown, { signal: AbortSignal }];
  expect([parent === page(), page().minimized]).toEqual([true, false]);
  clock.skip(closingLimits.signalAnswerMs);
  expect([signal.aborted, told().includes('stop')]).toEqual([true, true]);
  host().emit('exit', 0);
  await settled();
  expect(app.ended).toBe(true);
});

test.each([undefined, null, 'x', { workspace: 7, demo: false }, { workspace: 'relative', demo: false }])(
  'A second start that hands over %j only brings the window to the front (desk-F16)',
  (handedOver) => {
    start();
    asksForPorts();
    app.emit('second-instance', {}, [], '/', handedOver);
    expect([page().calls, sent(channels.start)]).toEqual([['show', 'focus'], []]);
  },
);

test('The theme of the page is the one of the menus and dialogs, and of the next start (desk-P4)', () => {
  start();
  ipcMain.emit(channels.theme, fromPage(), 'light');
  expect(nativeTheme.themeSource).toBe('light');
  ipcMain.emit(channels.theme, fromPage(), 'dusk');
  expect(nativeTheme.themeSource).toBe('light');
  resetElectron();
  start();
  expect([nativeTheme.themeSource, page().options['backgroundColor']]).toEqual(['light', '#f1efec']);
});

test('The buttons that Windows draws take the colours of the theme (desk-P5)', () => {
  start('win32');
  ipcMain.emit(channels.theme, fromPage(), 'light');
  expect(page().overlay).toMatchObject({ color: '#f1efec' });
});

test('The page is told how its window is when it listens and at every change (desk-P5)', () => {
  start();
  asksForPorts();
  page().maximize();
  page().focused = false;
  page().emit('blur');
  page().unmaximize();
  expect(sent(channels.windowFacts)).toEqual([
    { maximized: false, fullScreen: false, focused: true },
    { maximized: true, fullScreen: false, focused: true },
    { maximized: true, fullScreen: false, focused: false },
    { maximized: false, fullScreen: false, focused: false },
  ]);
});

test('A full screen window of a Mac is not hidden at the end, as a black space would stay (desk-P6)', async () => {
  start('darwin');
  becomesReady();
  page().fullScreen = true;
  app.quit();
  expect(page().calls).not.toContain('hide');
  host().emit('exit', 0);
  await settled();
  expect(app.ended).toBe(true);
});

test('A window that was full screen opens full screen (desk-P7)', async () => {
  start();
  page().emit('ready-to-show');
  page().fullScreen = true;
  page().close();
  host().emit('exit', 0);
  await settled();
  resetElectron();
  start();
  page().emit('ready-to-show');
  expect(page().calls).toEqual(['show', 'full screen']);
});

test('A page that hangs is ended and loaded again when the person wants that, asked once (desk-P20)', async () => {
  start();
  electron.answer = 1;
  page().emit('unresponsive');
  page().emit('unresponsive');
  expect(electron.questions).toMatchObject([{ buttons: ['Wait', 'Reload the window'], cancelId: 0 }]);
  await settled();
  expect(page().webContents.forcefullyCrashed).toBe(true);
});

test('A page that hangs is left alone by default, and the question leaves when it is back (desk-P20)', async () => {
  start();
  page().emit('unresponsive');
  const { signal } = last(electron.questions) as { signal: AbortSignal };
  page().emit('responsive');
  await settled();
  expect([signal.aborted, page().webContents.forcefullyCrashed]).toEqual([true, false]);
});

test('The log says why a process of the app ended, and nothing of one that ended well (desk-P21)', () => {
  const warn = vi.spyOn(silentLog, 'warn');
  start();
  const gone = { type: 'GPU', reason: 'crashed', exitCode: 139, name: 'GPU Process' };
  app.emit('child-process-gone', {}, gone);
  app.emit('child-process-gone', {}, { ...gone, reason: 'clean-exit', exitCode: 0 });
  const told = warn.mock.calls.filter(([message]) => message === 'a process ended');
  warn.mockRestore();
  expect(told).toEqual([['a process ended', expect.objectContaining(gone)]]);
});
