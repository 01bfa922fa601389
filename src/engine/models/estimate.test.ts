import { expect, test } from 'vitest';
import { gib } from '../testing/fakes.ts';
import { marginOf, partsOf, verdictOf } from './estimate.ts';
import { shapeByName } from './families.ts';
import { ollamaBatch, ollamaPrediction } from './ollama-prediction.ts';

const cpu = { gpus: 0 };
const gpu = { gpus: 1 };
const window = { contextTokens: 16_384, batch: 512, cacheType: 'f16', parallel: 1 } as const;
const llama = shapeByName('llama3.1:8b');

test('weights are the file without the texts of its vocabulary', () => {
  expect(partsOf(llama, 5 * gib, window, cpu).weightsBytes).toBe(5 * gib - 128_256 * 32);
});

test('on a GPU what is only looked up stays in main memory', () => {
  const numbers = llama && { ...llama, embeddings: { lookedUpBytes: gib, sharedBytes: 0 } };
  const onCpu = partsOf(numbers, 5 * gib, window, cpu).weightsBytes;
  expect(partsOf(numbers, 5 * gib, window, gpu).weightsBytes).toBe(onCpu - gib);
});

test('a file of which only the size is known is judged by its size, and says so', () => {
  const parts = partsOf(null, 5 * gib, window, cpu);
  expect(parts.basis).toBe('file_size');
  expect(parts.weightsBytes + parts.cacheBytes).toBeGreaterThan(5 * gib);
});

test.each([
  [7, 'fits'],
  [8.9, 'tight'],
  [9.1, 'spills'],
  [25, 'too_big'],
] as const)('%f GiB into 10 free GiB of VRAM: %s', (total, verdict) => {
  expect(verdictOf(total * gib, 0.1, gpu, { freeBytes: 10 * gib, spillBytes: 8 * gib })).toBe(verdict);
});

test('without a GPU nothing can spill', () => {
  expect(verdictOf(9.1 * gib, 0.1, cpu, { freeBytes: 10 * gib, spillBytes: 10 * gib })).toBe('too_big');
});

test('unknown memory gives no verdict', () => {
  expect(verdictOf(gib, 0.1, gpu, { freeBytes: null, spillBytes: null })).toBe('unknown');
});

test('the less is known, the more room a verdict needs', () => {
  const margins = [
    marginOf('measured', true),
    marginOf('learnt', true),
    marginOf('formula', true),
    marginOf('formula', false),
  ];
  expect(margins).toEqual(margins.toSorted((a, b) => a - b));
  expect(marginOf('file_size', false)).toBe(marginOf('formula', false));
});

test("Ollama's own formula knows neither windows nor head widths", () => {
  const gemma = shapeByName('gemma4:12b');
  // 2 × 48 layers × 1 cache head × (3,840 ÷ 16) × 16,384 × 2 bytes.
  expect(gemma && ollamaPrediction(gemma, 7 * gib, 16_384)).toBe(7 * gib + 2 * 48 * 240 * 16_384 * 2);
});

test.each([
  [65_536, 10, 24, 2_048],
  [65_536, 15, 24, 1_024],
  [65_536, 18.5, 24, 512],
  [16_384, 10, 24, 1_024],
  [4_096, 10, 24, 512],
  [65_536, 14, null, 2_048],
])(
  'a window of %i tokens, %s GiB predicted, %s GiB free: a batch of %i',
  (tokens, predicted, free, batch) => {
    expect(ollamaBatch(tokens, predicted * gib, free === null ? null : free * gib)).toBe(batch);
  },
);

test.each([
  ['qwen3.5:9b', 'qwen35'],
  ['qwen3.6:35b-a3b', 'qwen35moe'],
  ['library/gemma4:e4b-it-q4_K_M', 'gemma4'],
  ['GPT-OSS:20b', 'gpt-oss'],
])('%s is known by its name', (name, architecture) => {
  expect(shapeByName(name)?.architecture).toBe(architecture);
});

test.each([['qwen3.5'], ['constructor:x'], ['somebody/unknown:7b']])('%s is not', (name) => {
  expect(shapeByName(name)).toBeNull();
});
