import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { mayKeepAwake } from './keep-awake.ts';
import { defaultDesktopSettings, openDesktopSettings } from './desktop-settings.ts';

let dir = '';
const path = (): string => join(dir, 'settings.json');
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'andiron-settings-'));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

test.each(['', 'nonsense', '[]', 'null', '{}', '{"keepAwake":"sometimes"}'])(
  'Settings of the desktop that say %j are the defaults (desk-P18)',
  (text) => {
    writeFileSync(path(), text);
    expect(openDesktopSettings(path()).current()).toEqual(defaultDesktopSettings);
  },
);

test('One setting that nobody understands costs no other, and what another version wrote stays (desk-P18)', () => {
  writeFileSync(
    path(),
    '{"keepAwake":"sometimes","hardwareAcceleration":false,"updates":{"channel":"beta"}}',
  );
  const settings = openDesktopSettings(path());
  expect(settings.current()).toEqual({
    keepAwake: 'mains',
    hardwareAcceleration: false,
    checkUpdates: true,
  });
  settings.change({ keepAwake: 'always' });
  expect(JSON.parse(readFileSync(path(), 'utf8'))).toEqual({
    keepAwake: 'always',
    hardwareAcceleration: false,
    checkUpdates: true,
    updates: { channel: 'beta' },
  });
});

test('A setting that cannot be written is not in force, and leaves nothing beside the file (desk-P18)', () => {
  const settings = openDesktopSettings(path());
  mkdirSync(path());
  expect(() => settings.change({ keepAwake: 'never' })).toThrow(/EISDIR|ENOTEMPTY|EPERM|EEXIST/);
  expect(settings.current()).toEqual(defaultDesktopSettings);
});

test.each([
  ['always', 1, true, true],
  ['always', 0, false, false],
  ['mains', 3, false, true],
  ['mains', 3, true, false],
  ['mains', 0, false, false],
  ['never', 1, false, false],
  ['never', 1, true, false],
] as const)(
  'Kept awake: %s, with %i turns, on battery %j: %j (desk-F15)',
  (choice, turns, battery, awake) => {
    expect(mayKeepAwake(choice, turns, battery)).toBe(awake);
  },
);
