/** A saved state of a memory that cannot be rewound: what it was after the first `tokens` of a prompt. */
export interface Checkpoint {
  readonly tokens: number;
  /** Lowest position that the memory held when the checkpoint was taken. */
  readonly lowest: number;
  /** The request that took it: checkpoints of the running request are never thinned. */
  readonly request: number;
}

export const MAX_CHECKPOINTS = 32;
/** Checkpoints of earlier requests closer than this to an older one are dropped. */
const CHECKPOINT_SPACING = 8192;
/** Besides `num_batch` tokens before its end, a prompt is always split this many tokens before it. */
const LAST_SPLIT = 4;

/** Adds a checkpoint as llama-server does: first the older requests' ones are thinned, then the oldest go. */
export function addCheckpoint(existing: readonly Checkpoint[], added: Checkpoint): Checkpoint[] {
  const kept: Checkpoint[] = [];
  for (const checkpoint of existing) {
    const before = kept.at(-1);
    const tooClose = before !== undefined && checkpoint.tokens <= before.tokens + CHECKPOINT_SPACING;
    if (checkpoint.request === added.request || !tooClose) kept.push(checkpoint);
  }
  kept.push(added);
  return kept.slice(-MAX_CHECKPOINTS);
}

/** Where a prompt is cut into batches and which cuts deserve a checkpoint. */
export class BatchPlan {
  readonly #promptLength: number;
  readonly #numBatch: number;
  readonly #checkpoints: boolean;
  readonly #userStarts: ReadonlySet<number>;
  readonly #lastUserStart: number;

  /**
   * `userStarts`, ascending, are token indexes where user messages start; they and the cuts near the end of
   * the prompt count only for a memory that uses `checkpoints`.
   */
  constructor(promptLength: number, numBatch: number, checkpoints: boolean, userStarts: readonly number[]) {
    this.#promptLength = promptLength;
    this.#numBatch = numBatch;
    this.#checkpoints = checkpoints;
    this.#userStarts = new Set(userStarts);
    this.#lastUserStart = userStarts.at(-1) ?? -1;
  }

  /** End of the batch that begins at `start`; it stops early where the next one begins with a checkpoint. */
  batchEnd(start: number, newest: Checkpoint | undefined): number {
    const limit = Math.min(this.#promptLength, start + this.#numBatch);
    if (!this.#checkpoints) return limit;
    for (let end = start + 1; end < limit; end += 1) {
      const left = this.#promptLength - end;
      if (left === this.#numBatch || left === Math.min(LAST_SPLIT, this.#numBatch)) return end;
      if (this.#savesUserStart(end, newest)) return end;
    }
    return limit;
  }

  /** Whether the state at `start` is saved before the batch from there to `end` is evaluated. */
  takesCheckpoint(start: number, end: number, newest: Checkpoint | undefined): boolean {
    if (!this.#checkpoints || start === 0) return false;
    const nearTheEnd = this.#promptLength < end + this.#numBatch;
    return nearTheEnd || this.#savesUserStart(start, newest);
  }

  #savesUserStart(position: number, newest: Checkpoint | undefined): boolean {
    if (!this.#userStarts.has(position)) return false;
    if (position === this.#lastUserStart || newest === undefined) return true;
    return position > newest.tokens + CHECKPOINT_SPACING;
  }
}
