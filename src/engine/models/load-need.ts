/** Will a model fit beside what is loaded? Decides who is unloaded first at a model switch. */
import type { EngineState, GpuSample, MemorySample, ModelInfo } from '../../protocol/model.ts';
import { runnerKeepsFree } from './estimate.ts';

/** Ollama evicts unless the predicted need is at most this share of free memory. */
const usableShare = 0.8;
/** Compute buffers of a batch of 1,024 or more, as Ollama counts them. */
const computeBytes = 768 * 1024 * 1024;

export interface Need {
  model: Pick<ModelInfo, 'sizeBytes'>;
  contextTokens: number;
  /** null = unknown; then only the weights are counted. */
  bytesPerToken: number | null;
  /** Measured at an earlier load with the same plan. */
  measuredBytes: number | null;
  /** By its architecture and its loads here (`models/fit.ts`); null = not known. */
  estimatedBytes: number | null;
}

/**
 * The largest of what Ollama will predict, what was measured and what is estimated: by the first it evicts, without the
 * others it would load beside another model and spill. Held against `usableShare` of what is free; the estimate is more
 * exact than that, and only has to leave what the runner keeps free.
 */
export function predictedBytes(need: Need): number {
  const predicted = need.model.sizeBytes + (need.bytesPerToken ?? 0) * need.contextTokens + computeBytes;
  const estimated = need.estimatedBytes === null ? 0 : (need.estimatedBytes + runnerKeepsFree) * usableShare;
  return Math.max(predicted, need.measuredBytes ?? 0, estimated);
}

/** Bytes free for models here. null = unknown: another machine, or a platform that does not say. */
export function freeBytes(state: Pick<EngineState, 'gpus' | 'memory' | 'loaded'>): number | null {
  const { gpus, memory, loaded } = state;
  if (gpus === null) return null;
  const mainMemory = mainMemoryLeft(memory);
  if (gpus.length === 0) return mainMemory;
  const totals = gpus.map((gpu) => gpu.vramTotalBytes ?? 0);
  const total = totals.reduce((sum, bytes) => sum + bytes, 0);
  if (total === 0) return null;
  const measured = gpus.reduce((sum, gpu) => sum + (gpu.vramUsedBytes ?? 0), 0);
  const ours = loaded.reduce((sum, model) => sum + model.vramBytes, 0);
  // Where use is not measured, what the models hold is the least of it.
  const free = total - Math.max(measured, ours);
  return mainMemory !== null && hasUnified(gpus) ? Math.min(free, mainMemory) : free;
}

/** What a model may have of the main memory beside a GPU that is full. null = unknown. */
export function spillBytes(state: Pick<EngineState, 'gpus' | 'memory' | 'loaded'>): number | null {
  const left = mainMemoryLeft(state.memory);
  const isShared = left !== null && state.gpus !== null && hasUnified(state.gpus);
  // One memory is not there twice.
  return isShared ? Math.max(0, left - Math.max(0, freeBytes(state) ?? 0)) : left;
}

function hasUnified(gpus: readonly GpuSample[]): boolean {
  return gpus.some(({ unified }) => unified);
}

function mainMemoryLeft({ totalBytes, usedBytes }: MemorySample): number | null {
  return totalBytes === null || usedBytes === null ? null : totalBytes - usedBytes;
}

export function fits(needBytes: number, free: number | null): boolean | null {
  return free === null ? null : needBytes <= free * usableShare;
}
