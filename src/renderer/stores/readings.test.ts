import { describe, expect, it } from 'vitest';
import type { Reading } from '../../protocol/model.ts';
import { aReading, aUsage } from '../testing/fixtures.ts';
import { readingOf, rereadsOf, totalReading, wasSlow } from './readings.ts';

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
    ['read again', reread(600), true],
    ['a load', aUsage({ loadMs: 4000 }), true],
    ['a long wait', aUsage({ waitedMs: 12_000 }), true],
    ['none of these', aUsage(), false],
  ])('%s', (_, usage, expected) => {
    expect(wasSlow({ usage: [usage] })).toBe(expected);
  });
});
