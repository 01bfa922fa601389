import { mkdtempSync, readdirSync, rmSync, truncateSync, utimesSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { systemFiles } from '../../../platform/files.ts';
import { fingerprint } from '../../tools/read-ledger.ts';
import { createKeptContents, type KeptContents } from './kept-contents.ts';

let folder: string;
let contents: KeptContents;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'andiron-kept-'));
  contents = createKeptContents(folder, systemFiles);
});
afterEach(() => rmSync(folder, { recursive: true }));

async function keep(text: string): Promise<string> {
  const bytes = new TextEncoder().encode(text);
  const hash = fingerprint(bytes);
  await contents.keep(hash, bytes);
  return hash;
}

const read = async (hash: string): Promise<string | null> => {
  const bytes = await contents.read(hash);
  return bytes && new TextDecoder().decode(bytes);
};
const pathOf = (hash: string): string => join(folder, hash.slice(0, 2), hash);

test('What was kept is read back, for the owner alone', async () => {
  const hash = await keep('one');
  expect(await read(hash)).toBe('one');
  expect((await systemFiles.lstat(pathOf(hash)))?.mode).toBe(0o600);
});

test('What a crash has cut off is not given back, and is kept anew', async () => {
  const hash = await keep('one');
  truncateSync(pathOf(hash), 1);
  expect(await read(hash)).toBeNull();
  await keep('one');
  expect(await read(hash)).toBe('one');
});

test('Two who keep the same at the same moment keep it once', async () => {
  await Promise.all([keep('one'), keep('one'), keep('one')]);
  expect(readdirSync(folder, { recursive: true })).toHaveLength(2);
});

test('What nobody needs is removed, and of the rest the oldest that is too much', async () => {
  const [unwanted, old, young] = [await keep('1'), await keep('22'), await keep('333')];
  utimesSync(pathOf(old), 1, 1);
  await contents.tidy((hash) => hash !== unwanted, 4);
  expect([await read(unwanted), await read(old), await read(young)]).toEqual([null, null, '333']);
});
