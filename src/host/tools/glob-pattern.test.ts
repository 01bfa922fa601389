import { describe, expect, test } from 'vitest';
import { threadMs } from '../../../test/helpers/thread-time.ts';
import { globMatcher } from './glob-pattern.ts';

const cases: [pattern: string, matches: string[], others: string[]][] = [
  ['a.ts', ['a.ts'], ['b/a.ts', 'a.tsx', 'A.ts', 'a-ts']],
  ['*.ts', ['a.ts', '.ts', '.a.ts'], ['b/a.ts', 'a.js']],
  ['a?c', ['abc', 'a🎈c'], ['a/c', 'ac', 'abbc']],
  ['**/a.ts', ['a.ts', 'b/a.ts', 'b/.c/a.ts'], ['ba.ts', 'b/ba.ts']],
  ['src/**', ['src/a', 'src/b/c'], ['src', 'other/src/a']],
  ['src/**/*.md', ['src/a.md', 'src/b/c/a.md'], ['a.md', 'src/a.mdx']],
  ['a**c', ['abbc', 'ac'], ['a/c']],
  ['[a-c]x', ['ax', 'cx'], ['dx', '-x', '/x']],
  ['[!a-c]x', ['dx'], ['ax', '/x']],
  ['[a-]x', ['ax', '-x'], ['bx']],
  ['[]x', ['[]x'], ['x']],
  ['*.{md,y{a,}ml}', ['a.md', 'a.yaml', 'a.yml'], ['a.ymll', 'a.{md}']],
  ['{**/a,b}/c', ['x/y/a/c', 'a/c', 'b/c'], ['x/b/c']],
  ['{a', ['{a'], ['a']],
  ['{a}', ['{a}'], ['a']],
  ['{a{1},b}', ['a{1}', 'b'], ['a1']],
  [String.raw`\*\{a,b\}`, ['*{a,b}'], ['xa']],
  ['', [''], ['a']],
];

test.each(cases)('%j', (pattern, matches, others) => {
  const matched = globMatcher(pattern);
  expect([...matches, ...others].filter((path) => matched(path))).toEqual(matches);
});

describe('a pattern that is hard for other matchers', () => {
  const path = `${'a'.repeat(60)}/${'a'.repeat(190)}`;
  test.each([
    ['many stars', '*a'.repeat(400)],
    ['many folders', '**/*a'.repeat(200)],
    ['a product of braces', '{a,aa}'.repeat(150)],
    ['braces in braces', `${'{a,'.repeat(300)}b${'}'.repeat(300)}`],
    ['braces that never end', '{a,'.repeat(300)],
    ['brackets that never end', '[a'.repeat(500)],
    ['a range of numbers', '{1..99999999}'],
  ])('%s: is read and answered at once', (_, pattern) => {
    const began = threadMs();
    expect(globMatcher(`${pattern}!`)(path)).toBe(false);
    expect(threadMs() - began).toBeLessThan(1_000);
  });
});
