import type { ModelLoad } from '../../protocol/model.ts';

/**
 * How far a load is, 0 to 1: as memory grows where the engine says so, else by the time of an earlier load.
 * null = unknown, or longer than it should take.
 */
export function loadRatio(loading: ModelLoad | null, elapsedMs: number): number | null {
  if (!loading) return null;
  if (loading.progress !== undefined) return loading.progress;
  const { expectedMs } = loading;
  if (expectedMs === null || expectedMs <= 0 || elapsedMs >= expectedMs) return null;
  return elapsedMs / expectedMs;
}
