import { expect, test } from 'vitest';

import { FOREVER_MS, parseKeepAlive } from './duration.ts';

test.each([
  [600, 600_000],
  [0.5, 500],
  ['10m', 600_000],
  ['1h30m', 5_400_000],
  ['1.5s', 1500],
  ['0', 0],
  [-1, FOREVER_MS],
  ['-1m', FOREVER_MS],
  [null, undefined],
  [undefined, undefined],
])('keep_alive %j is %d ms', (given, ms) => {
  expect(parseKeepAlive(given)).toEqual({ ok: true, value: ms });
});

test.each([
  ['-1', 'time: missing unit in duration "-1"'],
  ['', 'time: invalid duration ""'],
  ['soon', 'time: invalid duration "soon"'],
  ['5 parsecs', 'time: unknown unit " parsecs" in duration "5 parsecs"'],
  [true, "Unsupported type: 'bool'"],
  [{}, "Unsupported type: 'map[string]interface {}'"],
])('keep_alive %j is refused', (given, error) => {
  expect(parseKeepAlive(given)).toEqual({ ok: false, status: 400, error });
});
