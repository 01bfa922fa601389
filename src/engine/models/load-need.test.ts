import { expect, test } from 'vitest';
import { gib } from '../testing/fakes.ts';
import { fits, freeBytes, predictedBytes, spillBytes } from './load-need.ts';

const gpu = (total: number | null, used: number | null) => ({
  name: 'GPU',
  vramTotalBytes: total,
  vramUsedBytes: used,
  utilization: null,
  temperatureC: null,
  powerW: null,
  at: 0,
});
const memory = { totalBytes: 64 * gib, usedBytes: 16 * gib, cpuLoad: null };
const loaded = (vramBytes: number) => ({
  name: 'm',
  sizeBytes: vramBytes,
  vramBytes,
  contextTokens: null,
  expiresAt: '',
  asPlanned: null,
});

test('the need is weights, window and buffers, or what was measured when that was more', () => {
  const need = {
    model: { sizeBytes: 4 * gib },
    contextTokens: 16_384,
    bytesPerToken: 65_536,
    measuredBytes: null,
    estimatedBytes: null,
  };
  expect(predictedBytes(need)).toBe(4 * gib + gib + 0.75 * gib);
  expect(predictedBytes({ ...need, measuredBytes: 9 * gib })).toBe(9 * gib);
});

test('what the architecture needs counts where Ollama itself predicts less', () => {
  const need = {
    model: { sizeBytes: 4 * gib },
    contextTokens: 16_384,
    bytesPerToken: null,
    measuredBytes: null,
    estimatedBytes: 9 * gib,
  };
  // Fits where it leaves a GiB free, as the runner does.
  expect(fits(predictedBytes(need), 10 * gib)).toBe(true);
  expect(fits(predictedBytes(need), 10 * gib - 2)).toBe(false);
});

test('free is what no GPU uses, by its own figures', () => {
  expect(freeBytes({ gpus: [gpu(24 * gib, 4 * gib), gpu(8 * gib, gib)], memory, loaded: [] })).toBe(27 * gib);
});

test('where use is not measured, what the models hold is taken', () => {
  expect(freeBytes({ gpus: [gpu(32 * gib, null)], memory, loaded: [loaded(6 * gib)] })).toBe(26 * gib);
});

const apple = (total: number, used: number) => ({ ...gpu(total, used), unified: true as const });

test('a GPU that shares the main memory has no more free than programs leave of it', () => {
  const full = { totalBytes: 16 * gib, usedBytes: 13 * gib, cpuLoad: null };
  expect(freeBytes({ gpus: [apple(10 * gib, gib)], memory: full, loaded: [] })).toBe(3 * gib);
  const empty = { ...full, usedBytes: 4 * gib };
  expect(freeBytes({ gpus: [apple(10 * gib, gib)], memory: empty, loaded: [] })).toBe(9 * gib);
  const unknown = { ...full, usedBytes: null };
  expect(freeBytes({ gpus: [apple(10 * gib, gib)], memory: unknown, loaded: [] })).toBe(9 * gib);
});

test('beside a GPU that shares the main memory there is only what the GPU may not take', () => {
  const left = { totalBytes: 16 * gib, usedBytes: 4 * gib, cpuLoad: null };
  expect(spillBytes({ gpus: [apple(10 * gib, gib)], memory: left, loaded: [] })).toBe(3 * gib);
  expect(spillBytes({ gpus: [gpu(10 * gib, gib)], memory: left, loaded: [] })).toBe(12 * gib);
});

test('without a GPU models live in main memory', () => {
  expect(freeBytes({ gpus: [], memory, loaded: [] })).toBe(48 * gib);
  expect(freeBytes({ gpus: [], memory: { ...memory, usedBytes: null }, loaded: [] })).toBeNull();
});

test('unknown stays unknown', () => {
  expect(freeBytes({ gpus: null, memory, loaded: [] })).toBeNull();
  expect(freeBytes({ gpus: [gpu(null, null)], memory, loaded: [] })).toBeNull();
  expect(fits(gib, null)).toBeNull();
});

test('it fits when it takes at most four fifths of what is free, as Ollama counts', () => {
  expect(fits(8 * gib, 10 * gib)).toBe(true);
  expect(fits(8 * gib + 1, 10 * gib)).toBe(false);
});
