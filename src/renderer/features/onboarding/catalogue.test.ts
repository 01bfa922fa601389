import { describe, expect, test } from 'vitest';
import { fitOf, recommendFor, type CatalogueFit } from './catalogue.ts';

const gib = 1024 ** 3;
const card = (total: number, free = total) => ({ total: total * gib, free: free * gib });

function inBytes(value: number | null): number | null {
  return value === null ? null : value * gib;
}

describe('recommendations', () => {
  const table: [vram: number, first: string][] = [
    [0, 'qwen3.5:2b'],
    [4, 'qwen3.5:2b'],
    [7.99, 'qwen3.5:4b'],
    [11.99, 'qwen3.5:9b'],
    [15.99, 'gemma4:12b'],
    [23.99, 'qwen3.8:27b'],
    [31.8, 'qwen3.8:27b'],
    [80, 'qwen3.8:27b'],
  ];
  test.each(table)('%f GB of VRAM: %s first', (vram, first) => {
    expect(recommendFor(card(vram))[0]?.name).toBe(first);
  });

  test('every first choice fits the card it is the first choice for', () => {
    for (const vram of [7.99, 11.99, 15.99, 23.99, 31.8]) {
      const [first] = recommendFor(card(vram));
      expect(first && fitOf(first, card(vram)), `${vram} GB`).toBe('fits');
    }
  });

  test('unknown VRAM gets one of each size, small ones first', () => {
    const sizes = recommendFor({ total: null, free: null }).map((model) => model.downloadGB);
    expect(sizes).toEqual([3.4, 6.5, 17]);
  });
});

describe('fit', () => {
  const big = { name: 'qwen3.8:27b', downloadGB: 17, madeForGB: 24 } as const;
  const table: [what: string, total: number | null, free: number | null, fit: CatalogueFit][] = [
    ['a free card', 24, 22.7, 'fits'],
    ['a card that does not say what is free', 24, null, 'fits'],
    ['a card that others use', 24, 9, 'busy'],
    ['a smaller card', 16, 16, 'spills'],
    ['no card', 0, 0, 'cpu'],
    ['a card that says nothing', null, null, 'unknown'],
  ];
  test.each(table)('%s', (_, total, free, fit) => {
    expect(fitOf(big, { total: inBytes(total), free: inBytes(free) })).toBe(fit);
  });

  test('a model of unknown size is not promised', () => {
    expect(fitOf({ name: 'qwen3.5:2b', downloadGB: null, madeForGB: 0 }, card(4))).toBe('unknown');
  });
});
