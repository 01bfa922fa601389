import type { EngineState, LoadedModel, Warmth } from '../../protocol/model.ts';
import { loadedModel } from './derive.ts';

/** `hot` = loaded, and the prompt of the open session is read; `lent` = it left the GPU for something else. */
export type ModelState = 'unknown' | 'cold' | 'loading' | 'warm' | 'hot' | 'lent';

export function modelState(engine: EngineState, name: string, warmth: Warmth | undefined): ModelState {
  if (engine.loading?.model === name) return 'loading';
  if (engine.status.kind !== 'running') return 'unknown';
  if (!loadedModel(engine, name)) return engine.lent?.model === name ? 'lent' : 'cold';
  return warmth?.state === 'hot' ? 'hot' : 'warm';
}

/**
 * The share of a loaded model that should be on the GPU and runs on the processor, 0 to 1: slower by far than all of it
 * on the GPU. Where there is none, nothing should be on it.
 */
export function spilledShare(
  { sizeBytes, vramBytes }: LoadedModel,
  { gpus }: Pick<EngineState, 'gpus'>,
): number {
  if (gpus?.length === 0 && vramBytes === 0) return 0;
  return sizeBytes <= 0 || vramBytes >= sizeBytes ? 0 : 1 - vramBytes / sizeBytes;
}
