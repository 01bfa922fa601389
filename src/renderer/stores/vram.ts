import type { GpuSample, LoadedModel } from '../../protocol/model.ts';

export interface VramSplit {
  /** Bytes; null = a GPU did not say. */
  total: number | null;
  used: number | null;
  free: number | null;
  /** What loaded models hold, as the driver counts it, else the engine. */
  model: number;
  /** The rest of what is used: other programs, and what the engine does not count. */
  other: number;
}

/** Several GPUs are one sum, because the engine tells only a sum of what its models hold. */
export function splitVram(gpus: GpuSample[], loaded: LoadedModel[]): VramSplit {
  const total = sum(gpus.map((gpu) => gpu.vramTotalBytes));
  const used = sum(gpus.map((gpu) => gpu.vramUsedBytes));
  const free = total === null || used === null ? null : Math.max(0, total - used);
  // The driver sees all that the model server's processes hold; the engine counts what it planned.
  const held =
    sum(gpus.map((gpu) => gpu.vramModelBytes ?? null)) ??
    loaded.reduce((bytes, model) => bytes + model.vramBytes, 0);
  // Two sources, read at two moments: the parts must still make up the whole.
  const model = Math.min(held, used ?? held);
  return { total, used, free, model, other: Math.max(0, (used ?? held) - model) };
}

function sum(values: (number | null)[]): number | null {
  return values.reduce<number | null>(
    (all, value) => (all === null || value === null ? null : all + value),
    0,
  );
}
