/** How far back a model's memory can go, and where the engine leaves checkpoints (docs/engine.md, Prompt cache). */

export type MemoryKind = { kind: 'full' } | { kind: 'sliding'; window: number } | { kind: 'recurrent' };

/** Runner settings that decide about it. */
export interface MemoryRules {
  memory: MemoryKind;
  /** num_batch. */
  batch: number;
  /** num_ctx. */
  context: number;
}

/** A state that was saved after so many tokens; `lowest` = the lowest position that it holds. */
interface Checkpoint {
  readonly tokens: number;
  readonly lowest: number;
}

/** What a slot can go back to along its tokens. */
export interface Reach {
  readonly lowest: number;
  readonly checkpoints: readonly Checkpoint[];
}

export const freshReach: Reach = { lowest: 0, checkpoints: [] };

const spacing = 8192;
const maxCheckpoints = 32;
/** Besides `num_batch`, a checkpoint lies this far before a prompt's end. */
const lastSplit = 4;
const cellBlock = 256;

const lastOf = (held: number): number => Math.max(0, held - 1);

/** Held after `held` tokens were evaluated. */
function afterEvaluating({ memory, batch, context }: MemoryRules, held: number, lowest: number): number {
  if (memory.kind === 'full') return 0;
  if (memory.kind === 'recurrent') return lastOf(held);
  const cells = Math.ceil(Math.min(context, memory.window + batch) / cellBlock) * cellBlock;
  return Math.max(lowest, held - cells);
}

/** Held after a saved state of `held` tokens was put back: from a checkpoint, or from the side cache. */
export function afterRestoring({ memory }: MemoryRules, held: number): number {
  if (memory.kind === 'full') return 0;
  return memory.kind === 'recurrent' ? lastOf(held) : Math.max(0, held - memory.window);
}

export interface Rewound {
  cached: number;
  reach: Reach;
}

/** What is found of a prompt that has `common` tokens in common with what is held; one token is always evaluated. */
export function goBack(reach: Reach, common: number, promptTokens: number, rules: MemoryRules): Rewound {
  const end = Math.max(0, promptTokens - 1);
  if (rules.memory.kind === 'full') return { cached: Math.min(common, end), reach: freshReach };
  const window = rules.memory.kind === 'sliding' ? rules.memory.window : 0;
  const needed = Math.max(0, common - window - (common < promptTokens ? 0 : 1));
  if (common > 0 && reach.lowest < needed) return kept(reach, common, end, reach.lowest);
  const checkpoint = reach.checkpoints.findLast(
    ({ tokens, lowest }) => tokens <= common + 1 && (lowest < needed || lowest === 0),
  );
  if (common === 0 || checkpoint === undefined) return { cached: 0, reach: freshReach };
  const { tokens, lowest } = checkpoint;
  const position = Math.min(common, tokens, Math.max(lowest + 1, tokens - 1));
  return kept(reach, position, end, afterRestoring(rules, tokens));
}

function kept(reach: Reach, position: number, end: number, lowest: number): Rewound {
  const checkpoints = reach.checkpoints.filter(({ tokens }) => tokens <= position + 1);
  return { cached: Math.min(position, end), reach: { lowest, checkpoints } };
}

/**
 * What a slot can go back to once a prompt was evaluated from `cached` on and a reply of `reply` tokens behind it.
 * `userStarts`: token positions where user messages begin; native families only.
 */
export function afterPrompt(
  reach: Reach,
  cached: number,
  promptTokens: number,
  reply: number,
  rules: MemoryRules,
  userStarts: readonly number[] = [],
): Reach {
  if (rules.memory.kind === 'full') return freshReach;
  let { checkpoints } = reach;
  let { lowest } = reach;
  const own = new Set<Checkpoint>();
  for (const tokens of splits(checkpoints, cached, promptTokens, rules.batch, userStarts)) {
    lowest = afterEvaluating(rules, tokens, lowest);
    const added = { tokens, lowest };
    checkpoints = [...thinned(checkpoints, own), added].slice(-maxCheckpoints);
    own.add(added);
  }
  return { lowest: afterEvaluating(rules, promptTokens + reply, lowest), checkpoints };
}

/** Where a checkpoint is taken while the prompt is evaluated, ascending. */
function splits(
  existing: readonly Checkpoint[],
  cached: number,
  promptTokens: number,
  batch: number,
  userStarts: readonly number[],
): number[] {
  const found = new Set<number>();
  const lastUser = userStarts.at(-1);
  let newest = existing.at(-1)?.tokens;
  for (const start of userStarts) {
    if (start < cached || start === 0 || start >= promptTokens) continue;
    if (start !== lastUser && newest !== undefined && start <= newest + spacing) continue;
    found.add(start);
    newest = start;
  }
  const nearEnd = Math.max(cached, promptTokens - batch);
  const last = promptTokens - Math.min(lastSplit, batch);
  if (nearEnd > 0 && nearEnd < promptTokens) found.add(nearEnd);
  if (last > cached && last > 0) found.add(last);
  return [...found].toSorted((a, b) => a - b);
}

/** Checkpoints of earlier requests stay only so far apart. */
function thinned(checkpoints: readonly Checkpoint[], own: ReadonlySet<Checkpoint>): Checkpoint[] {
  const result: Checkpoint[] = [];
  for (const checkpoint of checkpoints) {
    const before = result.at(-1);
    const tooClose = before !== undefined && checkpoint.tokens <= before.tokens + spacing;
    if (own.has(checkpoint) || !tooClose) result.push(checkpoint);
  }
  return result;
}
