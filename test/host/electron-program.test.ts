import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import {
  closeCommand,
  fetchFailure,
  installedElectron,
  sandboxAdvice,
} from '../../scripts/electron-program.ts';

const folders: string[] = [];
afterEach(() => folders.splice(0).forEach((folder) => rmSync(folder, { recursive: true })));

function folderWith(files: Record<string, string>): string {
  const folder = mkdtempSync(join(tmpdir(), 'andiron-electron-'));
  folders.push(folder);
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
  return folder;
}
const unpacked = { 'package.json': '{"version":"45.4.1"}', 'path.txt': 'electron', 'dist/electron': '' };
const linux = { platform: 'linux' };

test.each([
  ['45.4.1', true],
  ['v45.4.1\n', true],
  ['45.4.0', false],
  ['', false],
])('an unpacked Electron of version “%s” is taken: %s (desk-P11)', (version, taken) => {
  const folder = folderWith({ ...unpacked, 'dist/version': version });
  expect(installedElectron(folder, linux)).toBe(taken ? join(folder, 'dist', 'electron') : null);
});

test('an Electron that was never unpacked, or only in part, is not taken (desk-P11)', () => {
  const { 'path.txt': _, ...withoutPath } = unpacked;
  expect(installedElectron(folderWith({ ...withoutPath, 'dist/version': '45.4.1' }), linux)).toBeNull();
  const { 'dist/electron': __, ...withoutProgram } = unpacked;
  expect(installedElectron(folderWith({ ...withoutProgram, 'dist/version': '45.4.1' }), linux)).toBeNull();
  expect(installedElectron(folderWith(unpacked), linux)).toBeNull();
});

test('an Electron that somebody brings along needs no marks of the package', () => {
  const folder = folderWith({ 'own/electron.exe': '' });
  const override = join(folder, 'own');
  expect(installedElectron(folder, { override, platform: 'win32' })).toBe(join(override, 'electron.exe'));
  expect(installedElectron(folder, { override, platform: 'linux' })).toBeNull();
});

test.each([
  [
    'HTTPError: Response code 407 (Proxy Authentication Required)\n    at Request.<anonymous> (x.js:1:1)\n',
    'Response code 407 (Proxy Authentication Required)',
  ],
  [
    'RequestError: self-signed certificate in certificate chain\n    at a\n  code: 1\n}\n',
    'self-signed certificate in certificate chain',
  ],
  [
    '(node:1) Warning: old\nError: getaddrinfo ENOTFOUND github.com\n    at x',
    'getaddrinfo ENOTFOUND github.com',
  ],
  ['something odd\n', 'something odd'],
  ['', 'no reason was given'],
])('why Electron could not be fetched is one line (desk-P12): %j', (errors, reason) => {
  expect(fetchFailure(errors, false)).toBe(reason);
});

test('a fetch that ran out of time says so (desk-P12)', () => {
  expect(fetchFailure('Error: killed', true)).toBe('the download took too long');
});

test('Ctrl-C closes Electron by its window on Windows and by a signal elsewhere (desk-F17)', () => {
  expect(closeCommand('win32', 42, { SYSTEMROOT: 'D:\\Windows' })).toEqual({
    file: 'D:\\Windows\\System32\\taskkill.exe',
    args: ['/PID', '42'],
  });
  expect(closeCommand('linux', 42, {})).toBeNull();
  expect(closeCommand('darwin', 42, {})).toBeNull();
});

test('a sandbox helper that root does not own is named with the commands that mend it (desk-P13)', () => {
  const folder = folderWith({ electron: '', 'chrome-sandbox': '' });
  const program = join(folder, 'electron');
  const helper = join(folder, 'chrome-sandbox');
  chmodSync(helper, 0o755);
  const advice = sandboxAdvice(program, (path) => statSync(path));
  expect(advice).toContain(`sudo chown root:root '${helper}' && sudo chmod 4755 '${helper}'`);
});

test.each([
  [{ uid: 0, mode: 0o104755 }, false],
  [{ uid: 0, mode: 0o100755 }, true],
  [{ uid: 1000, mode: 0o104755 }, true],
  [undefined, false],
])('a sandbox helper with %o needs advice: %s (desk-P13)', (facts, needed) => {
  expect(sandboxAdvice('/opt/electron/electron', () => facts) !== null).toBe(needed);
});
