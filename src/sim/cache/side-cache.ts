import { commonPrefix } from './common-prefix.ts';
import type { SlotState } from './slot.ts';

/** A stored state is worth loading only if the prompt would keep at least this share of it. */
const WORTH_LOADING = 0.25;

export interface SideCacheOptions {
  limitBytes: number;
  bytesPerToken: number;
  checkpointBytes: number;
}

interface Entry {
  readonly state: SlotState;
  readonly bytes: number;
}

/**
 * The runner's cache of whole conversations in main memory: slots that are about to be overwritten are stored here,
 * oldest first out, and a better match for a new prompt is taken from here.
 */
export class SideCache {
  readonly #options: SideCacheOptions;
  #entries: Entry[] = [];

  constructor(options: SideCacheOptions) {
    this.#options = options;
  }

  get bytes(): number {
    return this.#entries.reduce((sum, entry) => sum + entry.bytes, 0);
  }

  /** Tokens of each stored state, oldest first. */
  get entries(): readonly { tokens: number; bytes: number }[] {
    return this.#entries.map(({ state, bytes }) => ({ tokens: state.tokens.length, bytes }));
  }

  /** Stores a state unless it is empty, already contained in a stored one, or larger than the whole limit. */
  store(state: SlotState): void {
    const { tokens } = state;
    if (tokens.length === 0) return;
    const shared = this.#entries.map((entry) => commonPrefix(entry.state.tokens, tokens));
    if (shared.includes(tokens.length)) return;
    const { limitBytes, bytesPerToken, checkpointBytes } = this.#options;
    const bytes = tokens.length * bytesPerToken + state.checkpoints.length * checkpointBytes;
    if (bytes > limitBytes) return;

    this.#entries = this.#entries.filter((entry, index) => shared[index] !== entry.state.tokens.length);
    this.#entries.push({ state, bytes });
    while (this.bytes > limitBytes) this.#entries.shift();
  }

  /**
   * Removes and returns the stored state that beats `held`: more of the prompt found AND a larger share of
   * the state kept. Undefined when none does.
   */
  take(prompt: readonly number[], held: readonly number[]): SlotState | undefined {
    const heldCommon = commonPrefix(held, prompt);
    let bestCommon = heldCommon;
    let bestKeep = held.length > 0 ? heldCommon / held.length : -1;
    let best: Entry | undefined;
    for (const entry of this.#entries) {
      const { tokens } = entry.state;
      const common = commonPrefix(tokens, prompt);
      const keep = common / tokens.length;
      if (keep >= WORTH_LOADING && keep > bestKeep && common > bestCommon) {
        bestCommon = common;
        bestKeep = keep;
        best = entry;
      }
    }
    if (best !== undefined) this.#entries = this.#entries.filter((entry) => entry !== best);
    return best?.state;
  }
}
