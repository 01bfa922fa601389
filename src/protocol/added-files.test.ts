import { expect, test } from 'vitest';
import { withFiles } from './added-files.ts';
import type { ResultFile } from './result-files.ts';

const file = (id: string, more: Partial<ResultFile> = {}): ResultFile => ({
  id,
  turnId: 't',
  itemId: 'i',
  tool: 'write_file',
  name: 'a.md',
  path: 'a.md',
  url: null,
  bytes: 1,
  mime: 'text/markdown',
  at: 1,
  ...more,
});

test('A file that comes again keeps its id and its place, and is otherwise as it came last (C3)', () => {
  const first = withFiles([], [file('f1'), file('f2', { path: 'b.md' })]);
  expect(withFiles(first, [file('f3', { bytes: 9 })])).toEqual([
    file('f1', { bytes: 9 }),
    file('f2', { path: 'b.md' }),
  ]);
});

test('Files at two addresses are two, and a path is no address (C3)', () => {
  const at = (id: string, url: string): ResultFile => file(id, { path: null, url });
  const files = [at('f1', 'a.md'), at('f2', 'b.md'), at('f3', 'a.md'), file('f4')];
  expect(withFiles([], files).map(({ id }) => id)).toEqual(['f1', 'f2', 'f4']);
});

test('A turn lists at most 200 files, and those that it has still change (C3)', () => {
  const many = Array.from({ length: 300 }, (_, n) => file(`f${String(n)}`, { path: `${String(n)}.md` }));
  const listed = withFiles([], many);
  expect(listed).toHaveLength(200);
  expect(withFiles(listed, [file('new', { path: '0.md', bytes: 7 })])[0]).toMatchObject({
    id: 'f0',
    bytes: 7,
  });
});
