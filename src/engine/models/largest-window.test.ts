import { expect, test } from 'vitest';
import { windowThatFits } from './largest-window.ts';

const upTo = (most: number) => async (tokens: number) => (tokens <= most ? 'fits' : 'spills');

test.each([
  ['what fits is left as it was wished', 16_384, 32_768, 16_384],
  ['what would spill is halved until it does not', 65_536, 20_000, 16_384],
  ['where no window helps, the wish stands and the model spills', 16_384, 100, 16_384],
  ['a small wish stays as small as it is', 2_048, 100, 2_048],
] as const)('%s', async (_, wish, most, window) => {
  expect(await windowThatFits(wish, upTo(most))).toBe(window);
});

test('what fits by a narrow margin fits, and so does what nobody knows', async () => {
  expect(await windowThatFits(16_384, async () => 'tight')).toBe(16_384);
  expect(await windowThatFits(16_384, async () => 'unknown')).toBe(16_384);
});
