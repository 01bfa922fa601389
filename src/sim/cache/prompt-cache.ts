import { BatchPlan } from './checkpoints.ts';
import { commonPrefix } from './common-prefix.ts';
import { memoryRules, type MemoryKind, type MemoryRules } from './cache-memory.ts';
import { SideCache } from './side-cache.ts';
import { Slot, type Reuse } from './slot.ts';

export interface CacheOptions {
  memory: MemoryKind;
  /** num_batch; the runner gets it as both its logical and its physical batch size. */
  numBatch: number;
  /** OLLAMA_NUM_PARALLEL; 1 unless given. */
  slots?: number;
  /** num_ctx; limits what a sliding window keeps. Unlimited unless given. */
  contextTokens?: number;
  /** Size limit of the side cache; 8192 MiB unless given. */
  ramLimitBytes?: number;
  bytesPerToken: number;
  /** Size of one checkpoint; one window of tokens (sliding) or 16 MiB (recurrent) unless given. */
  checkpointBytes?: number;
}

export interface PromptHints {
  /** Token indexes where user messages start, ascending. Native paths only: rendered ones do not know them. */
  userStarts?: readonly number[];
}

export interface CacheStats {
  slots: { id: number; busy: boolean; tokens: number; checkpoints: number[] }[];
  sideCache: { bytes: number; entries: { tokens: number; bytes: number }[] };
}

const MIB = 1024 * 1024;
const DEFAULT_RAM_LIMIT = 8192 * MIB;
const RECURRENT_STATE = 16 * MIB;
/** A slot is chosen for its content only if more than this share of the prompt is found in it. */
const SIMILAR = 0.1;
/** A slot that would lose more than this share of what it holds is stored in the side cache first. */
const MOSTLY_KEPT = 0.5;

/**
 * What a llama-server remembers between requests, counted in tokens: slots, the reach of each kind of memory,
 * checkpoints and the side cache. It evaluates nothing and takes no time.
 */
export class PromptCache {
  readonly #options: CacheOptions;
  readonly #rules: MemoryRules;
  #slots: Slot[] = [];
  #sideCache: SideCache;
  #requests = 0;
  #releases = 0;

  constructor(options: CacheOptions) {
    const { memory, numBatch, contextTokens = Infinity } = options;
    this.#options = options;
    this.#rules = memoryRules(memory, numBatch, contextTokens);
    this.#sideCache = this.#emptySideCache();
    this.clear();
  }

  /** Whether `begin` has a slot to give. */
  get hasFreeSlot(): boolean {
    return this.#slots.some((slot) => !slot.busy);
  }

  /**
   * Chooses a slot for a prompt of at least one token and finds what can be reused. Throws when every slot
   * is busy: the caller queues requests, as Ollama does.
   */
  begin(prompt: readonly number[], hints: PromptHints = {}): Evaluation {
    if (prompt.length === 0) throw new Error('A prompt needs at least one token.');
    const { slot, replaced } = this.#choose(prompt);
    const { numBatch } = this.#options;
    const fromSideCache = replaced && this.#swap(slot, prompt);
    slot.busy = true;
    this.#requests += 1;
    return new Evaluation({
      slot,
      prompt,
      fromSideCache,
      reuse: slot.reuse(prompt),
      request: this.#requests,
      plan: new BatchPlan(prompt.length, numBatch, this.#rules.usesCheckpoints, hints.userStarts ?? []),
      release: () => {
        this.#releases += 1;
        slot.lastUsed = this.#releases;
        slot.busy = false;
      },
    });
  }

  /** Everything is lost: the model was unloaded or reloaded, or its runner died. Running evaluations are void. */
  clear(): void {
    const { slots = 1 } = this.#options;
    this.#slots = Array.from({ length: slots }, (_, id) => new Slot(id, this.#rules));
    this.#sideCache = this.#emptySideCache();
  }

  stats(): CacheStats {
    return {
      slots: this.#slots.map(({ id, busy, tokens, checkpoints }) => ({
        id,
        busy,
        tokens: tokens.length,
        checkpoints: checkpoints.map((checkpoint) => checkpoint.tokens),
      })),
      sideCache: { bytes: this.#sideCache.bytes, entries: [...this.#sideCache.entries] },
    };
  }

  /** The best match above the similarity threshold, else the slot that has been idle longest. */
  #choose(prompt: readonly number[]): { slot: Slot; replaced: boolean } {
    const free = this.#slots.filter((slot) => !slot.busy);
    let similar: Slot | undefined;
    let most = prompt.length * SIMILAR;
    for (const slot of free) {
      const common = commonPrefix(slot.tokens, prompt);
      if (common > most) {
        most = common;
        similar = slot;
      }
    }
    if (similar) return { slot: similar, replaced: most < similar.tokens.length * MOSTLY_KEPT };

    const [first, ...others] = free;
    if (first === undefined) throw new Error('Every slot is busy: wait until one is released.');
    const idlest = others.reduce((best, slot) => (slot.lastUsed <= best.lastUsed ? slot : best), first);
    return { slot: idlest, replaced: true };
  }

  /** Saves what the slot holds and loads a better stored state; true if there was one. */
  #swap(slot: Slot, prompt: readonly number[]): boolean {
    this.#sideCache.store(slot.state());
    const better = this.#sideCache.take(prompt, slot.tokens);
    if (better) slot.load(better);
    return better !== undefined;
  }

  #emptySideCache(): SideCache {
    const { memory, bytesPerToken, ramLimitBytes = DEFAULT_RAM_LIMIT, checkpointBytes } = this.#options;
    const usual = memory.kind === 'sliding' ? memory.window * bytesPerToken : RECURRENT_STATE;
    return new SideCache({
      limitBytes: ramLimitBytes,
      bytesPerToken,
      checkpointBytes: checkpointBytes ?? usual,
    });
  }
}

