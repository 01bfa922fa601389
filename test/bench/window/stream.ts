/** Is every token painted as it comes, and does painting it cost a frame? Does a key get through meanwhile? */
import type { Sim } from '../../../src/sim/index.ts';
import { median, quantile, round, type Part } from '../engine/figures.ts';
import { askFor } from './answer.ts';
import type { House, Shown } from './pages.ts';
import { probeSeen, startProbe, untilPainted, type Seen } from './probe.ts';

const rates = [50, 200, 1_000] as const;
const frameMs = 1000 / 60;
/** Of one token of these answers, about what real ones have. */
const tokenBytes = 6;
/** Below the output limit of the profile, where an answer ends. */
const maxTokens = 8_000;

interface Lane extends Seen {
  /** What the engine wrote in a second, by its own account. */
  rawPerSecond: number;
  paintedPerSecond: number;
  /** Milliseconds from the engine's first token to its first painted one. */
  firstMs: number;
  formulas: number;
  diagrams: number;
}

export interface StreamOptions {
  seconds: number;
  /** Each runs both pages once at every rate. */
  rounds: number;
}

export async function benchStream(house: House, { seconds, rounds }: StreamOptions): Promise<Part> {
  const figures: Record<string, number> = {};
  const rows = [['tokens/s', 'page', 'written/s', 'painted/s', 'p50 ms', 'p95 ms', 'worst ms']];
  const over: number[] = [];
  const first: Record<'ours' | 'theirs', number[]> = { ours: [], theirs: [] };
  const drawn: Pick<Lane, 'formulas' | 'diagrams'>[] = [];
  for (const rate of rates) {
    const [ours, theirs]: [Lane[], Lane[]] = [[], []];
    for (let round = 0; round < rounds; round += 1) {
      ours.push(await lane(house.app, house.sim, rate, seconds));
      theirs.push(await lane(house.bare, house.sim, rate, seconds));
    }
    figures[`painted_${String(rate)}`] = round4(median(ours.map(share)));
    figures[`bare_painted_${String(rate)}`] = round4(median(theirs.map(share)));
    first.ours.push(...ours.map(({ firstMs }) => firstMs));
    first.theirs.push(...theirs.map(({ firstMs }) => firstMs));
    drawn.push(...ours);
    over.push((p95(ours) - p95(theirs)) / frameMs);
    rows.push(row(rate, 'Andiron', ours), row(rate, 'bare', theirs));
  }
  figures['frame_over_bare'] = round(Math.max(...over), 2);
  figures['first_painted_over_bare_ms'] = round(median(first.ours) - median(first.theirs), 1);
  figures['drawn_formulas'] = Math.min(...drawn.map(({ formulas }) => formulas));
  figures['drawn_diagrams'] = Math.min(...drawn.map(({ diagrams }) => diagrams));
  return {
    title: 'stream',
    figures,
    gates: [
      ...rates.map((rate) => ({ figure: `painted_${String(rate)}`, at: 'least' as const, limit: 0.99 })),
      { figure: 'frame_over_bare', at: 'most', limit: 1 },
      { figure: 'first_painted_over_bare_ms', at: 'most', limit: 20 },
      // An answer in which none is drawn measures less than people see.
      { figure: 'drawn_formulas', at: 'above', limit: 0 },
      { figure: 'drawn_diagrams', at: 'above', limit: 0 },
    ],
    rows,
  };
}

async function lane(shown: Shown, sim: Sim, rate: number, seconds: number): Promise<Lane> {
  const tokens = Math.min(rate * seconds, maxTokens);
  const written = timeWriting(sim);
  await shown.clear();
  await startProbe(shown.page, shown.selector, tokens - 1);
  await shown.ask(askFor([{ tokens, perSecond: rate }], tokenBytes));
  await untilPainted(shown.page, tokens - 1, seconds * 3_000 + 15_000);
  const seen = await probeSeen(shown.page);
  const { writtenMs, firstAt } = written();
  const drawn = await shown.page.evaluate(() => ({
    formulas: document.querySelectorAll('[role=log] math').length,
    diagrams: document.querySelectorAll('[role=log] [role=img] svg').length,
  }));
  await shown.rest();
  const painted = seen.lastToken - seen.firstToken;
  return {
    ...seen,
    ...drawn,
    rawPerSecond: ((tokens - 1) / writtenMs) * 1000,
    paintedPerSecond: (painted / seen.paintedMs) * 1000,
    firstMs: seen.firstPaintedAt - firstAt,
  };
}

