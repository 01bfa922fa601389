/** What a model will take with a window, in parts, and whether that fits. Pure. */
import type { Fit } from '../../protocol/engine-room.ts';
import { shapeOf } from './architecture.ts';
import { bufferBytes, cacheBytes, unreportedCacheBytes, type Window } from './cache-bytes.ts';
import type { ModelNumbers } from './numbers.ts';

const mib = 1024 ** 2;
/** What the driver and the process take on each GPU before anything is loaded. */
export const overheadPerGpu = 512 * mib;
/** The runner keeps this much free, and leaves layers on the CPU rather than use it. */
export const runnerKeepsFree = 1_024 * mib;
/** Texts and merges of the vocabulary, which are in the file and not in memory; measured: 25 to 39. */
const fileBytesPerToken = 32;
/** Where a file does not say: the vocabulary of most models is 32k to 262k. */
const assumedVocabulary = 128 * 1024;

/** They keep shared token embeddings twice in main memory too (measured). */
const copiesShared = new Set(['gemma4']);

export interface Parts {
  weightsBytes: number;
  cacheBytes: number;
  bufferBytes: number;
  /** Of the cache: what `/api/ps` will not count. */
  unreportedBytes: number;
  basis: 'formula' | 'file_size';
  /** The architecture is one that the formula was measured on, or close to it. */
  known: boolean;
}

/** Where the model will run: with GPUs, what stays in main memory is not counted. */
export interface Place {
  gpus: number;
}

/** @param numbers null = nothing is known but the size of its files. @param fileBytes of all layers of the model. */
export function partsOf(
  numbers: ModelNumbers | null,
  fileBytes: number,
  window: Window,
  place: Place,
): Parts {
  const shape = numbers && shapeOf(numbers);
  if (!shape) return fromFileSize(fileBytes, window);
  const vocabulary = numbers.vocabulary ?? assumedVocabulary;
  const textBytes = numbers.vocabulary === null ? 0 : vocabulary * fileBytesPerToken;
  return {
    weightsBytes: Math.max(0, fileBytes - textBytes + embeddingBytes(numbers, place)),
    cacheBytes: cacheBytes(shape, window, numbers.draftTokens),
    bufferBytes: bufferBytes(shape, window, vocabulary),
    unreportedBytes: unreportedCacheBytes(shape, window),
    basis: 'formula',
    known: shape.known,
  };
}

export function totalOf({ weightsBytes, cacheBytes, bufferBytes: buffers }: Parts): number {
  return weightsBytes + cacheBytes + buffers;
}

/** What the weights in memory have more, or less, than the file. */
function embeddingBytes({ architecture, embeddings }: ModelNumbers, place: Place): number {
  if (embeddings === null) return 0;
  if (place.gpus > 0) return -embeddings.lookedUpBytes;
  return copiesShared.has(architecture) ? embeddings.sharedBytes : 0;
}

/**
 * Of models with grouped heads of 4 to 9 GB, 16k tokens of cache are 0.3 to 0.6 of the weights; larger models have
 * relatively less. Rough, and told as such.
 */
function fromFileSize(fileBytes: number, window: Window): Parts {
  const bytesPerToken = 2 * Math.sqrt(fileBytes);
  return {
    weightsBytes: fileBytes,
    cacheBytes: Math.min(bytesPerToken, 262_144) * window.contextTokens * window.parallel,
    bufferBytes: 0.05 * fileBytes + 2 * window.batch * window.contextTokens,
    unreportedBytes: 0,
    basis: 'file_size',
    known: false,
  };
}

export interface Memory {
  /** For models on the GPUs, or in main memory where there is none; null = unknown. */
  freeBytes: number | null;
  /** Main memory for what spills; null = unknown. */
  spillBytes: number | null;
}

/** How far an estimate may be below what is taken in the end, as a share of it. */
export function marginOf(basis: Fit['basis'], known: boolean): number {
  if (basis === 'measured') return 0.02;
  if (basis === 'learnt') return 0.05;
  return basis === 'formula' && known ? 0.1 : 0.3;
}

/** @param margin share by which the total may be too low. */
export function verdictOf(totalBytes: number, margin: number, place: Place, memory: Memory): Fit['verdict'] {
  const { freeBytes, spillBytes } = memory;
  if (freeBytes === null) return 'unknown';
  const usable = freeBytes - runnerKeepsFree;
  if (totalBytes * (1 + margin) <= usable) return 'fits';
  if (totalBytes <= usable) return 'tight';
  if (place.gpus === 0) return 'too_big';
  if (spillBytes === null) return 'spills';
  return totalBytes <= Math.max(0, usable) + spillBytes ? 'spills' : 'too_big';
}
