import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { codeCacheVariables } from './code-cache.ts';
import { inheritedEnvironment } from './inherited-environment.ts';

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'andiron-code-'));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

test.skipIf(process.platform === 'win32')('Compiled code is kept where nobody else can look', () => {
  const { NODE_COMPILE_CACHE: folder = '' } = codeCacheVariables(dir);
  expect(folder.startsWith(dir)).toBe(true);
  expect(statSync(folder).mode & 0o077).toBe(0);
});

test('Nothing is kept where the folder cannot be made, and no start fails of it', () => {
  const file = join(dir, 'a file');
  writeFileSync(file, '');
  expect(codeCacheVariables(file)).toEqual({});
});

test('A command does not inherit where the code of Andiron is kept', () => {
  expect(inheritedEnvironment({ ...codeCacheVariables(dir), PATH: '/bin' })).toEqual({ PATH: '/bin' });
});
