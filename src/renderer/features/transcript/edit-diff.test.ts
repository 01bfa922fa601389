import { expect, it } from 'vitest';
import { editDiff } from './edit-diff.ts';

const linesOf = (before: string, after: string) => editDiff('command', before, after).hunks[0]?.lines;

it('shows what was written anew as one change among the lines that stayed', () => {
  expect(linesOf('npm test', 'npm test -- --bail')).toEqual(['-npm test', '+npm test -- --bail']);
  expect(linesOf('set -e\nmake\necho end', 'set -e\nmake all\nmake check\necho end')).toEqual([
    ' set -e',
    '-make',
    '+make all',
    '+make check',
    ' echo end',
  ]);
});

it('counts no line twice where lines repeat, were only added or only removed', () => {
  expect(linesOf('a\na', 'a\na\na')).toEqual([' a', ' a', '+a']);
  expect(linesOf('a\nb\na', 'a')).toEqual([' a', '-b', '-a']);
  expect(editDiff('command', 'a\nb\na', 'a')).toMatchObject({ added: 0, removed: 2 });
});
