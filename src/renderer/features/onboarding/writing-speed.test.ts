import { expect, test } from 'vitest';
import type { CatalogueModel } from './catalogue.ts';
import { writingSpeed } from './writing-speed.ts';

const dense: CatalogueModel = { name: 'qwen3.8:27b', downloadGB: 17, madeForGB: 24 };
const small: CatalogueModel = { name: 'qwen3.5:9b', downloadGB: 6.5, madeForGB: 12 };
const mixed: CatalogueModel = {
  name: 'gemma4:26b-a4b',
  downloadGB: 16.9,
  madeForGB: 24,
  activeShare: 0.31,
};
const on = (...names: string[]) => names.map((name) => ({ name }));

test.each([
  ['a large model on a card of 936 GB/s', dense, 'NVIDIA GeForce RTX 3090', 35],
  ['a small one writes faster', small, 'NVIDIA GeForce RTX 3090', 80],
  ['so does one of which only a part works', mixed, 'NVIDIA GeForce RTX 3090', 95],
  ['the card with the longer name is another card', dense, 'NVIDIA GeForce RTX 3090 Ti', 35],
  ['a slower card', small, 'NVIDIA GeForce RTX 4060 Ti', 28],
] as const)('%s', (_, model, gpu, expected) => {
  const speed = writingSpeed(model, on(gpu));
  // It is worded as "about": one step of its own rounding more or less says the same.
  expect(speed).not.toBeNull();
  expect(Math.abs((speed ?? 0) - expected)).toBeLessThanOrEqual(5);
});

test.each([
  ['a card that nobody knows', dense, on('Some Card 77')],
  ['a laptop’s card', dense, on('NVIDIA GeForce RTX 4090 Laptop GPU')],
  ['several cards', dense, on('NVIDIA GeForce RTX 3090', 'NVIDIA GeForce RTX 3090')],
  ['no card', dense, on()],
  [
    'a model of unknown size',
    { name: 'qwen3.5:2b', downloadGB: null, madeForGB: 0 } as const,
    on('NVIDIA GeForce RTX 3090'),
  ],
])('%s: unknown', (_, model, gpus) => {
  expect(writingSpeed(model, gpus)).toBeNull();
});
