/** The benchmark's short form on every change: what Andiron sends must not make the engine read more than it has to. */
import { expect, it } from 'vitest';
import { gatesOf, holds } from '../bench/prefix/figures.ts';
import { familyNames, runPrefixBench } from '../bench/prefix/run.ts';

it(
  'reads no more than the best possible client, on every template family',
  { timeout: 900_000 },
  async () => {
    const { families, gates } = await runPrefixBench({ seed: 1, form: 'quick' });
    expect(families.map(({ family }) => family)).toEqual(familyNames);
    expect(gates.filter((gate) => !holds(gate))).toEqual([]);
  },
);

it('fails a gate whose figure is missed or missing', () => {
  const held = { excess: 1.02, reread_keep: 1.05, naive_least: 1.6 };
  expect(gatesOf(held, 'usual').every(holds)).toBe(true);
  for (const missed of [{ excess: 1.03 }, { reread_keep: 1.06 }, { naive_least: 1.5 }, { excess: NaN }]) {
    expect(gatesOf({ ...held, ...missed }, 'usual').filter((gate) => !holds(gate))).toHaveLength(1);
  }
});

it('holds the long form to its own limits, the head among them', () => {
  const held = { excess: 1.05, reread_keep: 1.1, head_tokens: 1800 };
  expect(gatesOf(held, 'full').every(holds)).toBe(true);
  for (const missed of [{ excess: 1.06 }, { reread_keep: 1.11 }, { head_tokens: 1801 }]) {
    expect(gatesOf({ ...held, ...missed }, 'full').filter((gate) => !holds(gate))).toHaveLength(1);
  }
});
