import type { EngineState } from '../protocol/model.ts';

/** Nobody uses the GPU or waits for it, nothing is being loaded, and it is not left to other programs. */
export function nobodyWaits({
  lease,
  queue,
  loading,
  lent,
}: Pick<EngineState, 'lease' | 'queue' | 'loading' | 'lent'>): boolean {
  return lease === null && queue.length === 0 && loading === null && lent === null;
}
