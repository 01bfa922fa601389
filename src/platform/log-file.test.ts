import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openLogFile } from './log-file.ts';

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'andiron-log-'));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

test('lines are added to what is there, and each is on disk at once', () => {
  const path = join(dir, 'logs', 'server.log');
  openLogFile(path)('one\n');
  const write = openLogFile(path);
  write('two\n');
  expect(readFileSync(path, 'utf8')).toBe('one\ntwo\n');
  expect(existsSync(`${path}.1`)).toBe(false);
});

test('a long file makes room for a new one when it is opened, and is kept once', () => {
  const path = join(dir, 'server.log');
  writeFileSync(path, 'x'.repeat(6 * 1024 * 1024));
  openLogFile(path)('new\n');
  expect(readFileSync(path, 'utf8')).toBe('new\n');
  expect(existsSync(`${path}.1`)).toBe(true);
});

test('A long file that cannot be put aside is written on, and refuses no start (desk-F6)', () => {
  const path = join(dir, 'server.log');
  writeFileSync(path, 'x'.repeat(6 * 1024 * 1024));
  const write = openLogFile(path, () => {
    throw Object.assign(new Error('EPERM: a scanner holds it'), { code: 'EPERM' });
  });
  write('new\n');
  expect(readFileSync(path, 'utf8')).toMatch(
    /x\nThis log could not be put aside: EPERM: a scanner holds it\nnew\n$/,
  );
});
