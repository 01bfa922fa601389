import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { freeBytes, sizeOf } from './disk-space.ts';
import { systemFiles } from './files.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'andiron-space-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

it('a folder is as large as its files, and a link out of it counts for nothing', async () => {
  await mkdir(join(folder, 'inner'));
  await writeFile(join(folder, 'a'), 'x'.repeat(100));
  await writeFile(join(folder, 'inner', 'b'), 'x'.repeat(23));
  await symlink('/usr', join(folder, 'out'));
  expect(await sizeOf(systemFiles, folder)).toBe(123);
  expect(await sizeOf(systemFiles, join(folder, 'inner', 'b'))).toBe(23);
});

it('what is not there has no size', async () => {
  expect(await sizeOf(systemFiles, join(folder, 'absent'))).toBe(0);
});

it('free space is a figure where the folder is, and unknown where there is none', async () => {
  expect(await freeBytes(folder)).toBeGreaterThan(0);
  expect(await freeBytes(join(folder, 'absent'))).toBeNull();
});
