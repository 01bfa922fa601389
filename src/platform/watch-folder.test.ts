import { mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { FolderWatch } from './watch-folder.ts';
import { watchFolder } from './watch-folder.ts';

let root: string;
let watched: string;
let watch: FolderWatch;
let told: PromiseWithResolvers<void>;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'andiron-watch-'));
  watched = join(root, 'watched');
  mkdirSync(join(watched, 'inner'), { recursive: true });
  told = Promise.withResolvers();
  watch = watchFolder(
    watched,
    () => told.resolve(),
    (error) => told.reject(error),
  );
});
afterEach(() => {
  watch.close();
  rmSync(root, { recursive: true, force: true });
});

/** Makes a change and waits until it is told. */
async function tells(change: () => void): Promise<true> {
  told = Promise.withResolvers();
  change();
  await told.promise;
  return true;
}

const replace = (...path: string[]) => {
  writeFileSync(join(root, 'draft'), String(Math.random()));
  renameSync(join(root, 'draft'), join(watched, ...path));
};

test('a file that is replaced by renaming is told every time, as is one that is written in place', async () => {
  for (let time = 0; time < 5; time++) {
    expect(await tells(() => replace('inner', 'file'))).toBe(true);
    expect(await tells(() => writeFileSync(join(watched, 'inner', 'file'), 'in place'))).toBe(true);
    expect(await tells(() => replace('file'))).toBe(true);
  }
});

test('a folder that was removed and made again is watched again', async () => {
  for (let time = 0; time < 3; time++) {
    expect(await tells(() => rmSync(join(watched, 'inner'), { recursive: true }))).toBe(true);
    expect(await tells(() => mkdirSync(join(watched, 'inner')))).toBe(true);
    expect(await tells(() => replace('inner', 'file'))).toBe(true);
  }
});

test('a linked folder is watched where it leads', async () => {
  mkdirSync(join(root, 'elsewhere'));
  expect(await tells(() => symlinkSync('../elsewhere', join(watched, 'link')))).toBe(true);
  expect(await tells(() => writeFileSync(join(root, 'elsewhere', 'file'), ''))).toBe(true);
});

test('a folder that does not exist cannot be watched', () => {
  expect(() =>
    watchFolder(
      join(root, 'missing'),
      () => undefined,
      () => undefined,
    ),
  ).toThrow('ENOENT');
});
