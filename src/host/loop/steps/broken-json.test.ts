import { expect, test } from 'vitest';
import { brokenJson } from './broken-json.ts';

const readOf = (path: string, text: string, range = 'lines 1-1 of 1') => ({
  name: 'read_file',
  args: { path },
  content: `${range}\n${text}`,
  ok: true,
  mutates: false,
  stale: false,
});
const edit = (next: string, path = 'a.json', old = '1,') =>
  ({ name: 'edit_file', args: { path, old_text: old, new_text: next } }) as const;
const reads = [
  readOf('a.json', '{"port": 1, "limit": 2}'),
  readOf('b.json', '{"port": 1, // two'),
  readOf('a.txt', '1,'),
];

test('An edit after which a file is no JSON any more is found', () => {
  expect(brokenJson(edit('5380,}}'), reads)).toBe('a.json');
  expect(brokenJson(edit(''), reads)).toBe('a.json');
});

test.each([
  ['keeps it JSON', edit('5380,')],
  ['is of a file that was none before', edit('2,}', 'b.json')],
  ['is of another kind of file', edit('}', 'a.txt')],
  ['is of a file that was not read', edit('}', 'c.json')],
  ['names a text that is not there', edit('}', 'a.json', 'port: 1')],
  ['is no edit', { ...edit('}'), name: 'write_file' }],
] as const)('An edit may be made that %s', (_, call) => {
  expect(brokenJson(call, reads)).toBeNull();
});

test('Of a file that was read in part nobody knows', () => {
  const part = readOf('a.json', '{"port": 1, "limit": 2}', 'lines 1-1 of 9');
  expect(brokenJson(edit('}'), [part])).toBeNull();
});
