/** Some of what `npm run chaos` does with every k; other ones each time. */
import { expect, test } from 'vitest';
import { campaign, everyStep, fewSteps } from '../chaos/faults/campaign.ts';
import { drawnBelow, isThorough } from '../helpers/thorough.ts';

test('whichever write, file call, spawn or piece of an answer fails: the session stays valid and says why', async () => {
  const offset = drawnBelow(1000);
  const fired = new Map<string, number>();
  const invalid: string[] = [];
  await campaign({
    stride: isThorough ? everyStep : fewSteps,
    offset,
    onRun(plan, outcome) {
      if (outcome.fired) fired.set(plan.edge, (fired.get(plan.edge) ?? 0) + 1);
      if (outcome.problems.length > 0) {
        invalid.push(`${JSON.stringify(plan)} at ${outcome.what}:\n${outcome.problems.join('\n')}`);
      }
    },
  });
  expect(invalid).toEqual([]);
  expect([...fired.keys()]).toEqual(['write', 'file', 'spawn', 'chunk']);
}, 1_800_000);
