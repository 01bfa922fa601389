/** The benchmark as a function: for the command line, and for the test that runs its short form. */
import { families as simulated } from '../../../src/sim/render/index.ts';
import { makeConversation } from './conversation.ts';
import {
  familyFigures,
  gatesOf,
  holds,
  overallFigures,
  policies,
  type FamilyFigures,
  type Gate,
} from './figures.ts';
import { measure } from './measure.ts';

const turns = 20;
/** One of each kind of work. */
const quickTurns = 5;

export interface PrefixResult {
  families: FamilyFigures[];
  figures: Record<string, number>;
  gates: Gate[];
  passed: boolean;
}

export async function runPrefixBench(options: { seed: number; quick: boolean }): Promise<PrefixResult> {
  const { seed, quick } = options;
  const conversation = makeConversation(seed, quick ? quickTurns : turns);
  const families: FamilyFigures[] = [];
  for (const name of simulated.keys()) {
    families.push(familyFigures(await measure(name, conversation, policies, seed)));
  }
  const figures = rounded(overallFigures(families));
  const gates = gatesOf(figures, quick);
  return { families, figures, gates, passed: gates.every(holds) };
}

function rounded(figures: Record<string, number>): Record<string, number> {
  return Object.fromEntries(Object.entries(figures).map(([name, value]) => [name, Number(value.toFixed(4))]));
}
