import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isLargerThan } from './frame-size.ts';

/** As `JSON.stringify` writes it. */
const written = (value: unknown): number => new TextEncoder().encode(JSON.stringify(value)).length;

/** It fits in as many bytes as it has, and not in one fewer. */
const isExact = (value: unknown): boolean =>
  !isLargerThan(value, written(value)) && isLargerThan(value, written(value) - 1);

describe('the size of a frame', () => {
  it.each<[string, unknown]>([
    ['plain text', 'Hello'],
    ['quotes and backslashes', String.raw`C:\temp\"a"`],
    ['controls with a short escape', '\b\t\n\f\r'],
    ['controls without one', '\u0000\u0001\u001b\u001f\u007f'],
    ['two and three bytes', 'äß€\u2028\u2029\uffff'],
    ['pairs', '🎈a🎈🎈'],
    ['halves of pairs', '\ud83c \udf88 \udf88\ud83c \ud83c\ud83c\udf88'],
    ['numbers', [0, -1, 1.5, -1.234567890123456e-300, 1e21, Number.NaN, Infinity]],
    ['the rest', [true, false, null, [], {}, [[]], { a: {} }]],
    ['keys', { 'a"b': 1, '\u0001': [1, 2, 3], ä: { '🎈': null } }],
  ])('is that of its JSON text, for %s (audit-S21)', (_what, value) => {
    expect(value).toSatisfy(isExact);
  });

  it('is that of its JSON text, for any two UTF-16 code units beside each other', () => {
    const marks = [0x00, 0x0a, 0x22, 0x41, 0x5c, 0x7f, 0x80, 0x7ff, 0x800, 0xd7ff, 0xd800, 0xdbff, 0xdc00];
    marks.push(0xdfff, 0xe000, 0xffff);
    for (const first of marks) {
      for (const second of marks) expect(`x${String.fromCharCode(first, second)}x`).toSatisfy(isExact);
    }
  });

  it('is that of its JSON text, whatever it is (audit-S21)', () => {
    const anything = fc.jsonValue({ stringUnit: 'binary', maxDepth: 6 });
    fc.assert(
      fc.property(anything, (value) => {
        expect(value).toSatisfy(isExact);
      }),
    );
  });

  it('is told without looking at each of a million values', () => {
    const looked: unknown[] = [];
    const values = new Proxy(Array.from<number>({ length: 1e6 }), {
      get: (target, key) => looked.push(key) > 0 && Reflect.get(target, key),
    });
    expect(isLargerThan(values, 1e5)).toBe(true);
    expect(new Set(looked)).toEqual(new Set(['length']));
  });
});
