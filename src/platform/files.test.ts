import {
  chmod,
  link,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  realpath,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execFileSync } from 'node:child_process';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { FileRefusedError, systemFiles as files } from './files.ts';

let folder: string;
beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'andiron-files-')));
});
afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
});

const at = (...parts: string[]) => join(folder, ...parts);
const text = async (path: string) => Buffer.from(await files.readBytes(path, 1000)).toString();
const refusal = async (work: Promise<unknown>) => {
  const error = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  return error instanceof FileRefusedError ? error.refusal : error;
};

test('what is not there is null, a broken link and a path through a file included', async () => {
  await writeFile(at('file'), '');
  await symlink(at('nowhere'), at('broken'));
  await symlink('loop', at('loop'));
  expect(await files.stat(at('nothing'))).toBeNull();
  expect(await files.stat(at('broken'))).toBeNull();
  expect(await files.stat(at('loop'))).toBeNull();
  expect(await files.stat(at('file', 'below'))).toBeNull();
  expect((await files.lstat(at('broken')))?.kind).toBe('link');
});

test('reads a file up to its limit and refuses one byte more', async () => {
  await writeFile(at('file'), 'x'.repeat(1000));
  expect(await text(at('file'))).toHaveLength(1000);
  await writeFile(at('file'), 'x'.repeat(1001));
  expect(await refusal(text(at('file')))).toBe('too_large');
});

test('reads in pieces without holding the whole file', async () => {
  await writeFile(at('file'), Buffer.alloc(200_000, 7));
  const sizes: number[] = [];
  for await (const chunk of files.readChunks(at('file'))) sizes.push(chunk.length);
  expect(Math.max(...sizes)).toBeLessThan(200_000);
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(200_000);
});

test('refuses a link as the file and a link among its parents', async () => {
  await mkdir(at('real'));
  await writeFile(at('real', 'file'), 'secret');
  await symlink(at('real', 'file'), at('link'));
  await symlink(at('real'), at('parent'));
  expect(await refusal(text(at('link')))).toBe('link');
  expect(await refusal(text(at('parent', 'file')))).toBe('link');
  expect(await text(at('real', 'file'))).toBe('secret');
});

test('refuses folders and pipes without waiting for a writer', async () => {
  execFileSync('mkfifo', [at('pipe')]);
  expect(await refusal(text(at('pipe')))).toBe('not_a_file');
  expect(await refusal(text(folder))).toBe('not_a_file');
});

test('writes whole, keeps the mode it is told and leaves no draft behind', async () => {
  await files.writeAtomic(at('run.sh'), 'one', { mode: 0o755 });
  await files.writeAtomic(at('ünï 漢字.txt'), 'two');
  expect((await stat(at('run.sh'))).mode & 0o777).toBe(0o755);
  expect((await readdir(folder)).toSorted()).toEqual(['run.sh', 'ünï 漢字.txt']);
});

test('writing through a link is refused and what it leads to stays as it was', async () => {
  await mkdir(at('outside'));
  await mkdir(at('inside'));
  await writeFile(at('outside', 'file'), 'untouched');
  await symlink(at('outside', 'file'), at('inside', 'link'));
  await symlink(at('outside'), at('inside', 'folder'));
  expect(await refusal(files.writeAtomic(at('inside', 'link'), 'x'))).toBe('link');
  expect(await refusal(files.writeAtomic(at('inside', 'folder', 'file'), 'x'))).toBe('link');
  expect(await readFile(at('outside', 'file'), 'utf8')).toBe('untouched');
  expect(await readdir(at('outside'))).toEqual(['file']);
});

test('a hard link outside keeps its bytes, because the write makes a new file', async () => {
  await writeFile(at('original'), 'untouched');
  await link(at('original'), at('twin'));
  await files.writeAtomic(at('twin'), 'new');
  expect(await readFile(at('original'), 'utf8')).toBe('untouched');
});

