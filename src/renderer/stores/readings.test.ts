import { describe, expect, it } from 'vitest';
import type { Reading } from '../../protocol/model.ts';
import { aReading, aUsage } from '../testing/fixtures.ts';
import { isCostly, readingOf, rereadsOf, totalReading, wasSlow, type ReadingTotals } from './readings.ts';

const reread = (tokens: number, over: Partial<Reading> = {}) =>
  aUsage({
    promptTokens: 9000,
    cachedTokens: 1000,
    evaluatedTokens: 8000,
    promptMs: 10_000,
    reading: aReading({ rereadTokens: tokens, cause: 'reload', owner: 'engine', ...over }),
  });

describe('what was read', () => {
  it('is all new where no account was given, so that nothing is blamed', () => {
    expect(readingOf(aUsage({ evaluatedTokens: 1640, cachedTokens: 10 }))).toMatchObject({
      cached: 10,
      fresh: 1640,
      reread: 0,
    });
  });

  it('is split, its time too, into new and read again', () => {
    expect(readingOf(reread(6000))).toMatchObject({
      fresh: 2000,
      reread: 6000,
      rereadMs: 7500,
      freshMs: 2500,
    });
  });

  it('is unknown as a sum as soon as one request did not say', () => {
    const unknown = aUsage({ cachedTokens: null, evaluatedTokens: null });
    expect(totalReading([reread(6000), unknown])).toMatchObject({ cached: null, fresh: null, reread: 6000 });
    expect(totalReading([]).cached).toBeNull();
  });
});

describe('causes', () => {
  it('come with their tokens, the dearest first, requests of one cause together', () => {
    const found = rereadsOf([
      reread(100, { cause: 'date_changed', owner: 'andiron' }),
      reread(2000, { detail: 'first' }),
      reread(3000, { detail: '' }),
    ]);
    expect(found.map(({ cause, tokens, requests }) => [cause, tokens, requests])).toEqual([
      ['reload', 5000, 2],
      ['date_changed', 100, 1],
    ]);
    expect(found[0]?.detail).toBe('first');
  });

  it('are none where nothing was read again', () => {
    expect(rereadsOf([aUsage(), reread(0)])).toEqual([]);
  });
});

describe('a slow turn', () => {
  it.each([
    ['read again for more than three seconds', reread(3000), true],
    ['few tokens read again, slowly', { ...reread(400), promptMs: 100_000 }, false],
    ['read again in no time', { ...reread(6000), promptMs: 100 }, false],
    ['a load', aUsage({ loadMs: 4000 }), true],
    ['a long wait', aUsage({ waitedMs: 12_000 }), true],
    ['none of these', aUsage(), false],
  ])('%s', (_, usage, expected) => {
    expect(wasSlow({ usage: [usage] }, 60_000)).toBe(expected);
  });
});

const read = (rereadMs: number | null, tokens = 29): ReadingTotals => ({
  cached: 1000,
  fresh: 971,
  reread: tokens,
  rereadMs,
  freshMs: null,
});

describe('tokens that are read again', () => {
  it.each<[what: string, reading: ReadingTotals, workedMs: number | null, expected: boolean]>([
    ['29 in a long turn', read(40), 20_000, false],
    ['three seconds of a long turn', read(3000), 60_000, false],
    ['more than three seconds of a long turn', read(3001), 60_000, true],
    ['a fifth of a short turn', read(200), 1000, false],
    ['more than a fifth of a short turn', read(201), 1000, true],
    ['a second of a turn that still runs', read(1000), null, false],
    ['more than three seconds of a turn that still runs', read(3001), null, true],
    ['few without a known time', read(null), 1000, false],
    ['more than a fifth of all without a known time', read(null, 500), 1000, true],
    ['none', read(0, 0), 0, false],
  ])('warn by their time, or by their share where none is known: %s (audit-U11)', (_, ...given) => {
    const [reading, workedMs, expected] = given;
    expect(isCostly(reading, workedMs)).toBe(expected);
  });
});
