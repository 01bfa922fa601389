import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { PromptCache, type Evaluation } from '../../src/sim/cache/index.ts';
import { CANCELLED, FAMILIES, MOVES, type Family, type Move } from './cache-timings.moves.ts';

const NUM_BATCH = 1024;
const TOLERANCE = 5;

const truth =
  process.env['ENGINE_TRUTH'] ?? fileURLToPath(new URL('../../../shared/engine-truth', import.meta.url));
const file = `${truth}/timings.json`;
const recorded = existsSync(file);

const Keys = z.record(z.string(), z.unknown());
const Row = z.object({ prompt: z.number(), cached: z.number().optional(), evaluated: z.number().optional() });
const Cancel = z.object({
  cancel: z.object({ prompt: z.number(), cached: z.number(), kept_tokens: z.number() }),
  again: z.object({ prompt: z.number(), cached: z.number(), evaluated: z.number() }),
});

/** The recorded row of a move: its prompt length and the tokens that were found in the cache. */
function recordOf(family: unknown, move: Move): { prompt: number; cached: number } {
  let value: unknown = family;
  for (const key of move.record.split('.')) {
    value = Array.isArray(value) ? value.at(Number(key)) : Keys.parse(value)[key];
  }
  const { prompt, cached, evaluated } = Row.parse(value);
  return { prompt, cached: cached ?? prompt - (evaluated ?? Number.NaN) };
}

/** Plays one family's moves on the cache model with made-up tokens that have the stated counts in common. */
class Player {
  readonly #family: Family;
  readonly #cache: PromptCache;
  readonly #prompts = new Map<string, readonly number[]>();
  #nextToken = 0;

  constructor(family: Family) {
    this.#family = family;
    this.#cache = new PromptCache({
      memory: family.memory,
      numBatch: NUM_BATCH,
      contextTokens: 16_384,
      bytesPerToken: 20_480,
    });
  }

  /** Sends the move and stops before the first batch. */
  begin(move: Move): Evaluation {
    if (move.fresh === true) this.#cache.clear();
    return this.#cache.begin(this.#prompt(move), { userStarts: this.#family.userStarts?.[move.name] ?? [] });
  }

  /** Sends the move, evaluates and answers it; gives the tokens found in the cache. */
  play(move: Move): number {
    const evaluation = this.begin(move);
    for (const size of evaluation.batches()) evaluation.commit(size);
    this.generate(evaluation, move.predict);
    evaluation.end();
    return evaluation.cached;
  }

  generate(evaluation: Evaluation, count: number): void {
    for (const token of this.#fresh(count)) evaluation.generated(token);
  }

  #prompt(move: Move): readonly number[] {
    const known = this.#prompts.get(move.name);
    if (known) return known;
    const [length, common] = this.#family.counts[[...MOVES, CANCELLED].indexOf(move)] ?? [0, 0];
    const shared = this.#prompts.get(move.from ?? '')?.slice(0, common) ?? [];
    const prompt = [...shared, ...this.#fresh(length - shared.length)];
    this.#prompts.set(move.name, prompt);
    return prompt;
  }

  #fresh(count: number): number[] {
    return Array.from({ length: count }, () => (this.#nextToken += 1));
  }
}

describe('cache model against the timings of a real llama-server', () => {
  let families: Record<string, unknown> = {};
  const table = new Map<string, string[]>([['recorded, model, difference', Object.keys(FAMILIES)]]);

  beforeAll(() => {
    if (recorded) families = Keys.parse(JSON.parse(readFileSync(file, 'utf8')));
    else process.stdout.write(`cache timings: skipped, no records at ${file} (set ENGINE_TRUTH)\n`);
  });

  afterAll(() => {
    if (!recorded) return;
    for (const [move, cells] of table) {
      process.stdout.write(`${move.padEnd(28)}${cells.map((cell) => cell.padStart(16)).join('')}\n`);
    }
  });

  const note = (move: Move, expected: number, actual: number) => {
    const difference = actual - expected;
    const cells = table.get(move.name) ?? [];
    table.set(move.name, [...cells, `${expected} ${actual} ${difference > 0 ? '+' : ''}${difference}`]);
  };

  test('every family on record is modelled', () => {
    expect(Object.keys(families).toSorted()).toEqual(recorded ? Object.keys(FAMILIES).toSorted() : []);
  });

  test.each(Object.entries(FAMILIES))('%s finds what was found, within 5 tokens', (name, family) => {
    if (!recorded) return;
    const player = new Player(family);
    const far: string[] = [];
    MOVES.forEach((move, index) => {
      const row = recordOf(families[name], move);
      expect(row.prompt, `${move.name}: prompt`).toBe(family.counts[index]?.[0]);
      const cached = player.play(move);
      note(move, row.cached, cached);
      if (Math.abs(cached - row.cached) > TOLERANCE) far.push(`${move.name}: ${cached}, not ${row.cached}`);
    });
    expect(far).toEqual([]);
  });

  test.each(Object.entries(FAMILIES))(
    '%s finds everything up to the last finished batch again',
    (name, family) => {
      if (!recorded) return;
      const player = new Player(family);
      for (const move of MOVES) player.play(move);
      const row = Cancel.parse(Keys.parse(families[name])['cancel_in_prefill_then_same']);
      const kept = row.cancel.kept_tokens;

      const first = player.begin(CANCELLED);
      expect(Math.abs(first.cached - row.cancel.cached)).toBeLessThanOrEqual(TOLERANCE);
      for (const size of first.batches()) {
        // Stop at the batch whose end lies nearest to where the real one stopped.
        if (Math.abs(kept - first.held) <= Math.abs(kept - first.held - size)) break;
        first.commit(size);
      }
      // Some were cancelled only after the prompt, while they generated.
      if (kept > row.cancel.prompt) player.generate(first, kept - row.cancel.prompt + 1);
      first.end();
      const again = player.begin(CANCELLED);
      note(CANCELLED, row.again.cached, again.cached);
      // Of a finished prompt that is the checkpoint before its last 4 tokens.
      expect(again.cached).toBe(Math.min(first.held, row.cancel.prompt - 4));
      expect(Math.abs(again.cached - row.again.cached)).toBeLessThanOrEqual(TOLERANCE);
    },
  );
});
