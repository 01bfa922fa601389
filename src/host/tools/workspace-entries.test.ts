import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { systemFiles } from '../../platform/files.ts';
import { guardFor } from './testing.ts';
import { workspaceEntries } from './workspace-entries.ts';

let folder = '';
beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'andiron-entries-')));
});
afterEach(() => rm(folder, { recursive: true }));

async function put(path: string): Promise<void> {
  await mkdir(join(folder, path, '..'), { recursive: true });
  await writeFile(join(folder, path), '');
}

test('files and folders by their path, shallow ones first, three levels deep', async () => {
  for (const path of [
    'b.txt',
    'a/one.txt',
    'a/b/two.txt',
    'a/b/c/three.txt',
    '.git/HEAD',
    'node_modules/x/index.js',
  ])
    await put(path);
  expect(await workspaceEntries(systemFiles, guardFor(), folder)).toEqual([
    'a/',
    'b.txt',
    'a/b/',
    'a/one.txt',
    'a/b/c/',
    'a/b/two.txt',
  ]);
});

test('no more than 200, and none of a folder that cannot be read', async () => {
  await mkdir(join(folder, 'many'));
  await Promise.all(Array.from({ length: 250 }, (_, at) => put(`many/${String(at)}.txt`)));
  expect(await workspaceEntries(systemFiles, guardFor(), folder)).toHaveLength(200);
  expect(await workspaceEntries(systemFiles, guardFor(), join(folder, 'gone'))).toEqual([]);
});
