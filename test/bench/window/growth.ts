/** What one token costs the page's main thread at the beginning of an answer and at 120 kB of it. */
import type { CDPSession } from 'playwright-core';
import { median, round, type Part } from '../engine/figures.ts';
import { askFor } from './answer.ts';
import type { House, Shown } from './pages.ts';
import { probeSeen, startProbe, untilPainted } from './probe.ts';

const tokenBytes = 20;
/** The places in tokens: 2 kB and 120 kB. */
const places = [2_000 / tokenBytes, 120_000 / tokenBytes] as const;
/** How many tokens are watched from each place on, at this rate. */
const watched = 600;
const perSecond = 200;

export async function benchGrowth(house: House, rounds: number): Promise<Part> {
  const [ours, theirs]: [[number, number][], [number, number][]] = [[], []];
  for (let round = 0; round < rounds; round += 1) {
    ours.push(await costs(house.app));
    theirs.push(await costs(house.bare));
  }
  return {
    title: 'growth',
    figures: { cpu_growth: round(growth(ours), 3), bare_cpu_growth: round(growth(theirs), 3) },
    gates: [{ figure: 'cpu_growth', at: 'most', limit: 1.3 }],
    rows: [
      ['page', 'ms a token at 2 kB', 'at 120 kB'],
      ...[['Andiron', ours] as const, ['bare', theirs] as const].map(([name, all]) => [
        name,
        median(all.map(([small]) => small)).toFixed(3),
        median(all.map(([, large]) => large)).toFixed(3),
      ]),
    ],
  };
}

const growth = (all: [number, number][]): number => median(all.map(([small, large]) => large / small));

async function costs(shown: Shown): Promise<[number, number]> {
  const [small, large] = places;
  const session = await shown.page.context().newCDPSession(shown.page);
  await session.send('Performance.enable', { timeDomain: 'timeTicks' });
  const total = large + watched;
  const stretches = [
    { tokens: small + watched, perSecond },
    { tokens: large - small - watched, perSecond: 1_500 },
    { tokens: watched, perSecond },
  ];
  await shown.clear();
  await startProbe(shown.page, shown.selector, total - 1);
  await shown.ask(askFor(stretches, tokenBytes));
  const found: number[] = [];
  for (const place of places) {
    await untilPainted(shown.page, place, 120_000);
    const before = await taskMs(session, shown);
    await untilPainted(shown.page, place + watched - 20, 60_000);
    const after = await taskMs(session, shown);
    found.push((after.ms - before.ms) / (after.token - before.token));
  }
  await untilPainted(shown.page, total - 1, 60_000);
  await probeSeen(shown.page);
  await shown.rest();
  await session.detach();
  return [found[0] ?? Number.NaN, found[1] ?? Number.NaN];
}

/** What the main thread has worked so far, and how far the answer was painted then. */
async function taskMs(session: CDPSession, shown: Shown): Promise<{ ms: number; token: number }> {
  const token = await shown.page.evaluate(() => window.benchProbe.painted);
  const { metrics } = await session.send('Performance.getMetrics');
  const seconds = metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN;
  return { ms: seconds * 1000, token };
}
