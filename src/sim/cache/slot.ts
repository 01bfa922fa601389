import { addCheckpoint, type Checkpoint } from './checkpoints.ts';
import { commonPrefix } from './common-prefix.ts';
import type { MemoryRules } from './cache-memory.ts';

/** Everything a slot remembers, as it also travels to the side cache and back. */
export interface SlotState {
  readonly tokens: readonly number[];
  readonly checkpoints: readonly Checkpoint[];
}

/**
 * How a slot found the start of a prompt: `kept` = went on from the last common token, `checkpoint` = went
 * back to an older one, `nothing` = no common token, or no checkpoint old enough.
 */
export interface Reuse {
  readonly how: 'kept' | 'checkpoint' | 'nothing';
  /** Tokens the prompt has in common with what the slot held. */
  readonly common: number;
  /** Tokens that need no evaluation; at least one token of a prompt always does. */
  readonly cached: number;
}

/** One slot of the runner: a token sequence, the checkpoints along it and the reach of its memory. */
export class Slot {
  readonly id: number;
  readonly #rules: MemoryRules;
  #tokens: number[] = [];
  #checkpoints: Checkpoint[] = [];
  #lowest = 0;

  /** Set while a request runs in it. */
  busy = false;
  /** Order of the last release; 0 = never used. */
  lastUsed = 0;

  constructor(id: number, rules: MemoryRules) {
    this.id = id;
    this.#rules = rules;
  }

  get tokens(): readonly number[] {
    return this.#tokens;
  }

  get checkpoints(): readonly Checkpoint[] {
    return this.#checkpoints;
  }

  state(): SlotState {
    return { tokens: this.#tokens.slice(), checkpoints: this.#checkpoints.slice() };
  }

  /** Takes over a state from the side cache. */
  load(state: SlotState): void {
    this.#tokens = state.tokens.slice();
    this.#checkpoints = state.checkpoints.slice();
    this.#lowest = this.#rules.afterRestoring(this.#tokens.length);
  }

  /** Keeps what `prompt` shares with the held tokens, as far as this kind of memory can go back to it. */
  reuse(prompt: readonly number[]): Reuse {
    const common = commonPrefix(this.#tokens, prompt);
    const { how, position } = this.#goBackTo(common, prompt.length);
    this.#checkpoints = this.#checkpoints.filter((checkpoint) => checkpoint.tokens <= position + 1);
    const cached = Math.min(position, prompt.length - 1);
    this.#tokens.length = cached;
    return { how, common, cached };
  }

  /** Adds evaluated tokens. */
  append(tokens: readonly number[]): void {
    for (const token of tokens) this.#tokens.push(token);
    this.#lowest = this.#rules.afterEvaluating(this.#tokens.length, this.#lowest);
  }

  /** Saves the present state for later requests. */
  takeCheckpoint(request: number): void {
    this.#checkpoints = addCheckpoint(this.#checkpoints, {
      tokens: this.#tokens.length,
      lowest: this.#lowest,
      request,
    });
  }

  #goBackTo(common: number, promptLength: number): { how: Reuse['how']; position: number } {
    // A prompt that is held as a whole must leave one token to evaluate, so the memory must reach one deeper.
    // Within the first window `needed` is 0, which no memory is below: the engine then wants a checkpoint too.
    const spare = common < promptLength ? 0 : 1;
    const needed = Math.max(0, common - this.#rules.window - spare);
    if (common > 0 && this.#lowest < needed) return { how: 'kept', position: common };

    const checkpoint = this.#checkpoints.findLast(
      ({ tokens, lowest }) => tokens <= common + 1 && (lowest < needed || lowest === 0),
    );
    if (common === 0 || checkpoint === undefined) {
      this.#lowest = 0;
      return { how: 'nothing', position: 0 };
    }
    this.#lowest = this.#rules.afterRestoring(checkpoint.tokens);
    // The engine goes on from the checkpoint's last position; where more than that one position was held
    // (sliding window) it therefore evaluates the last token of the checkpoint again.
    const position = Math.min(
      common,
      checkpoint.tokens,
      Math.max(checkpoint.lowest + 1, checkpoint.tokens - 1),
    );
    return { how: 'checkpoint', position };
  }
}
