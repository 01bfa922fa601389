import { afterEach, beforeEach, expect, test } from 'vitest';
import { app, electron, resetElectron } from '../../test/helpers/electron-stub.ts';
import { defaultDesktopSettings } from './desktop-settings.ts';
import { prepareApp } from './prepare.ts';
import { handedOverLine, startRequestOf } from './second-start.ts';

beforeEach(() => {
  resetElectron();
  electron.ready = false;
});

// Other files share it.
afterEach(resetElectron);

const prepare = (more: Partial<Parameters<typeof prepareApp>[0]> = {}): boolean =>
  prepareApp({
    userData: '/data/desktop',
    handOver: { workspace: null, demo: false },
    settings: defaultDesktopSettings,
    platform: 'linux',
    ...more,
  });

test('Everything that Electron wants before it is ready comes before, the lock after its folder (desk-C1)', () => {
  expect(prepare()).toBe(true);
  expect(electron.calls).toEqual([
    'setPath userData',
    'requestSingleInstanceLock',
    'enableSandbox',
    'protocol.registerSchemesAsPrivileged',
  ]);
});

test('A second start hands over its folder and does nothing else (desk-F16)', () => {
  app.holdsLock = false;
  expect(prepare({ handOver: { workspace: '/work/x', demo: false } })).toBe(false);
  expect(app.handedOver).toEqual({ workspace: '/work/x', demo: false });
  expect(electron.calls).toEqual(['setPath userData', 'requestSingleInstanceLock']);
});

test('A person who needs --no-sandbox keeps it (desk-F21)', () => {
  electron.switches = ['no-sandbox'];
  prepare();
  expect(electron.calls).not.toContain('enableSandbox');
});

test('On Windows taskbar, shortcut and notifications know one app by its id (desk-P3)', () => {
  prepare({ platform: 'win32' });
  expect(app.appUserModelId).toBe('io.github.andiron');
  resetElectron();
  electron.ready = false;
  prepare({ platform: 'darwin' });
  expect(app.appUserModelId).toBe('');
});

test('The window is drawn without the GPU where that was chosen (desk-P18)', () => {
  prepare({ settings: { ...defaultDesktopSettings, hardwareAcceleration: false } });
  expect(electron.calls).toContain('disableHardwareAcceleration');
});

test.each([
  [{ workspace: '/w', demo: false }, false, { kind: 'workspace', workspace: '/w' }],
  [{ workspace: '/w', demo: true }, true, { kind: 'workspace', workspace: '/w' }],
  [{ workspace: '/w', demo: true }, false, { kind: 'other-engine', demo: true }],
  [{ workspace: null, demo: false }, true, { kind: 'other-engine', demo: false }],
  [{ workspace: null, demo: false }, false, null],
  [{ workspace: null }, false, null],
  ['{"workspace":"/w"}', false, null],
])(
  'A second start with %j, where the demo runs: %j, asks the window for %j (desk-F16)',
  (data, demo, wish) => {
    expect(startRequestOf(data, demo)).toEqual(wish);
  },
);

test('A second start prints one line that says what became of it (desk-F16)', () => {
  const starts = [
    { workspace: null, demo: false },
    { workspace: '/work/x', demo: false },
    { workspace: null, demo: true },
  ];
  expect(starts.map(handedOverLine)).toEqual([
    'Andiron is already running. Its window is in front now.',
    'Andiron is already running. It now shows a new session in /work/x.',
    'Andiron is already running with this data folder. Close it to start the demo there.',
  ]);
});
