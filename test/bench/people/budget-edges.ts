/** Budgets at their edges, in tokens and in days, beside what the engine really processed. */
import { systemClock } from '../../../src/platform/clock.ts';
import type { Part } from '../engine/figures.ts';
import { Chance } from '../prefix/chance.ts';
import { Town, type Neighbour } from './town.ts';

const people = 4;

export async function benchBudgets(seed: number, cases: number): Promise<Part> {
  const chance = new Chance(seed);
  let now = systemClock.now();
  // Time stands still, so that an edge is met to the millisecond.
  const town = await Town.open(people, { clock: { ...systemClock, now: () => now } });
  const problems: string[] = [];
  const counts = { refused: 0, answered: 0, renewed: 0 };
  try {
    for (let n = 0; n < cases; n += 1) {
      const who = chance.pick(town.neighbours);
      const before = await town.person(who.name);
      const spare = chance.pick([-1, 0, 1, 2, 1_000_000]);
      const budget = Math.max(0, before.used + spare);
      await town.owner.rpc.call('people/update', { userId: who.userId, budget });
      const late = chance.below(3) === 0 ? chance.pick([-1, 0, 1]) : null;
      if (late !== null) now = before.resetAt + late;
      const isRenewed = late !== null && late >= 0;
      const used = isRenewed ? 0 : before.used;
      problems.push(...(await oneCase(n, who, { used, mayAsk: used < budget }, town, counts)));
      if (isRenewed) counts.renewed += 1;
    }
  } finally {
    await town.close();
  }
  for (const problem of problems.slice(0, 10)) console.log(problem);
  return {
    title: 'budgets',
    figures: { budget_cases: cases, budget_errors: problems.length, ...counts },
    gates: [
      { figure: 'budget_errors', at: 'exactly', limit: 0 },
      { figure: 'refused', at: 'above', limit: 0 },
      { figure: 'answered', at: 'above', limit: 0 },
      { figure: 'renewed', at: 'above', limit: 0 },
    ],
    rows: [
      ['answered', 'refused', 'begun anew'],
      [counts.answered, counts.refused, counts.renewed].map(String),
    ],
  };
}

async function oneCase(
  n: number,
  who: Neighbour,
  { used, mayAsk }: { used: number; mayAsk: boolean },
  town: Town,
  counts: { refused: number; answered: number },
): Promise<string[]> {
  const mark = `Case ${String(n)}.`;
  const asked = town.chats.length;
  const { status } = await town.send(who, mark);
  await town.world.rest();
  counts[status === 'answered' ? 'answered' : 'refused'] += 1;
  const requests = town.chats.slice(asked);
  const processed = requests.reduce((sum, { promptTokens, generated }) => sum + promptTokens + generated, 0);
  const after = await town.person(who.name);
  const problems: string[] = [];
  if ((status === 'answered') !== mayAsk) problems.push(`${mark} was ${status}`);
  if (requests.length > 0 !== mayAsk)
    problems.push(`${mark} asked the model ${String(requests.length)} times`);
  if (after.used !== used + processed)
    problems.push(`${mark} counts ${String(after.used)}, not ${String(used)} + ${String(processed)}`);
  return problems;
}
