import type { EngineState } from '../protocol/model.ts';

/** Nobody uses the GPU or waits for it, nothing is being loaded, and it is not left to other programs. */
export function nobodyWaits(now: Pick<EngineState, 'lease' | 'queue' | 'loading' | 'lent'>): boolean {
  return now.lease === null && now.queue.length === 0 && now.loading === null && now.lent === null;
}
