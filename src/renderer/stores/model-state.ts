import type { EngineState, LoadedModel, Warmth } from '../../protocol/model.ts';
import { isOnHost } from '../../rules/model-names.ts';
import { loadedModel } from './derive.ts';

/**
 * `hot` = loaded, and the prompt of the open session is read; `lent` = it left the GPU for something else; `elsewhere` = on
 * another server, which loads and frees it by itself.
 */
export type ModelState = 'unknown' | 'cold' | 'loading' | 'warm' | 'hot' | 'lent' | 'elsewhere';

const none: ReadonlySet<string> = new Set();

/** @param hosts ids of the other servers; left out where the model is one of the installed */
export function modelState(
  engine: EngineState,
  name: string,
  warmth: Warmth | undefined,
  hosts: ReadonlySet<string> = none,
): ModelState {
  if (isOnHost(name, hosts)) return 'elsewhere';
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
