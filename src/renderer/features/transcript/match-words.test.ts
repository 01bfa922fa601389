import { describe, expect, it } from 'vitest';
import { threadMs } from '../../../../test/helpers/thread-time.ts';
import { markMatches, safePattern } from './match-words.ts';

const hits = (pattern: string, line: string): string[] =>
  markMatches(line, safePattern(pattern)).flatMap(({ text, hit }) => (hit ? [text] : []));

describe('the match in a line', () => {
  it('is marked where the pattern finds it, with smart case', () => {
    expect(hits(String.raw`Date\.now\(\)`, 'a = Date.now() - Date.now();')).toEqual([
      'Date.now()',
      'Date.now()',
    ]);
    expect(hits('lease', 'const Lease = lease')).toEqual(['Lease', 'lease']);
    expect(hits('Lease', 'const Lease = lease')).toEqual(['Lease']);
    expect(hits(String.raw`function \w+`, 'export function renew() {}')).toEqual(['function renew']);
    expect(hits('foo(', 'call foo(1)')).toEqual(['foo(']);
  });

  it('leaves the line whole, whatever is marked', () => {
    for (const pattern of ['a', 'x*', '^', 'a|b', '']) {
      expect(
        markMatches('a xx b a', safePattern(pattern))
          .map(({ text }) => text)
          .join(''),
      ).toBe('a xx b a');
    }
  });

  it('is left unmarked where finding it could take long', () => {
    for (const pattern of ['(a+)+$', '(a|a)*b', '.*x.*y', '(?=a)', String.raw`(a)\1`]) {
      expect(safePattern(pattern)).toBeNull();
    }
    const began = threadMs();
    for (let line = 0; line < 200; line++) hits('a*b', 'a'.repeat(400));
    expect(threadMs() - began).toBeLessThan(1500);
  });
});
