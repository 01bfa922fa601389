import { expect, it } from 'vitest';
import { bestMatches, comparable } from './match-paths.ts';

const find = (query: string, paths: string[], most = 50) =>
  bestMatches(
    paths.map((path) => ({ path, compared: comparable(path) })),
    query,
    most,
  );

it('shows first what begins so, then what has it in its name, in its path, and its letters in this order', () => {
  const { paths } = find('tab', [
    'src/other/my-table.ts',
    'docs/tab/readme.md',
    'src/tables.ts',
    'tools/area/b.ts',
    'src/none.ts',
  ]);
  expect(paths).toEqual(['src/tables.ts', 'src/other/my-table.ts', 'docs/tab/readme.md', 'tools/area/b.ts']);
});

it('puts the shorter path first where all else is the same, and the alphabet after that', () => {
  expect(find('a', ['b/a2.ts', 'a1.ts', 'a/a.ts', 'b/a1.ts']).paths).toEqual([
    'a1.ts',
    'a/a.ts',
    'b/a1.ts',
    'b/a2.ts',
  ]);
});

it('takes a path as it is written, on Windows too', () => {
  const paths = ['src/host/index.ts', 'src/index.ts'];
  expect(find('host/ind', paths).paths).toEqual(['src/host/index.ts']);
  expect(find('host\\ind', paths).paths).toEqual(['src/host/index.ts']);
  expect(find('./src/index', paths).paths).toContain('src/index.ts');
});

it('finds names with blanks and in any script, however their letters are composed', () => {
  const paths = ['Meine Pläne.md', 'Pla\u0308ne/Übersicht.md', '計画/予定.txt'];
  expect(find('pläne', paths).paths).toEqual(['Meine Pläne.md', 'Pla\u0308ne/Übersicht.md']);
  expect(find('meine pl', paths).paths).toEqual(['Meine Pläne.md']);
  expect(find('予定', paths).paths).toEqual(['計画/予定.txt']);
});

it('without a query shows what lies nearest', () => {
  expect(find('', ['a/b/c.ts', 'z.ts', 'a/b.ts']).paths).toEqual(['z.ts', 'a/b.ts', 'a/b/c.ts']);
});

it('keeps the best of many and counts all', () => {
  const many = Array.from({ length: 10_000 }, (_, n) => `deep/${String(n).padStart(5, '0')}/file.ts`);
  const { paths, found } = find('file', [...many, 'file.ts'], 3);
  expect(paths).toEqual(['file.ts', many[0], many[1]]);
  expect(found).toBe(10_001);
});
