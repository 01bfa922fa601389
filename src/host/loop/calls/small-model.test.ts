import { expect, test } from 'vitest';
import { isSmallModel } from './small-model.ts';

test('up to 1.5 billion parameters a model is small', () => {
  expect(['630.17M', '999.89M', '1.5B', '41530K'].filter(isSmallModel)).toHaveLength(4);
  expect(['1.7B', '3.2B', '27.4B'].filter(isSmallModel)).toEqual([]);
});

test('a size that cannot be read is not small', () => {
  expect(['', 'big', '7x', '0.5'].filter(isSmallModel)).toEqual([]);
});
