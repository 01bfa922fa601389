import { expect, test } from 'vitest';
import { checkMembers, readMembers } from './members.ts';

const gnu = (name: string, type = '-', more = '') =>
  `${type}rwxr-xr-x 0/0             120 2026-10-08 10:11:12 "${name}"${more}`;
const bsd = (name: string, type = '-') => `${type}rwxr-xr-x  0 root   wheel     120 Oct  8 10:11 ${name}`;

test('what GNU lists is read: folders, files, both kinds of links', () => {
  const listing = [
    gnu('./', 'd'),
    gnu('./bin/ollama'),
    gnu('./lib/a b.so', 'l', ' -> "a.so.1"'),
    gnu('./lib/c.so', 'h', ' link to "./lib/a.so.1"'),
    '',
  ].join('\n');
  expect(readMembers(listing, 'gnu')).toEqual([
    { kind: 'folder', name: '', target: null, size: 120 },
    { kind: 'file', name: 'bin/ollama', target: null, size: 120 },
    { kind: 'link', name: 'lib/a b.so', target: 'a.so.1', size: 120 },
    { kind: 'hard_link', name: 'lib/c.so', target: './lib/a.so.1', size: 120 },
  ]);
});

test('what bsdtar lists is read, dates in whatever form included', () => {
  const listing = [
    bsd('lib/', 'd'),
    '-rw-r--r--  0 1000   1000    4096 Jan  1  2024 ollama.exe',
    '-rw-r--r--  0 1000   1000    4096  1 Jan 12:30 lib/ollama/ggml.dll',
    '-rw-r--r--  0 0      0          12 08 Okt 10:11 a 2025 b',
    '-rw-r--r--  0 0      0          12 oct.  8  2025 c',
    '-rw-r--r--  0 0      0          12 -- -- ---- d',
    bsd('libggml.dylib -> libggml.0.dylib', 'l'),
    bsd('b.dylib link to libggml.0.dylib'),
  ].join('\r\n');
  expect(readMembers(listing, 'bsd').map(({ kind, name, target }) => [kind, name, target])).toEqual([
    ['folder', 'lib', null],
    ['file', 'ollama.exe', null],
    ['file', 'lib/ollama/ggml.dll', null],
    ['file', 'a 2025 b', null],
    ['file', 'c', null],
    ['file', 'd', null],
    ['link', 'libggml.dylib', 'libggml.0.dylib'],
    ['hard_link', 'b.dylib', 'libggml.0.dylib'],
  ]);
});

test('the bytes that it will take are added up', () => {
  expect(checkMembers(readMembers(`${gnu('a')}\n${gnu('b')}`, 'gnu'))).toBe(240);
});

const judge = (...lines: string[]) => checkMembers(readMembers(lines.join('\n'), 'gnu'));
const judgeBsd = (...lines: string[]) => checkMembers(readMembers(lines.join('\n'), 'bsd'));

test.each([
  ['an absolute path', () => judge(gnu('/etc/passwd'))],
  ['a path that climbs out', () => judge(gnu('../evil'))],
  ['a path that climbs out in its middle', () => judge(gnu('./lib/../../evil'))],
  ['a path that climbs, even if it stays inside', () => judge(gnu('lib/../bin/ollama'))],
  ['a backslash', () => judge(gnu(String.raw`..\\evil`))],
  ['a drive letter', () => judgeBsd(bsd('C:/Windows/evil.dll'))],
  ['an escaped sign', () => judge(gnu(String.raw`a\nb`))],
  ['a link to an absolute path', () => judge(gnu('lib/x', 'l', ' -> "/etc"'))],
  ['a link that leads out', () => judge(gnu('lib/x', 'l', ' -> "../../etc"'))],
  ['a file behind a link', () => judge(gnu('lib', 'l', ' -> "other"'), gnu('lib/x'))],
  ['a file behind a link that comes later', () => judge(gnu('lib/x'), gnu('lib', 'l', ' -> "other"'))],
  ['a hard link to something outside', () => judge(gnu('x', 'h', ' link to "../../etc/passwd"'))],
  ['a hard link to a link', () => judge(gnu('a', 'l', ' -> "b"'), gnu('x', 'h', ' link to "a"'))],
  ['a device', () => judge('crw-rw-rw- 0/0             1,3 2026-10-08 10:11:12 "dev/null"')],
  ['a pipe', () => judge(gnu('pipe', 'p'))],
  ['a name with an arrow', () => judgeBsd(bsd('a -> b -> ../../c', 'l'))],
  ['far too many bytes', () => judge(gnu('x').replace('120', String(40 * 1024 ** 3)))],
  [
    'far too many files',
    () => judge(...Array.from({ length: 20_001 }, (_, index) => gnu(`f${String(index)}`))),
  ],
])('%s is refused', (_, run) => {
  expect(run).toThrow(expect.objectContaining({ code: 'archive_unsafe' }));
});

test.each(['nonsense', '-rw-r--r-- 0/0 12 yesterday "a"', gnu('a', 'l'), gnu('a', '-', ' -> "b"')])(
  'a line that cannot be read, such as %j, refuses the archive',
  (line) => {
    expect(() => readMembers(line, 'gnu')).toThrow(expect.objectContaining({ code: 'archive_broken' }));
  },
);