interface Writing {
  /** From its first token to its newest one. */
  writtenMs: number;
  /** In milliseconds of the epoch. */
  firstAt: number;
}

/** Of the longest answer that the engine writes from now on: the agent's own side work is short. */
function timeWriting(sim: Sim): () => Writing {
  const answers = new Map<unknown, Writing & { tokens: number }>();
  const stop = sim.truth.listen(({ kind, request }) => {
    if (kind !== 'first-token' && kind !== 'token') return;
    const now = performance.timeOrigin + performance.now();
    const { firstAt, tokens } = answers.get(request) ?? { firstAt: now, tokens: 0 };
    answers.set(request, { firstAt, writtenMs: now - firstAt, tokens: tokens + 1 });
  });
  return () => {
    stop();
    const [longest] = [...answers.values()].toSorted((a, b) => b.tokens - a.tokens);
    if (!longest) throw new Error('The engine wrote nothing.');
    return longest;
  };
}

/** Keys pressed while an answer comes at 200 tokens/s: from the key to the frame that shows it. */
export async function benchTyping(house: House, keys: number, rounds: number): Promise<Part> {
  const [ours, theirs]: [number[], number[]] = [[], []];
  for (let round = 0; round < rounds; round += 1) {
    ours.push(...(await typed(house.app, keys)));
    theirs.push(...(await typed(house.bare, keys)));
  }
  const figures = {
    keys: ours.length,
    typing_over_bare: round(quantile(ours, 0.95) / quantile(theirs, 0.95), 3),
    typing_over_bare_p50: round(median(ours) / median(theirs), 3),
  };
  return {
    title: 'typing',
    figures,
    gates: [{ figure: 'typing_over_bare', at: 'most', limit: 1.5 }],
    rows: [
      ['page', 'keys', 'p50 ms', 'p95 ms'],
      ...[['Andiron', ours] as const, ['bare', theirs] as const].map(([name, all]) => [
        name,
        String(all.length),
        median(all).toFixed(1),
        quantile(all, 0.95).toFixed(1),
      ]),
    ],
  };
}

/** Between two keys of a quick typist. */
const keyEveryMs = 90;

async function typed(shown: Shown, keys: number): Promise<number[]> {
  const tokens = Math.ceil(((keys * keyEveryMs) / 1000 + 6) * 200);
  await shown.clear();
  await startProbe(shown.page, shown.selector, tokens - 1);
  await shown.ask(askFor([{ tokens, perSecond: 200 }], tokenBytes));
  await untilPainted(shown.page, 100, 30_000);
  await shown.focusField();
  for (let key = 0; key < keys; key += 1) {
    await shown.page.keyboard.press('ab cd ef'.charAt(key % 8), { delay: 5 });
    await shown.page.waitForTimeout(keyEveryMs);
  }
  const { keys: seen } = await probeSeen(shown.page);
  await shown.page.keyboard.press('ControlOrMeta+A');
  await shown.page.keyboard.press('Delete');
  await startProbe(shown.page, shown.selector, tokens - 1);
  await untilPainted(shown.page, tokens - 1, 60_000);
  await probeSeen(shown.page);
  await shown.rest();
  return seen;
}

const round4 = (value: number): number => round(value, 4);
const share = ({ paintedPerSecond, rawPerSecond }: Lane): number => paintedPerSecond / rawPerSecond;
const p95 = (lanes: readonly Lane[]): number => median(lanes.map(({ frames }) => quantile(frames, 0.95)));

function row(rate: number, page: string, lanes: readonly Lane[]): string[] {
  const frames = lanes.flatMap((lane) => lane.frames);
  return [
    String(rate),
    page,
    median(lanes.map(({ rawPerSecond }) => rawPerSecond)).toFixed(1),
    median(lanes.map(({ paintedPerSecond }) => paintedPerSecond)).toFixed(1),
    median(frames).toFixed(1),
    quantile(frames, 0.95).toFixed(1),
    Math.max(...frames).toFixed(0),
  ];
}
