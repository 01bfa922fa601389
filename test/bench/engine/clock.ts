/**
 * The prefill clock: what was predicted before a request was sent, from the ledger and the speed learnt so far, against
 * what the prompt then took by the engine's own count; before and after the machine changes its speed.
 */
import { createReadingRates } from '../../../src/host/models/reading-rates.ts';
import { reply, type SimOptions } from '../../../src/sim/index.ts';
import { World, type SessionView } from '../../helpers/host-world.ts';
import { Chance } from '../prefix/chance.ts';
import { quantile, round, type Part } from './figures.ts';

const model = 'qwen3.8:27b';
const share = 0.15;
/** Observations before the first prediction counts, also after the change. */
const learnt = 5;
const slowdown = 2.5;
const turnsPerSession = 12;

export async function benchClock(seed: number, prefills: number): Promise<Part> {
  const chance = new Chance(seed);
  const sim: SimOptions = {
    speed: 10,
    seed,
    models: [{ name: model, family: 'qwen3.8', bytes: 1e9, time: { noise: 0.05, depthFactor: 0.000_05 } }],
    script: ({ endpoint }) =>
      endpoint === 'generate' ? reply().text('.') : reply().withoutThinking().text('Yes.'),
  };
  const world = await World.start({ sim });
  try {
    const half = Math.ceil(prefills / 2) + learnt;
    const before = await misses(half, world, chance);
    world.sim.setSlowdown(slowdown);
    const after = await misses(half, world, chance);
    const within = (all: readonly number[]): number =>
      round(all.filter((miss) => Math.abs(miss) <= share).length / all.length, 3);
    return {
      title: 'prefill clock',
      figures: {
        clock_prefills: before.length + after.length,
        clock_within: Math.min(within(before), within(after)),
        clock_within_before: within(before),
        clock_within_after: within(after),
      },
      gates: [{ figure: 'clock_within', at: 'least', limit: 0.9 }],
      rows: [
        ['speed', 'prefills', 'p50 miss', 'p95 miss'],
        ...Object.entries({ before, after }).map(([name, all]) => {
          const sizes = all.map(Math.abs);
          const percent = (at: number): string => `${(100 * quantile(sizes, at)).toFixed(1)} %`;
          return [name, String(all.length), percent(0.5), percent(0.95)];
        }),
      ],
    };
  } finally {
    await world.close();
  }
}

/** By how much each prefill missed what was predicted of it: 0.1 = took a tenth longer. */
async function misses(count: number, world: World, chance: Chance): Promise<number[]> {
  const found: number[] = [];
  const rates = createReadingRates();
  let seen = 0;
  while (found.length < count - learnt) {
    const session = await world.openSession();
    for (let turn = 0; turn < turnsPerSession; turn += 1) {
      await session.ask(chance.paragraph(250 + chance.below(900)));
      const usage = lastUsage(session);
      const { promptTokens, promptMs, reading } = usage;
      const cached = reading?.predictedCached ?? null;
      if (promptTokens !== null && promptMs !== null && cached !== null && seen >= learnt) {
        const predicted = rates.of(model).predictMs({ tokens: promptTokens - cached, depth: cached });
        if (predicted !== null) found.push(promptMs / predicted - 1);
      }
      rates.learn(usage);
      seen += 1;
    }
  }
  return found;
}

function lastUsage(session: SessionView) {
  const usage = session.state.turns.at(-1)?.usage.at(-1);
  if (!usage) throw new Error('The turn has no request.');
  return usage;
}
