import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { findRipgrep } from './find-ripgrep.ts';

const missing = (): Promise<never> => Promise.reject(new Error('Could not find @vscode/ripgrep-darwin-x64.'));

test('The search program of this installation is found (desk-F13)', async () => {
  expect(existsSync((await findRipgrep()) ?? '')).toBe(true);
});

test('A missing package of the search program is no reason not to start (desk-F13)', async () => {
  expect(await findRipgrep(missing)).toBeNull();
});

test.each([
  [
    '/opt/Andiron/resources/app.asar/node_modules/r/bin/rg',
    '/opt/Andiron/resources/app.asar.unpacked/node_modules/r/bin/rg',
  ],
  [
    'C:\\A\\resources\\app.asar\\node_modules\\r\\bin\\rg.exe',
    'C:\\A\\resources\\app.asar.unpacked\\node_modules\\r\\bin\\rg.exe',
  ],
  ['/x/app.asar.unpacked/r/bin/rg', '/x/app.asar.unpacked/r/bin/rg'],
  ['/home/anna/node_modules/r/bin/rg', '/home/anna/node_modules/r/bin/rg'],
])('The search program at %s runs from %s (desk-F13)', async (rgPath, path) => {
  expect(
    await findRipgrep(
      () => Promise.resolve({ rgPath }),
      () => true,
    ),
  ).toBe(path);
});

test('A search program that is listed but not there is not available (desk-F13)', async () => {
  expect(await findRipgrep(() => Promise.resolve({ rgPath: '/none/rg' }))).toBeNull();
});
