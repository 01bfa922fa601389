/**
 * The engine room against the simulated engine with noise on, a raw client beside it. The simulator's own
 * delays run ten times faster, ours are real.
 *
 *   npm run bench:engine -- [--seed N] [--quick] [--only stops|loads|warm|ttft|fit|clock]
 *
 * - stops: `stop_ratio`, `stop_text_ratio` (p95 ÷ a raw client's, click to close seen), lost slots and their cure, what a
 *   stop costs the engine and the next message;
 * - loads: `loads_per_model` over a hundred mixed requests, `naive_loads` beside it;
 * - warm: `warm_reread`, `waited` with and without warm-ups, what a send loses to one;
 * - ttft: `ttft_ratio` at a raw first token of one second;
 * - fit: the VRAM estimate against measured and published sizes, Ollama's own beside it;
 * - clock: share of the prefills predicted within 15 %, before and after the machine changes its speed.
 *
 * Exits with 1 when a gate fails.
 */
import { parseArgs } from 'node:util';
import { benchClock } from './engine/clock.ts';
import { table } from '../helpers/table.ts';
import { holds, type Part } from './engine/figures.ts';
import { benchFirstToken } from './engine/first-token.ts';
import { fitTable, measureFit, readFixtures } from './engine/fit.ts';
import { benchLoads } from './engine/loads.ts';
import { benchStops } from './engine/stops.ts';
import { benchWarmUps, warmTable } from './engine/warm.ts';

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    quick: { type: 'boolean', default: false },
    only: { type: 'string' },
  },
});
const seed = Number(values.seed);
if (!Number.isSafeInteger(seed)) throw new Error(`--seed needs a whole number, not ${values.seed}.`);
const { quick } = values;

/** Parts that bring their own table and gates. */
interface Ready {
  table: string;
  figures: Record<string, number>;
  passed: boolean;
}

const parts: Record<string, () => Promise<Part | Ready>> = {
  fit: async () => {
    const { rows, figures, passed } = measureFit(readFixtures());
    return { table: fitTable(rows), figures, passed };
  },
  loads: () => benchLoads(seed),
  ttft: () => benchFirstToken(seed, quick ? 8 : 40),
  clock: () => benchClock(seed, quick ? 40 : 200),
  warm: async () => {
    const { families, figures, passed } = await benchWarmUps({ seed, quick });
    return { table: warmTable(families), figures, passed };
  },
  stops: () => benchStops({ seed, pairs: quick ? 210 : 620, others: quick ? 40 : 390 }),
};
const chosen = values.only === undefined ? Object.keys(parts) : [values.only];

// Houses of the bench wait on events alone; nothing else keeps the process alive meanwhile.
const alive = setInterval(() => undefined, 1_000);
const figures: Record<string, number> = {};
let passed = true;
for (const name of chosen) {
  const run = parts[name];
  if (!run) throw new Error(`There is no part ${name}.`);
  const part = await run();
  Object.assign(figures, part.figures);
  console.log(`\n${name}\n`);
  if ('table' in part) {
    console.log(part.table);
    passed &&= part.passed;
    console.log(`\n${part.passed ? 'ok  ' : 'FAIL'} ${name}`);
    continue;
  }
  console.log(`${table(part.rows)}\n`);
  for (const gate of part.gates) {
    const ok = holds(gate, part.figures);
    passed &&= ok;
    const { figure, at, limit } = gate;
    console.log(`${ok ? 'ok  ' : 'FAIL'} ${figure} ${String(part.figures[figure])}, ${at} ${String(limit)}`);
  }
}
clearInterval(alive);
console.log(JSON.stringify({ bench: 'engine', seed, figures }));
process.exitCode = passed ? 0 : 1;
