import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { exactAmount } from './cost-text.ts';
import { csvLine } from './csv.ts';

test('A field that a spreadsheet would run as a formula is text in the CSV (I8)', () => {
  for (const begin of ['=', '+', '-', '@', '\t', '\r', ' =', '\n=', '\u00a0=']) {
    const field = csvLine([`${begin}1+1`]);
    expect([begin, field.replace(/^"/, '').at(0)]).toEqual([begin, "'"]);
  }
});

test('What was written into a CSV is read from it again, whatever the text holds (I8)', () => {
  const harmless = fc.string().filter((text) => !/^\s*[=+\-@\0]/.test(text) && !/^[\t\r\n]/.test(text));
  fc.assert(
    fc.property(fc.array(harmless, { minLength: 1 }), (fields) => {
      expect(parsed(csvLine(fields))).toEqual(fields.map(String));
    }),
  );
});

test('A number with a sign stays a number, however it is written', () => {
  const numbers = ['-3', '+4.5', '-1.200', '-.5', '-1e-9', '+7%'];
  expect(csvLine(numbers)).toBe(`${numbers.join(',')}\r\n`);
  expect(csvLine(['-3+1', '-', '+', '-e5', '-1x', '-1 2'], ';')).toBe("'-3+1;'-;'+;'-e5;'-1x;'-1 2\r\n");
});

test('An unknown figure is an empty field of the CSV, and 0 is 0 (I8)', () => {
  expect(csvLine([null, 0, 'a'])).toBe(',0,a\r\n');
});

test('An amount of billionths is written exactly (I8)', () => {
  expect([0, 1, 3_150_000, 1_000_000_000, 12_500_000_000].map(exactAmount)).toEqual([
    '0',
    '0.000000001',
    '0.00315',
    '1',
    '12.5',
  ]);
});

/** One line, as RFC 4180 says. */
function parsed(line: string): string[] {
  const fields = [...`,${line.slice(0, -2)}`.matchAll(/,(?:"((?:[^"]|"")*)"|([^",]*))/gs)];
  return fields.map(([, quoted, plain = '']) => quoted?.replaceAll('""', '"') ?? plain);
}
