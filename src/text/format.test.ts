import { describe, expect, it } from 'vitest';
import { figures as german } from './de/figures.ts';
import {
  bytes,
  clock,
  count,
  downloadBytes,
  gigabytes,
  percent,
  plural,
  precise,
  roughCount,
  seconds,
  tenths,
  tokenRate,
} from './en/figures.ts';

const gib = 1024 ** 3;

describe('figures', () => {
  it('have a unit and are grouped', () => {
    expect(count(21_480)).toBe('21,480');
    expect([7, 2048, 640 * 1024 ** 2, 19.9 * gib].map(bytes)).toEqual([
      '7 bytes',
      '2 kB',
      '640 MB',
      '19.9 GB',
    ]);
    expect([1640, 9999, 31_090].map(roughCount)).toEqual(['1,640', '9,999', '31k']);
    expect([17e9, 38e6, 2e3].map(downloadBytes)).toEqual(['17.0 GB', '38 MB', '2 kB']);
    expect(gigabytes(24 * gib)).toBe('24.0');
    expect(percent(0.655)).toBe('66 %');
    expect([plural(1, 'file', 'files'), plural(0, 'file', 'files')]).toEqual(['1 file', '0 files']);
  });

  it('say a time as precisely as it matters', () => {
    expect([0, 4, 140, 40_800, 59_940, 83_000].map(tenths)).toEqual([
      '0.0 s',
      '0.1 s',
      '0.1 s',
      '40.8 s',
      '59.9 s',
      '1 min 23 s',
    ]);
    expect([0, 400, 6_900, 253_000, 3_700_000].map(seconds)).toEqual([
      '0 s',
      '1 s',
      '6 s',
      '4 min 13 s',
      '1 h 01 min',
    ]);
    expect([38, 999, 1200].map(precise)).toEqual(['38 ms', '999 ms', '1.2 s']);
    expect([0, 14_000, 253_000, 3_729_000].map(clock)).toEqual(['0:00', '0:14', '4:13', '1:02:09']);
  });

  it('tell no rate that was not measured', () => {
    expect(tokenRate(340, 10_000)).toBe('34 tok/s');
    expect(tokenRate(12, 5000)).toBe('2.4 tok/s');
    for (const [tokens, ms] of [
      [null, 1],
      [1, null],
      [1, 0],
      [0, 5],
    ] as const)
      expect(tokenRate(tokens, ms)).toBeNull();
  });
});

it('German figures have the signs and groups of German', () => {
  expect([german.count(21_480), german.gigabytes(19.9 * gib), german.bytes(1), german.bytes(7)]).toEqual([
    '21.480',
    '19,9',
    '1 Byte',
    '7 Byte',
  ]);
  expect([german.bytes(19.9 * gib), german.downloadBytes(17e9), german.percent(0.655)]).toEqual([
    '19,9 GB',
    '17,0 GB',
    '66 %',
  ]);
  expect([1640, 31_090].map(german.roughCount)).toEqual(['1.640', '31k']);
  expect([140, 83_000].map(german.tenths)).toEqual(['0,1 s', '1 min 23 s']);
  expect([german.tokenRate(12, 5000), german.money(1_050_000_000, 'EUR')]).toEqual([
    '2,4 tok/s',
    '1,05\u00a0€',
  ]);
  expect([1, 2, 0].map((files) => german.plural(files, 'Datei', 'Dateien'))).toEqual([
    '1 Datei',
    '2 Dateien',
    '0 Dateien',
  ]);
});
