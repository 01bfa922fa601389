import type { EngineState } from '../../../protocol/model.ts';
import type { Vram } from './catalogue.ts';

/** What all GPUs have and hold, in bytes; null = one of them did not say. */
export interface VramFacts extends Vram {
  used: number | null;
  /** Held by models, as the engine counts it. */
  models: number;
}

/** null = not read yet. No GPU at all is a total of 0. */
export function vramFacts(engine: Pick<EngineState, 'gpus' | 'loaded'> | null): VramFacts | null {
  if (!engine?.gpus) return null;
  const total = sum(engine.gpus.map((gpu) => gpu.vramTotalBytes));
  const used = sum(engine.gpus.map((gpu) => gpu.vramUsedBytes));
  const models = engine.loaded.reduce((bytes, model) => bytes + model.vramBytes, 0);
  return { total, used, models, free: total === null || used === null ? null : Math.max(0, total - used) };
}

function sum(values: (number | null)[]): number | null {
  return values.reduce<number | null>(
    (all, value) => (all === null || value === null ? null : all + value),
    0,
  );
}
