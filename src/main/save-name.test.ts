import { expect, test } from 'vitest';
import { safeSaveName } from './save-name.ts';

const names: [suggested: string, offered: string][] = [
  ['a-better-title.md', 'a-better-title.md'],
  ['notes.final.json', 'notes.final.json'],
  ['Überblick – März.json', 'Überblick – März.json'],
  ['../../.ssh/authorized_keys', 'authorized_keys'],
  ['..\\..\\Startup\\run.json', 'run.json'],
  ['/etc/passwd', 'passwd'],
  ['C:\\Windows\\a.json', 'a.json'],
  ['a:b.json', 'ab.json'],
  ['.bashrc', 'bashrc'],
  ['...', 'andiron'],
  ['', 'andiron'],
  ['a/', 'andiron'],
  ['name. . ', 'name'],
  ['CON', '_CON'],
  ['nul.json', '_nul.json'],
  ['com1 .json', '_com1 .json'],
  ['LPT¹.md', '_LPT¹.md'],
  ['console.json', 'console.json'],
  ['session\u202enosj.exe', 'sessionnosj.exe'],
  ['a\u0000b\nc\u200b.md', 'abc.md'],
  ['what?*"<>|.md', 'what.md'],
  ['u\u0308.md', 'ü.md'],
  ['\ud800.md', '\ufffd.md'],
];

test.each(names)('The save dialog offers %j as %j (desk-F1)', (suggested, offered) => {
  expect(safeSaveName(suggested)).toBe(offered);
});

test('A name that is too long for a file system keeps its extension (desk-F1)', () => {
  const name = safeSaveName(`${'ä😀'.repeat(300)}.json`);
  expect(Array.from(name)).toHaveLength(120);
  expect(name.endsWith('.json')).toBe(true);
  expect(name.isWellFormed()).toBe(true);
  expect(safeSaveName(`a.${'b'.repeat(500)}`)).toHaveLength(120);
});
