/**
 * Search of sessions in a store of 100,000 messages and answers, and what else is done while it searches.
 *
 *   npm run bench:search -- [--items N] [--seed N] [--queries N]
 *
 * - p95_ms: from a window's question to its answer, 95 of 100: words and pieces of what was said, common and rare, in five
 *   scripts, and words that nobody said; `p50_ms` and `max_ms` of the same;
 * - short_p95_ms: the same for one and two letters, which are in no index: all is read, for half a second at most;
 * - host_stall_ms: longest pause of the host's event loop in five seconds while two windows search without a rest;
 *   `host_stall_p50_ms`: the median of its ten half-seconds, without what other programs did to the machine;
 * - stop_ratio: time from Stop to the stopped turn while a search reads everything ÷ without one, medians in one run;
 * - index_share: bytes of the index ÷ bytes of what is stored without it; open_ms: how long the store takes to open.
 *
 * Exits with 1 when `p95_ms` or `host_stall_ms` is above 20, or `stop_ratio` above 3.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { openReadOnly } from '../../src/host/store/sqlite.ts';
import { databaseFile } from '../../src/host/store/store.ts';
import { reply, rule, script } from '../../src/sim/index.ts';
import { fastFolder, World, type Window } from '../helpers/host-world.ts';
import { median, quantile, round } from './engine/figures.ts';
import { Draw, fillStore } from './search/fill.ts';

const most = { p95_ms: 20, host_stall_ms: 20, stop_ratio: 3 };

const { values } = parseArgs({
  options: {
    items: { type: 'string', default: '100000' },
    seed: { type: 'string', default: '1' },
    queries: { type: 'string', default: '600' },
  },
});
const [items, seed, queries] = [Number(values.items), Number(values.seed), Number(values.queries)];
for (const number of [items, seed, queries])
  if (!Number.isSafeInteger(number) || number < 1) throw new Error('Whole numbers only, from 1 on.');

const folder = mkdtempSync(join(fastFolder(), 'andiron-search-'));
const sim = { script: script([rule({}, reply().text('One moment').hang())]) };
const world = await World.start({ sim });
try {
  const draw = new Draw(seed);
  const said = fillStore(folder, items, draw);
  await world.changeDatabase(join(folder, databaseFile));
  const window = world.openWindow();
  // The thread is started by the first question.
  await ask(window, 'warm');
  const took = await times(window, () => piece(draw, said, 3, 24), queries);
  const short = await times(window, () => piece(draw, said, 1, 2), Math.ceil(queries / 10));
  const stalls = await longestPauses();
  const stops = await timesOfStops();
  const figures = {
    items,
    p50_ms: round(quantile(took, 0.5), 2),
    p95_ms: round(quantile(took, 0.95), 2),
    max_ms: round(Math.max(...took), 1),
    short_p95_ms: round(quantile(short, 0.95), 1),
    host_stall_ms: round(Math.max(...stalls), 1),
    host_stall_p50_ms: round(median(stalls), 1),
    stop_ratio: round(median(stops.searching) / median(stops.alone), 2),
    stop_ms: round(median(stops.alone), 1),
    ...(await sizes()),
  };
  let passed = true;
  for (const name of ['p95_ms', 'host_stall_ms', 'stop_ratio'] as const) {
    const isOk = figures[name] <= most[name];
    passed &&= isOk;
    console.log(`${isOk ? 'ok  ' : 'FAIL'} ${name} ${figures[name]}, most ${most[name]}`);
  }
  console.log(JSON.stringify({ bench: 'search', seed, figures }));
  process.exitCode = passed ? 0 : 1;
} finally {
  await world.close();
  rmSync(folder, { recursive: true, force: true });
}

async function ask({ rpc }: Window, query: string): Promise<number> {
  const began = performance.now();
  await rpc.call('session/search', { query });
  return performance.now() - began;
}

/** Some letters of what was said, from anywhere in it; one in ten is turned round, which nobody said. */
function piece(from: Draw, texts: readonly string[], min: number, max: number): string {
  for (;;) {
    const letters = Array.from(texts[from.between(0, texts.length - 1)] ?? '');
    const start = from.between(0, letters.length - 1);
    const taken = letters.slice(start, start + from.between(min, max));
    const query = (from.share() < 0.1 ? taken.toReversed() : taken).join('').trim();
    if (Array.from(query).length >= min) return query;
  }
}

async function times(window: Window, next: () => string, count: number): Promise<number[]> {
  const all: number[] = [];
  for (let asked = 0; asked < count; asked += 1) all.push(await ask(window, next()));
  return all;
}

/** While two windows ask one question after the other. */
/** The longest pause of each of ten half-seconds. */
async function longestPauses(): Promise<number[]> {
  const draw = new Draw(seed + 1);
  const texts = ['the quick brown fox', 'и не они', '的一是不了', 'のにはを'];
  const until = new AbortController();
  const asking = [1, 2].map(async () => {
    const window = world.openWindow();
    while (!until.signal.aborted) await ask(window, piece(draw, texts, 1, 5));
    window.rpc.close();
  });
  const longest: number[] = [];
  for (let span = 0; span < 10; span += 1) longest.push(await longestPauseWithin(500));
  until.abort();
  await Promise.all(asking);
  return longest;
}

async function longestPauseWithin(ms: number): Promise<number> {
  const began = performance.now();
  let longest = 0;
  for (let last = began; last - began < ms;) {
    await new Promise((resolve) => void setImmediate(resolve));
    const now = performance.now();
    longest = Math.max(longest, now - last);
    last = now;
  }
  return longest;
}

async function timesOfStops(): Promise<{ alone: number[]; searching: number[] }> {
  const all = { alone: [] as number[], searching: [] as number[] };
  const searcher = world.openWindow();
  const view = await world.openSession();
  for (let round = 0; round < 30; round += 1) {
    const kind = round % 2 === 0 ? 'alone' : 'searching';
    const turnId = await view.send('Go on.');
    await view.until(() => view.items('text').some((item) => item.turnId === turnId && item.text !== ''));
    // Nothing has these two letters, so everything is read.
    const searching = kind === 'searching' ? ask(searcher, '\u{2603}\u{2604}') : null;
    if (searching) await pause(20);
    const began = performance.now();
    await view.rpc.call('turn/stop', { sessionId: view.sessionId });
    await view.until(() => view.turn(turnId)?.status === 'stopped');
    all[kind].push(performance.now() - began);
    await searching;
    await view.closed(turnId);
  }
  return all;
}

async function sizes(): Promise<{
  store_mb: number;
  index_mb: number;
  index_share: number;
  open_ms: number;
}> {
  const before = performance.now();
  await world.restartHost();
  const open_ms = round(performance.now() - before, 0);
  const database = openReadOnly(join(world.dir, 'data', databaseFile));
  const all = Number(database.pragma('page_count')) * Number(database.pragma('page_size'));
  const index = database
    .query(
      "SELECT sum(pgsize) AS bytes FROM dbstat WHERE name LIKE 'search_%'",
      z.object({ bytes: z.number() }),
    )
    .get()?.bytes;
  database.close();
  const bytes = index ?? Number.NaN;
  return {
    store_mb: round(all / 1e6, 1),
    index_mb: round(bytes / 1e6, 1),
    index_share: round(bytes / (all - bytes), 2),
    open_ms,
  };
}
