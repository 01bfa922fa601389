/**
 * What Ollama itself expects a model to take (contract 7.3, `PredictServerVRAM`). It knows nothing of sliding windows,
 * states, cache types or head widths, but it is what makes Ollama evict another model.
 */
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