interface EvaluationParts {
  slot: Slot;
  prompt: readonly number[];
  reuse: Reuse;
  fromSideCache: boolean;
  request: number;
  plan: BatchPlan;
  release: () => void;
}

/** One request in its slot: batch by batch through the prompt, then token by token, then `end`. */
export class Evaluation {
  readonly #parts: EvaluationParts;
  #sampled: number | undefined;
  #ended = false;

  constructor(parts: EvaluationParts) {
    this.#parts = parts;
  }

  get slot(): number {
    return this.#parts.slot.id;
  }

  /** Tokens of the prompt found in the cache, before anything is evaluated. */
  get cached(): number {
    return this.#parts.reuse.cached;
  }

  /** How they were found: for the simulator's side channel. */
  get reuse(): Reuse & { fromSideCache: boolean } {
    return { ...this.#parts.reuse, fromSideCache: this.#parts.fromSideCache };
  }

  /** Tokens the slot holds now: the reused ones, the committed batches and the evaluated reply. */
  get held(): number {
    return this.#parts.slot.tokens.length;
  }

  /**
   * Sizes of the batches still to evaluate, one at a time: `commit` each before asking for the next. Leaving
   * the loop early is a cancel between batches.
   */
  *batches(): Generator<number, void, undefined> {
    while (this.#nextSize() > 0) {
      const before = this.held;
      yield this.#nextSize();
      if (this.held === before) throw new Error('Commit a batch before asking for the next one.');
    }
  }

  /** A batch of the size that `batches` gave is evaluated: its tokens are held from now on. */
  commit(batchTokens: number): void {
    const size = this.#nextSize();
    if (batchTokens !== size) throw new Error(`The next batch has ${size} tokens, not ${batchTokens}.`);
    const { slot, prompt, plan, request } = this.#parts;
    const start = this.held;
    const end = start + size;
    if (plan.takesCheckpoint(start, end, slot.checkpoints.at(-1))) slot.takeCheckpoint(request);
    slot.append(prompt.slice(start, end));
  }

  /** A token was sampled. It is evaluated, and so held, only when the next one is sampled. */
  generated(token: number): void {
    if (this.#nextSize() > 0) throw new Error('A token cannot be sampled before the prompt is evaluated.');
    if (this.#sampled !== undefined) this.#parts.slot.append([this.#sampled]);
    this.#sampled = token;
  }

  /** Done or cancelled: the slot is free and keeps what was evaluated. Calling it again does nothing. */
  end(): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#parts.release();
  }

  #nextSize(): number {
    if (this.#ended) throw new Error('This evaluation has ended.');
    const { slot, prompt, plan } = this.#parts;
    const start = this.held;
    return start < prompt.length ? plan.batchEnd(start, slot.checkpoints.at(-1)) - start : 0;
  }
}
