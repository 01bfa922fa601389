import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, parse } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { parseOptions, UsageError } from './options.ts';
import type { UserPlace } from './paths.ts';
import { namedWorkspace, openDataDir, neutralFolder } from './start-paths.ts';

let dir: string;
let place: UserPlace;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'andiron-paths-'));
  place = { platform: 'linux', homeDir: dir, env: {} };
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

test('the data folder is made where the platform keeps such things', () => {
  const path = openDataDir(parseOptions([]), place);
  expect(path).toBe(join(dir, '.local/share/andiron'));
  expect(existsSync(path)).toBe(true);
});

test('the demo never touches the data of the person, and a named folder is taken as it is', () => {
  expect(openDataDir(parseOptions(['--demo']), place)).toBe(join(dir, '.local/share/andiron/demo'));
  expect(openDataDir(parseOptions(['--demo', `--data-dir=${dir}/mine`]), place)).toBe(join(dir, 'mine'));
});

test('a data folder that cannot be made is told, with the way to name another', () => {
  writeFileSync(join(dir, 'file'), '');
  expect(() => openDataDir(parseOptions([`--data-dir=${dir}/file/data`]), place)).toThrow(
    expect.objectContaining({
      message: expect.stringContaining(join(dir, 'file')) as string,
      advice: expect.stringContaining('--data-dir') as string,
    }),
  );
});

test('a workspace has to be a folder', () => {
  writeFileSync(join(dir, 'file'), '');
  expect(namedWorkspace(parseOptions([]))).toBeNull();
  expect(namedWorkspace(parseOptions(['--workspace', dir]))).toBe(dir);
  for (const path of ['file', 'missing']) {
    expect(() => namedWorkspace(parseOptions(['--workspace', join(dir, path)]))).toThrow(UsageError);
  }
});

test('What must keep no folder in use is in the home of the person, or in the root where there is none (desk-F18)', () => {
  expect(neutralFolder(dir)).toBe(dir);
  expect(neutralFolder(join(dir, 'gone'))).toBe(parse(dir).root);
  writeFileSync(join(dir, 'file'), '');
  expect(neutralFolder(join(dir, 'file'))).toBe(parse(dir).root);
});
