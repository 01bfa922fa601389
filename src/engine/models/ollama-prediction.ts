/**
 * What Ollama itself expects a model to take (`PredictServerVRAM` in its source). It knows nothing of sliding windows,
 * states, cache types or head widths, but it is what makes Ollama evict another model.
 */
import { automaticBatch } from './batch.ts';
import type { ModelNumbers } from './numbers.ts';

const cacheElementBytes = 2;

/** @param fileBytes of the weights. null = the file does not say enough. */
export function ollamaPrediction(
  numbers: ModelNumbers,
  fileBytes: number,
  contextTokens: number,
): number | null {
  const { values } = numbers;
  const { block_count: blocks, embedding_length: width } = values;
  const heads = widest(values['attention.head_count']);
  if (typeof blocks !== 'number' || typeof width !== 'number') return null;
  const cacheHeads = narrowest(values['attention.head_count_kv']) || 1;
  const headWidth = heads > 0 ? Math.floor(width / heads) : 0;
  return fileBytes + 2 * blocks * cacheHeads * headWidth * contextTokens * cacheElementBytes;
}

function widest(value: number | number[] | undefined): number {
  return Array.isArray(value) ? Math.max(0, ...value) : (value ?? 0);
}

function narrowest(value: number | number[] | undefined): number {
  return Array.isArray(value) ? Math.min(...value) : (value ?? 0);
}

const gib = 1024 ** 3;
/** A larger batch is taken only where the prediction leaves this much: shares of what is free, and its own buffers. */
const batchSteps = [
  { batch: 2_048, most: 0.6, buffers: 2 * gib },
  { batch: 1_024, most: 0.75, buffers: 0.75 * gib },
] as const;
const usableShare = 0.8;
const minBatch = 512;

/** The batch that Ollama takes where none is given: by the window, then smaller for lack of room. */
export function ollamaBatch(
  contextTokens: number,
  predictedBytes: number | null,
  freeBytes: number | null,
): number {
  const usual = automaticBatch(contextTokens);
  if (predictedBytes === null || freeBytes === null) return usual;
  const step = batchSteps.find(
    ({ batch, most, buffers }) =>
      batch <= usual &&
      predictedBytes <= freeBytes * most &&
      predictedBytes + buffers <= freeBytes * usableShare,
  );
  return step?.batch ?? Math.min(usual, minBatch);
}
