/** The benchmark's short form on every change: what Andiron sends must not make the engine read more than it has to. */
import { expect, it } from 'vitest';
import { gatesOf, holds } from '../bench/prefix/figures.ts';
import { runPrefixBench } from '../bench/prefix/run.ts';

it('reads no more than the best possible client, on every template family', { timeout: 60_000 }, async () => {
  const { families, gates } = await runPrefixBench({ seed: 1, quick: true });
  expect(families.map(({ family }) => family)).toContain('qwen3.8');
  expect(gates.filter((gate) => !holds(gate))).toEqual([]);
});

it('fails a gate whose figure is missed or missing', () => {
  const held = { excess: 1.02, reread_keep: 1.05, naive_least: 1.6 };
  expect(gatesOf(held, false).every(holds)).toBe(true);
  for (const missed of [{ excess: 1.03 }, { reread_keep: 1.06 }, { naive_least: 1.5 }, { excess: NaN }]) {
    expect(gatesOf({ ...held, ...missed }, false).filter((gate) => !holds(gate))).toHaveLength(1);
  }
});
