import { describe, expect, it, test } from 'vitest';
import { figures as german } from './de/figures.ts';
import { figures as english } from './en/figures.ts';
import { numberReader } from './typed-number.ts';

const values = [0, 7, 999, 1000, 32_768, 1_234_567, -42, -65_536, 0.7, 0.125, 1.125, 1.5, 1234.5, 0.1 + 0.2];

test.each([
  ['English', english],
  ['German', german],
])('a number is read from what is shown of it in %s', (_language, { number, parseNumber }) => {
  for (const value of values) expect(parseNumber(number(value))).toBeCloseTo(value, 12);
});

describe('a number that is typed', () => {
  it.each([
    ['65536', 65_536],
    ['65.536', 65_536],
    ['1.000', 1000],
    ['0,7', 0.7],
    [' 1.234,5 ', 1234.5],
    ['1,125', 1.125],
    ['\u22124', -4],
  ])('in German as "%s" is %s', (typed, value) => {
    expect(german.parseNumber(typed)).toBe(value);
  });

  it.each([
    ['0.7', 0.7],
    ['0.750', 0.75],
    ['1.5', 1.5],
    ['12345.678', 12_345.678],
    ['1,234.5', 1234.5],
    ['1,000,000', 1_000_000],
  ])('in German with the signs of English as "%s" is %s', (typed, value) => {
    expect(german.parseNumber(typed)).toBe(value);
  });

  it.each([
    ['65536', 65_536],
    ['1,000', 1000],
    ['65.536', 65.536],
    ['0,7', 0.7],
    ['1.234,5', 1234.5],
    ['1.000.000', 1_000_000],
  ])('in English as "%s" is %s', (typed, value) => {
    expect(english.parseNumber(typed)).toBe(value);
  });

  it('in German as "1,000" is refused, for it may be one or a thousand', () => {
    expect(german.parseNumber('1,000')).toBeNull();
  });

  it('in English as "1.000" is refused, for it may be one or a thousand', () => {
    expect(english.parseNumber('1.000')).toBeNull();
  });

  it.each(['', '-', 'many', '1e3', '0x10', '.5', '5.', '1,,000', '12,34,567', '1 000', '--4', 'Infinity'])(
    'as "%s" is none',
    (typed) => {
      expect(english.parseNumber(typed)).toBeNull();
      expect(german.parseNumber(typed)).toBeNull();
    },
  );

  it('may have a space of any kind between its groups where the language has one', () => {
    const read = numberReader('fr-FR');
    expect(['1 234', '1\u202f234', '1\u00a0234,5'].map(read)).toEqual([1234, 1234, 1234.5]);
  });
});
