import { expect, test } from 'vitest';
import { gib } from '../testing/fakes.ts';
import { metalBytes } from './apple-memory.ts';

test.each([
  [8, 5.33],
  [16, 10.67],
  [36, 24],
  [64, 48],
  [128, 96],
])('of %d GiB the GPU of Apple silicon may take %d GiB', (total, share) => {
  expect(metalBytes(total * gib) / gib).toBeCloseTo(share, 2);
});
