import { describe, expect, it } from 'vitest';
import { mend } from './mend.ts';

describe('the end of a streamed block', () => {
  it.each([
    ['plain', 'plain'],
    ['some **bold', 'some **bold**'],
    ['some **bold**', 'some **bold**'],
    ['some **', 'some '],
    ['a ~~gone', 'a ~~gone~~'],
    ['call `renew(', 'call `renew(`'],
    ['call `', 'call '],
    ['`a` and **b', '`a` and **b**'],
    ['`**` is bold', '`**` is bold'],
    ['see [the docs](https://exa', 'see the docs'],
    ['see [the docs](https://example.com)', 'see [the docs](https://example.com)'],
    ['![alt](https://exa', 'alt'],
    ['array[0] is', 'array[0] is'],
    ['first **line\nsecond', 'first **line\nsecond'],
  ])('%j reads as %j', (raw, mended) => {
    expect(mend(raw)).toBe(mended);
  });
});
