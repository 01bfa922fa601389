import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
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

const diskIsFull = (): never => {
  throw Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' });
};

test('Lines that a full disk refuses stop nothing, and the next one says how many are missing (desk-P21)', () => {
  const path = join(dir, 'main.log');
  let isFull = false;
  const write = openLogFile(path, undefined, (to, text) => {
    if (isFull) {
      appendFileSync(to, text.slice(0, 3));
      diskIsFull();
    }
    appendFileSync(to, text);
  });
  write('one\n');
  isFull = true;
  for (const line of ['two\n', 'three\n']) expect(() => write(line)).not.toThrow();
  isFull = false;
  write('four\n');
  write('five\n');
  const lines = readFileSync(path, 'utf8').split('\n').filter(Boolean);
  // What the disk took of a line stays, and never becomes a part of the next.
  expect(lines.slice(0, 2)).toEqual(['one', 'two']);
  expect(lines.slice(-3)).toEqual([
    '2 lines are missing here, as this log could not be written: ENOSPC: no space left on device',
    'four',
    'five',
  ]);
});

test.each<[string, (path: string) => void]>([
  ['a folder stands in its place', (path) => mkdirSync(path, { recursive: true })],
  ['a file stands in the place of its folder', (path) => writeFileSync(dirname(path), '')],
])('A log can be opened and written where %s, and nothing is thrown (desk-P21)', (_, spoil) => {
  const path = join(dir, 'logs', 'main.log');
  spoil(path);
  expect(() => openLogFile(path)('one\n')).not.toThrow();
});

test('A folder of the log that was removed is made again (desk-P21)', () => {
  const path = join(dir, 'logs', 'main.log');
  const write = openLogFile(path);
  write('one\n');
  rmSync(dirname(path), { recursive: true });
  write('two\n');
  expect(readFileSync(path, 'utf8')).toBe('two\n');
});

test('A long log that cannot be put aside on a full disk refuses no start (desk-P21)', () => {
  const path = join(dir, 'main.log');
  writeFileSync(path, 'x'.repeat(6 * 1024 * 1024));
  expect(() => openLogFile(path, diskIsFull, diskIsFull)('one\n')).not.toThrow();
});
