import type { EngineState, GpuSample, LoadedModel } from '../protocol/model.ts';

/**
 * `unreadable`: no GPU was found here, and yet one holds a model or has just been lent: that of another computer, or one
 * whose driver says nothing.
 */
export type GpuSight = 'unread' | 'none' | 'unreadable' | 'read';

export function gpuSight(engine: Pick<EngineState, 'gpus' | 'loaded' | 'lent'>): GpuSight {
  const { gpus, loaded, lent: released } = engine;
  if (gpus === null) return 'unread';
  if (gpus.length > 0) return 'read';
  const isUsed = loaded.some(({ vramBytes }) => vramBytes > 0) || (released?.freedBytes ?? 0) > 0;
  return isUsed ? 'unreadable' : 'none';
}

export interface VramSplit {
  /** Bytes; null = a GPU did not say. */
  total: number | null;
  used: number | null;
  free: number | null;
  /** What loaded models hold, as the driver counts it, else the engine. */
  model: number;
  /** Of that the weights, by the engine's estimate: the rest is cache and buffers; null = not known of each model. */
  weights: number | null;
  /** The rest of what is used: other programs, and what the engine does not count. */
  other: number;
}

/** Several GPUs are one sum, because the engine tells only a sum of what its models hold. */
export function splitVram(gpus: GpuSample[], loaded: LoadedModel[]): VramSplit {
  const total = sum(gpus.map((gpu) => gpu.vramTotalBytes));
  const taken = sum(gpus.map((gpu) => gpu.vramUsedBytes));
  // Two sources may tell of one card, and no card holds more than it has.
  const used = taken === null || total === null ? taken : Math.min(taken, total);
  const free = total === null || used === null ? null : Math.max(0, total - used);
  // The driver sees all that the model server's processes hold; the engine counts what it planned.
  const held =
    sum(gpus.map((gpu) => gpu.vramModelBytes ?? null)) ??
    loaded.reduce((bytes, model) => bytes + model.vramBytes, 0);
  // Two sources, read at two moments: the parts must still make up the whole.
  const model = Math.min(held, used ?? held);
  const onGpu = loaded.filter(({ vramBytes }) => vramBytes > 0);
  const estimated = onGpu.length === 0 ? null : sum(onGpu.map(({ weightsBytes }) => weightsBytes ?? null));
  const weights = estimated === null ? null : Math.min(estimated, model);
  return { total, used, free, model, weights, other: Math.max(0, (used ?? held) - model) };
}

export interface VramPart {
  key: 'weights' | 'cache' | 'model' | 'other' | 'free';
  bytes: number;
  estimated: boolean;
}

/** The whole in the order of its bar; what models hold in two parts where that is known. */
export function vramParts({ total, used, model, weights, other }: KnownVram): VramPart[] {
  const known = (key: VramPart['key'], bytes: number): VramPart => ({ key, bytes, estimated: false });
  const models: VramPart[] =
    weights === null
      ? [known('model', model)]
      : [
          { key: 'weights', bytes: weights, estimated: true },
          { key: 'cache', bytes: model - weights, estimated: true },
        ];
  return [...models, known('other', other), known('free', Math.max(0, total - used))];
}

export type KnownVram = VramSplit & { total: number; used: number };

export function isKnown(vram: VramSplit): vram is KnownVram {
  return vram.total !== null && vram.used !== null;
}

function sum(values: (number | null)[]): number | null {
  return values.reduce<number | null>(
    (all, value) => (all === null || value === null ? null : all + value),
    0,
  );
}
