/**
 * The window in a real Chromium, a bare page with the same probes beside it. Needs the built app.
 *
 *   npm run bench:window -- [--quick] [--only stream|typing|growth|open|idle|memory]
 *
 * - stream: `painted_50`, `painted_200`, `painted_1000` (painted ÷ written tokens/s), `frame_over_bare` (p95 of the time
 *   between frames − the bare page's, in frames of 16.7 ms, the worst of the three rates), `first_painted_over_bare_ms`
 *   (the engine's first token to its first painted one − the bare page's), `drawn_formulas` and `drawn_diagrams` (in the
 *   answer that had the fewest: prose, lists, code, formulas and diagrams take turns in all of them);
 * - typing: `typing_over_bare`, key to painted frame while an answer comes, p95 ÷ p95;
 * - growth: `cpu_growth`, the main thread's time per token at 120 kB of an answer ÷ at 2 kB;
 * - open: `open_growth`, a click on a session until its end is painted, 100,000 items ÷ 100;
 * - idle: `idle_frames` by trace in ten seconds with nothing focused and no news from the engine;
 * - memory: `memory_growth`, the heap after 200 sessions were opened and closed ÷ before, when sixty had been;
 *   `objects_growth`, the page's own objects in it: what a session would leave behind is there, the browser's code is not.
 *
 * Exits with 1 when a gate fails.
 */
import { parseArgs } from 'node:util';
import { table } from '../helpers/table.ts';
import { holds, type Part } from './engine/figures.ts';
import { benchGrowth } from './window/growth.ts';
import { benchIdle } from './window/idle.ts';
import { benchMemory } from './window/memory.ts';
import { benchOpening } from './window/opening.ts';
import { openHouse, type House } from './window/pages.ts';
import { fillSessions } from './window/sessions.ts';
import { benchStream, benchTyping } from './window/stream.ts';

const { values } = parseArgs({
  options: { quick: { type: 'boolean', default: false }, only: { type: 'string' } },
});
const { quick, only } = values;

/** Each in a house of its own: what one leaves behind is none of another's business. */
const parts: Record<string, { filled: boolean; run: (house: House) => Promise<Part> }> = {
  stream: {
    filled: false,
    run: (house) => benchStream(house, quick ? { seconds: 6, rounds: 1 } : { seconds: 10, rounds: 3 }),
  },
  typing: { filled: false, run: (house) => benchTyping(house, 80, quick ? 1 : 3) },
  growth: { filled: false, run: (house) => benchGrowth(house, quick ? 1 : 3) },
  open: { filled: true, run: (house) => benchOpening(house, quick ? 7 : 15) },
  idle: { filled: false, run: (house) => benchIdle(house) },
  memory: { filled: true, run: (house) => benchMemory(house) },
};
const chosen = only === undefined ? Object.keys(parts) : [only];

const figures: Record<string, number> = {};
let passed = true;
for (const name of chosen) {
  const part = parts[name];
  if (!part) throw new Error(`There is no part ${name}.`);
  const house = await openHouse(part.filled ? fillSessions : undefined);
  try {
    const found = await part.run(house);
    Object.assign(figures, found.figures);
    console.log(`\n${found.title}\n\n${table(found.rows)}\n`);
    for (const gate of found.gates) {
      const ok = holds(gate, found.figures);
      passed &&= ok;
      console.log(
        `${ok ? 'ok  ' : 'FAIL'} ${gate.figure} ${String(found.figures[gate.figure])}, ${gate.at} ${String(gate.limit)}`,
      );
    }
  } finally {
    await house.close();
  }
}
console.log(JSON.stringify({ bench: 'window', figures }));
process.exitCode = passed ? 0 : 1;
