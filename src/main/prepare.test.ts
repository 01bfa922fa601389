import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { app, electron, resetElectron } from '../../test/helpers/electron-stub.ts';
import { closingLimits } from './closing.ts';
import { defaultDesktopSettings } from './desktop-settings.ts';
import { isMarkedEnding, markEnding } from './ending-mark.ts';
import { prepareApp, type Preparation } from './prepare.ts';
import { handedOverLine, startRequestOf } from './second-start.ts';

beforeEach(() => {
  resetElectron();
  electron.ready = false;
});

// Other files share it.
afterEach(resetElectron);

const preparation: Preparation = {
  userData: '/data/desktop',
  handOver: { workspace: null, demo: false },
  settings: defaultDesktopSettings,
  isDisplayless: false,
  platform: 'linux',
};
/** True = it is the first one. */
const prepare = (more: Partial<Preparation> = {}): boolean =>
  prepareApp({ ...preparation, ...more }) !== null;

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

test('One that can show no window is marked, so that whoever opens one waits for its end (Y8)', () => {
  const userData = mkdtempSync(join(tmpdir(), 'andiron-lock-'));
  try {
    prepare({ userData, isDisplayless: true });
    expect(isMarkedEnding(userData)).toBe(true);
  } finally {
    rmSync(userData, { recursive: true });
  }
});

test('A start for a command waits for nobody: whoever has the lock serves it (Y8)', () => {
  const userData = mkdtempSync(join(tmpdir(), 'andiron-lock-'));
  try {
    markEnding(userData);
    app.holdsLock = false;
    const pause = vi.fn<() => void>();
    const handOver = { workspace: null, demo: false, background: true };
    expect(prepare({ userData, handOver, pause })).toBe(false);
    expect(pause).not.toHaveBeenCalled();
  } finally {
    rmSync(userData, { recursive: true });
  }
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
  // It is told of no answer: the first one may still be starting, or be the demo itself.
  expect(starts.map(handedOverLine)).toEqual([
    'Andiron is already running. It was asked to show its window.',
    'Andiron is already running. It was asked to show a new session in /work/x.',
    'Andiron is already running with this data folder. If that is not the demo, close it first.',
  ]);
});

describe('a start while another one has the lock', () => {
  let userData = '';
  beforeEach(() => {
    userData = mkdtempSync(join(tmpdir(), 'andiron-prepare-'));
    app.holdsLock = false;
  });
  afterEach(() => rmSync(userData, { recursive: true, force: true }));

  test('waits for the one that ends, is the first one then, and clears the mark (desk-F16)', () => {
    markEnding(userData);
    let waits = 0;
    const pause = (): void => void (app.holdsLock = ++waits === 3);
    expect(prepare({ userData, pause })).toBe(true);
    expect([waits, isMarkedEnding(userData)]).toEqual([3, false]);
    // The rest comes after the lock, as ever.
    expect(electron.calls.at(-1)).toBe('protocol.registerSchemesAsPrivileged');
  });

  test('says so where the other one does not end, in place of that it was handed over (desk-F16)', () => {
    markEnding(userData);
    let waitedMs = 0;
    const pause = (ms: number): void => void (waitedMs += ms);
    expect(() => prepare({ userData, pause })).toThrow('is still ending');
    expect(waitedMs).toBeGreaterThan(closingLimits.shutdownMs);
    expect(waitedMs).toBeLessThan(closingLimits.shutdownMs * 2);
  });

  test('does not wait for one that runs (desk-F16)', () => {
    let waits = 0;
    expect(prepare({ userData, pause: () => void (waits += 1) })).toBe(false);
    expect(waits).toBe(0);
  });
});

const come = (handedOver: unknown): boolean => app.emit('second-instance', {}, [], '/', handedOver);

test('A second start that comes before the app is ready is answered once it is (desk-F16)', () => {
  const starts = prepareApp(preparation);
  come('first');
  come('second');
  const answered: unknown[] = [];
  starts?.answer((handedOver) => answered.push(handedOver));
  come('third');
  // Each is a wish for what is in front, so an older one is over.
  expect(answered).toEqual(['second', 'third']);
});

test('A start that ends at once because another one runs listens to no other start (desk-F16)', () => {
  app.holdsLock = false;
  prepare();
  expect(app.listenerCount('second-instance')).toBe(0);
});
