/** From the click on a session until its end is painted, with 100 and with 100,000 items. */
import { median, quantile, round, type Part } from '../engine/figures.ts';
import type { House } from './pages.ts';
import { hundred, hundredThousand, lastWords } from './sessions.ts';

export async function benchOpening({ app }: House, rounds: number): Promise<Part> {
  const small: number[] = [];
  const large: number[] = [];
  // The first of each also warms what is made once.
  for (let round = 0; round <= rounds; round += 1) {
    const [one, other] = [await open(app.page, hundred), await open(app.page, hundredThousand)];
    if (round === 0) continue;
    small.push(one);
    large.push(other);
  }
  return {
    title: 'open',
    figures: { open_growth: round4(median(large) / median(small)) },
    gates: [{ figure: 'open_growth', at: 'most', limit: 1.25 }],
    rows: [
      ['items', 'p50 ms', 'p95 ms'],
      ...[['100', small] as const, ['100,000', large] as const].map(([items, all]) => [
        items,
        median(all).toFixed(1),
        quantile(all, 0.95).toFixed(1),
      ]),
    ],
  };
}

async function open(page: House['app']['page'], title: string): Promise<number> {
  const row = page.getByRole('list', { name: 'Sessions' }).getByRole('button', { name: title }).first();
  // The session before ends with the same words: they must have been gone in between.
  return row.evaluate(
    (button, words) =>
      new Promise<number>((resolve, reject) => {
        const before = [...document.querySelectorAll('[role=log] .prose')].at(-1);
        const tasks = new MessageChannel();
        const began = performance.now();
        tasks.port1.onmessage = () => {
          const log = document.querySelector('[role=log]');
          const last = [...document.querySelectorAll('[role=log] .prose')].at(-1);
          const isThere = last !== before && last?.textContent.includes(words) === true;
          if (isThere && last.getBoundingClientRect().top < (log?.getBoundingClientRect().bottom ?? 0)) {
            resolve(performance.now() - began);
          } else if (performance.now() - began > 20_000) reject(new Error('The end was never painted.'));
          else requestAnimationFrame(() => tasks.port2.postMessage(0));
        };
        (button as HTMLElement).click();
        requestAnimationFrame(() => tasks.port2.postMessage(0));
      }),
    lastWords,
  );
}

const round4 = (value: number): number => round(value, 4);
