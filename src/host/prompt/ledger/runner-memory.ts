/** What the engine's runner is believed to hold for one model: its slot, and the conversations that left it. */
import { afterRestoring, freshReach, goBack, type MemoryRules, type Reach } from './cache-reach.ts';
import type { RequestHistory } from './request-history.ts';

export interface Held {
  /** Of the request that left it; 0 = none of ours. */
  readonly request: number;
  /** Empty = another program's. */
  readonly session: string;
  readonly trail: RequestHistory;
  readonly reach: Reach;
}

/** How much of a prompt a trail has: whole pieces, and tokens. */
export interface Match {
  readonly pieces: number;
  readonly tokens: number;
  /** How many of them lie within the piece where they part; null = that is a guess. */
  readonly within: number | null;
}

export interface Found extends Match {
  /** null = nothing was held that helps. */
  readonly held: Held | null;
  readonly cached: number;
  /** What the slot could go back to, and can from there on. */
  readonly before: Reach;
  readonly reach: Reach;
  /** The conversations beside the slot, once this prompt has it. */
  readonly beside: readonly Held[];
}

/** A slot is gone on with when more than this share of the prompt is found in it. */
const similar = 0.1;
/** One that would lose more than this share is put aside first. */
const mostlyKept = 0.5;
/** A state put aside comes back if at least this share of it is kept. */
const worthLoading = 0.25;

export class RunnerMemory {
  slot: Held | null = null;
  beside: readonly Held[] = [];
  /** Counts reloads. */
  generation = 0;

  /** Everything is lost: unloaded, reloaded, or its process ended. */
  clear(): void {
    this.slot = null;
    this.beside = [];
    this.generation += 1;
  }

  /** What is found of a prompt. `limit`: tokens that fit beside the slot; null = unknown, so all. */
  find(
    promptTokens: number,
    matchWith: (held: Held) => Match,
    rules: MemoryRules,
    limit: number | null,
  ): Found {
    const { slot } = this;
    let best = slot;
    let match = slot ? matchWith(slot) : { pieces: 0, tokens: 0, within: null };
    let { beside } = this;
    const goesOn =
      slot !== null &&
      match.tokens > promptTokens * similar &&
      match.tokens >= slot.trail.tokens * mostlyKept;
    if (!goesOn) {
      beside = slot ? putAside(beside, slot, limit) : beside;
      let keep = slot && slot.trail.tokens > 0 ? match.tokens / slot.trail.tokens : -1;
      for (const held of beside) {
        if (held === slot) continue;
        const other = matchWith(held);
        const share = other.tokens / Math.max(1, held.trail.tokens);
        if (share < worthLoading || share <= keep || other.tokens <= match.tokens) continue;
        [best, match, keep] = [held, other, share];
      }
      if (best !== slot) beside = beside.filter((held) => held !== best);
    }
    if (best === null)
      return { ...match, held: null, cached: 0, before: freshReach, reach: freshReach, beside };
    const reach =
      best === slot
        ? best.reach
        : { ...best.reach, lowest: afterRestoring(rules, Math.round(best.trail.tokens)) };
    const rewound = goBack(reach, Math.round(match.tokens), Math.round(promptTokens), rules);
    return { ...match, held: best, beside, before: reach, ...rewound };
  }

  /** The prompt was evaluated: it has the slot now. */
  take(beside: readonly Held[], held: Held): void {
    this.beside = beside;
    this.slot = held;
  }
}

function putAside(beside: readonly Held[], held: Held, limit: number | null): readonly Held[] {
  if (held.trail.tokens === 0) return beside;
  const kept = beside.filter(({ trail }) => !isWithin(trail, held.trail));
  if (kept.some(({ trail }) => isWithin(held.trail, trail))) return kept;
  const all = [...kept, held];
  if (limit === null) return all;
  let sum = all.reduce((total, { trail }) => total + trail.tokens, 0);
  if (held.trail.tokens > limit) return kept;
  while (sum > limit) sum -= all.shift()?.trail.tokens ?? sum;
  return all;
}

function isWithin(inner: RequestHistory, outer: RequestHistory): boolean {
  if (inner.pieces.length > outer.pieces.length) return false;
  return inner.pieces.every((piece, at) => piece.key === outer.pieces[at]?.key);
}
