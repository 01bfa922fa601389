import { expect, test } from 'vitest';

import { goJson, goTime, omitEmpty } from './go-json.ts';

test('HTML characters and line separators are escaped as Go does, everything else is left alone', () => {
  expect(goJson({ text: '<b>&"x"\u2028é😀\t' })).toBe(
    '{"text":"\\u003cb\\u003e\\u0026\\"x\\"\\u2028é😀\\t"}',
  );
});

test('a time has nanoseconds without trailing zeros', () => {
  const noon = Date.UTC(2026, 10, 21, 12, 0, 0);
  expect(goTime(noon)).toBe('2026-11-21T12:00:00Z');
  expect(goTime(noon + 500)).toBe('2026-11-21T12:00:00.5Z');
  expect(goTime(noon + 1.25)).toBe('2026-11-21T12:00:00.00125Z');
});

test('only empty values are left out', () => {
  expect(omitEmpty({ a: '', b: 0, c: [], d: false, e: null, f: undefined, g: 'x', h: 1, i: [0] })).toEqual({
    g: 'x',
    h: 1,
    i: [0],
  });
});
