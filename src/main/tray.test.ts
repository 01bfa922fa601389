import { existsSync, readFileSync } from 'node:fs';
import { beforeEach, expect, test } from 'vitest';
import { engineState, last, trayIcon } from '../../test/helpers/desktop-app.ts';
import { electron, resetElectron, type MenuItem } from '../../test/helpers/electron-stub.ts';
import type { EngineState } from '../protocol/model.ts';
import type { BusySession } from './session-watch.ts';
import { trayIconName, createTray, type TrayState } from './tray.ts';

beforeEach(() => resetElectron());

const runs: BusySession = { id: 's1', title: 'Flaky lease test', status: 'running' };
const asks: BusySession = { id: 's2', title: 'Delete the build', status: 'asking' };
const warm: EngineState = {
  ...engineState,
  status: { kind: 'running', url: '', version: '', simulated: false, exposed: null },
  loaded: [
    {
      name: 'qwen3:8b',
      sizeBytes: 1,
      vramBytes: 1,
      contextTokens: 8192,
      expiresAt: '',
      asPlanned: true,
    },
  ],
};

function tray(platform: NodeJS.Platform = 'linux') {
  const done: string[] = [];
  const shown = createTray(trayIcon, platform, {
    open: () => done.push('open'),
    stop: () => done.push('stop'),
    stopOne: (sessionId) => done.push(`stop ${sessionId}`),
    releaseGpu: () => done.push('lend'),
    reclaimGpu: () => done.push('take back'),
    quit: () => done.push('quit'),
  });
  const show = (state: Partial<TrayState>): void =>
    shown.show({ engine: engineState, runningTurns: 0, busy: [], ...state });
  return { show, done };
}

const item = (label: string): MenuItem | undefined =>
  last(electron.trays).menu.find((each) => each.label === label);
const seen = (): string[] => [last(electron.trays).toolTip, last(electron.trays).title];

test('says what asks before what runs, and what runs before what the engine holds', () => {
  const { show } = tray('darwin');
  show({});
  expect(seen()).toEqual(['Andiron. Looking for Ollama', '']);
  show({ runningTurns: 1, busy: [runs] });
  expect(seen()).toEqual(['Andiron. Runs: Flaky lease test', 'Runs']);
  show({ runningTurns: 2, busy: [asks, runs] });
  expect(seen()).toEqual(['Andiron. Asks: Delete the build', 'Asks']);
  show({ runningTurns: 2, busy: [runs, { ...runs, id: 's3' }] });
  expect(seen()).toEqual(['Andiron. 2 sessions run', 'Runs']);
});

test('has no title where a tray shows none', () => {
  tray('linux').show({ runningTurns: 1, busy: [runs] });
  expect(last(electron.trays).title).toBe('');
});

test('stops one session, and leads to the one that asks', () => {
  const { show, done } = tray();
  show({ runningTurns: 2, busy: [asks, runs] });
  item('Stop “Flaky lease test”')?.click?.();
  item('Asks: Delete the build')?.click?.();
  expect(done).toEqual(['stop s1', 'open']);
  show({});
  expect(item('Stop “Flaky lease test”')).toBeUndefined();
});

test.each([
  ['linux', 'the window', ['open']],
  ['win32', 'the window', ['open']],
  ['darwin', 'its menu alone', []],
] as const)('a click on the tray of %s opens %s', (platform, _opened, expected) => {
  const { show, done } = tray(platform);
  show({});
  last(electron.trays).emit('click');
  expect(done).toEqual(expected);
  item('Open Andiron')?.click?.();
  expect(done).toEqual([...expected, 'open']);
});

test('lends the GPU while a model is loaded that no turn uses, and takes it back', () => {
  const { show, done } = tray();
  show({});
  expect(item('Free the GPU')?.enabled).toBe(false);
  show({ engine: warm });
  expect(item('Free the GPU')?.enabled).toBe(true);
  item('Free the GPU')?.click?.();
  show({ engine: { ...warm, lease: { id: 'l', model: 'qwen3:8b', purpose: 'turn', label: '', since: 0 } } });
  expect(item('Free the GPU')?.enabled).toBe(false);
  const lent = { model: 'qwen3:8b', contextTokens: 8192, since: 0, freedBytes: 1 };
  show({ engine: { ...warm, loaded: [], lent } });
  expect(item('Free the GPU')).toBeUndefined();
  item('Take the GPU back')?.click?.();
  expect(done).toEqual(['lend', 'take back']);
});

test('cuts a long title, and leaves its menu alone while nothing changes', () => {
  const { show } = tray();
  const long = { ...runs, title: 'A title that is much longer than a menu has room for' };
  show({ runningTurns: 1, busy: [long] });
  expect(item('Stop “A title that is much longer than a menu…”')).toBeDefined();
  const { menu } = last(electron.trays);
  show({ runningTurns: 1, busy: [{ ...long }] });
  expect(last(electron.trays).menu).toBe(menu);
});

test.each([
  ['win32', 'tray.ico'],
  ['darwin', 'trayTemplate.png'],
  ['linux', 'tray.png'],
] as const)('the tray of %s takes %s, which is among the resources (desk-P10)', (platform, name) => {
  expect(trayIconName(platform)).toBe(name);
  expect(existsSync(new URL(`../../resources/icons/${name}`, import.meta.url))).toBe(true);
});

test('the Windows tray icon has a picture for each usual scale of the screen (desk-P10)', () => {
  const ico = readFileSync(new URL('../../resources/icons/tray.ico', import.meta.url));
  const entries = Array.from({ length: ico.readUInt16LE(4) }, (_, index) => 6 + index * 16);
  expect(entries.map((at) => ico.readUInt8(at))).toEqual([16, 20, 24, 32]);
  for (const at of entries) {
    const png = ico.subarray(ico.readUInt32LE(at + 12), ico.readUInt32LE(at + 12) + ico.readUInt32LE(at + 8));
    expect(png.subarray(1, 4).toString()).toBe('PNG');
    // Width, as the picture itself says.
    expect(png.readUInt32BE(16)).toBe(ico.readUInt8(at));
  }
});
