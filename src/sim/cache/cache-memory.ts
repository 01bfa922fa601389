/**
 * The memory of a model decides how far back a slot may go: full attention to any token, a sliding window only while
 * the tokens before the target are still there, a recurrent state nowhere without a checkpoint.
 */
export type MemoryKind = { kind: 'full' } | { kind: 'sliding'; window: number } | { kind: 'recurrent' };

/**
 * One vocabulary for the three kinds: the `lowest` position whose state a slot still holds. To go on after
 * token n the memory must reach at least `window` positions back from n.
 */
export interface MemoryRules {
  readonly usesCheckpoints: boolean;
  readonly window: number;
  /** Lowest position held once `held` tokens are evaluated, `lowest` being the one before. */
  afterEvaluating(held: number, lowest: number): number;
  /** Lowest position held after a state of `held` tokens was put back from a checkpoint or from RAM. */
  afterRestoring(held: number): number;
}

/** Sliding-window layers are allocated in blocks of this many cells. */
const CELL_BLOCK = 256;

const lastPosition = (held: number) => Math.max(0, held - 1);

/** `numBatch` and `contextTokens` (num_ctx) size the cells that a sliding window keeps beyond its width. */
export function memoryRules(memory: MemoryKind, numBatch: number, contextTokens: number): MemoryRules {
  switch (memory.kind) {
    case 'full':
      return { usesCheckpoints: false, window: 0, afterEvaluating: () => 0, afterRestoring: () => 0 };
    case 'recurrent':
      return {
        usesCheckpoints: true,
        window: 0,
        afterEvaluating: lastPosition,
        afterRestoring: lastPosition,
      };
    case 'sliding': {
      const { window } = memory;
      const cells = Math.ceil(Math.min(contextTokens, window + numBatch) / CELL_BLOCK) * CELL_BLOCK;
      return {
        usesCheckpoints: true,
        window,
        // Old cells are overwritten only when there is no free one left.
        afterEvaluating: (held, lowest) => Math.max(lowest, held - cells),
        // A stored state carries no more than the window itself.
        afterRestoring: (held) => Math.max(0, held - window),
      };
    }
  }
}
