import { expect, test } from 'vitest';
import { gib } from '../testing/fakes.ts';
import { totalOf as sum, type Parts } from './estimate.ts';
import { cacheTypeOf, learnFrom, type MeasuredLoad, type Predict } from './learnt.ts';

const perToken = { f16: 131_072, q8_0: 69_632, q4_0: 36_864 };

/** A model of 4 GiB, 2 GiB of cache at 16k, 0.25 GiB of buffers; a quarter of the cache is left out of `/api/ps`. */
const predict: Predict = ({ contextTokens }, cacheType): Parts => ({
  weightsBytes: 4 * gib,
  cacheBytes: perToken[cacheType] * contextTokens,
  bufferBytes: gib / 4,
  unreportedBytes: 0,
  basis: 'formula',
  known: true,
});
const sliding: Predict = (plan, type) => ({ ...predict(plan, type), unreportedBytes: gib });
const load = (contextTokens: number, bytes: number, batch = 512): MeasuredLoad => ({
  contextTokens,
  batch,
  bytes,
  onGpu: true,
});
const at = (contextTokens: number, batch = 512) => ({ contextTokens, batch });

test('with nothing measured the formula stands', () => {
  const { parts, basis } = learnFrom([], at(16_384), predict);
  expect([sum(parts), basis]).toEqual([6.25 * gib, 'formula']);
});

test('the very plan that was loaded takes what it took', () => {
  const { parts, basis } = learnFrom([load(16_384, 6.4 * gib)], at(16_384), predict);
  expect([sum(parts), basis]).toEqual([6.4 * gib, 'measured']);
});

test('another window takes what the formula missed too', () => {
  const { parts, basis } = learnFrom([load(16_384, 6.35 * gib)], at(32_768), predict);
  expect(sum(parts) / gib).toBeCloseTo(8.35, 6);
  expect(basis).toBe('learnt');
});

test('between two loads the difference is between theirs', () => {
  const loads = [load(8_192, 5.25 * gib), load(24_576, 7.45 * gib)];
  expect(sum(learnFrom(loads, at(16_384), predict).parts) / gib).toBeCloseTo(6.35, 6);
  expect(sum(learnFrom(loads, at(65_536), predict).parts) / gib).toBeCloseTo(12.45, 6);
});

test('another batch of the same window is another plan', () => {
  expect(learnFrom([load(16_384, 6.4 * gib)], at(16_384, 2_048), predict).basis).toBe('learnt');
});

test('a quantised cache is seen from the loads', () => {
  const quantised = [load(16_384, 4.25 * gib + perToken.q8_0 * 16_384)];
  expect(cacheTypeOf(quantised, predict)).toBe('q8_0');
  const { parts } = learnFrom(quantised, at(65_536), predict);
  expect(parts.cacheBytes).toBe(perToken.q8_0 * 65_536);
});

test('a size that no cache type explains is only a difference', () => {
  expect(cacheTypeOf([load(16_384, 20 * gib)], predict)).toBe('f16');
  expect(cacheTypeOf([], predict)).toBe('f16');
});

test('what /api/ps leaves out is not taken for a wrong formula', () => {
  const reported = learnFrom([load(16_384, 5.25 * gib)], at(16_384), sliding);
  expect(sum(reported.parts) / gib).toBeCloseTo(6.25, 6);
  // An engine that counts it gives the same.
  const counted = learnFrom([load(16_384, 6.25 * gib)], at(16_384), sliding);
  expect(sum(counted.parts) / gib).toBeCloseTo(6.25, 6);
});

test('less than the formula comes off the buffers first, then off the weights', () => {
  const { parts } = learnFrom([load(16_384, 5.9 * gib)], at(16_384), predict);
  expect(parts).toMatchObject({ bufferBytes: 0, cacheBytes: 2 * gib });
  expect(sum(parts) / gib).toBeCloseTo(5.9, 6);
});