test('a file whose hard links are kept is overwritten for all of its names (audit-S18)', async () => {
  await writeFile(at('one'), 'a longer text', { mode: 0o640 });
  await link(at('one'), at('two'));
  const seen = await files.stat(at('one'));
  expect(seen?.links).toBe(2);
  await files.writeAtomic(at('two'), 'new', { expect: seen, mode: seen?.mode, keepsLinks: true });
  expect([await text(at('one')), await text(at('two'))]).toEqual(['new', 'new']);
  expect((await files.stat(at('one')))?.identity).toBe(seen?.identity);
  expect((await stat(at('one'))).mode & 0o777).toBe(0o640);
  expect((await readdir(folder)).toSorted()).toEqual(['one', 'two']);
});

test.each([0o4755, 0o2755, 0o6711])(
  'a file with mode %o that is changed runs with nobody else’s rights any more (audit-S18)',
  async (mode) => {
    await writeFile(at('one'), 'old');
    await link(at('one'), at('two'));
    for (const keepsLinks of [true, false]) {
      await chmod(at('one'), mode);
      const seen = await files.stat(at('one'));
      await files.writeAtomic(at('one'), 'new', { mode: seen?.mode, keepsLinks });
      expect((await stat(at('one'))).mode & 0o7777).toBe(mode & 0o777);
    }
  },
);

test('a file is not begun in a folder that a link leads to (audit-S14)', async () => {
  await mkdir(at('real', 'deep'), { recursive: true });
  await symlink(at('real'), at('link'));
  expect(await refusal(files.createFile(at('link', 'deep', 'new')))).toBe('link');
  expect(await readdir(at('real', 'deep'))).toEqual([]);
});

test('missing folders are made on request, and none through a link (audit-S14)', async () => {
  await mkdir(at('outside'));
  await symlink(at('outside'), at('link'));
  await files.writeAtomic(at('a', 'b', 'file'), 'x', { makesFolders: true });
  expect(await text(at('a', 'b', 'file'))).toBe('x');
  const through = files.writeAtomic(at('link', 'b', 'file'), 'x', { makesFolders: true });
  expect(await refusal(through)).toBe('link');
  expect(await readdir(at('outside'))).toEqual([]);
});

test('a file behind a link is not removed, and a folder behind one is not listed (audit-S14)', async () => {
  await mkdir(at('outside'));
  await writeFile(at('outside', 'file'), 'untouched');
  await symlink(at('outside'), at('link'));
  expect(await refusal(files.remove(at('link', 'file')))).toBe('link');
  expect(await refusal(files.readRealFolder(at('link')))).toBe('link');
  expect(await files.readRealFolder(at('outside'))).toEqual([{ name: 'file', kind: 'file' }]);
  await files.remove(at('link'));
  expect(await readdir(at('outside'))).toEqual(['file']);
});

test('a path that is refused by the system is told as it is known to people', async () => {
  await expect(files.writeAtomic(at('missing', 'file'), 'x')).rejects.toThrow(`'${at('missing')}'`);
  await expect(files.readBytes(at('nothing'), 10)).rejects.toThrow(`'${at('nothing')}'`);
});

test('writes only over the state that was expected', async () => {
  await writeFile(at('file'), 'one');
  const seen = await files.stat(at('file'));
  await files.writeAtomic(at('file'), 'two', { expect: seen });
  expect(await refusal(files.writeAtomic(at('file'), 'three', { expect: seen }))).toBe('changed');
  expect(await refusal(files.writeAtomic(at('file'), 'three', { expect: null }))).toBe('changed');
  expect(await readFile(at('file'), 'utf8')).toBe('two');
  await rm(at('file'));
  expect(await refusal(files.writeAtomic(at('file'), 'three', { expect: seen }))).toBe('changed');
});

test('a failed write says so and leaves the old file', async () => {
  await mkdir(at('taken'));
  expect(await refusal(files.writeAtomic(at('taken'), 'x'))).toBe('not_a_file');
  await expect(files.writeAtomic(at('missing', 'file'), 'x')).rejects.toThrow('ENOENT');
  expect(await readdir(folder)).toEqual(['taken']);
});
