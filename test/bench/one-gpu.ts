/**
 * Twelve people on one simulated GPU: the owner at the window and eleven who write on another platform.
 *
 *   npm run bench:people -- [--seed N] [--quick] [--only line|leaks|budgets|kills|places]
 *
 * - line: `fairness` (longest wait in turns ÷ the people who wanted the GPU meanwhile), `owner_passed` (turns of others that
 *   began before the owner's, beyond the one that ran), `owner_wait_ratio` (p95 from the end of the turn that ran until the
 *   model writes ÷ the same while nobody else wants the GPU, the median of five rounds), whose that wait is (`owner_host_…` until
 *   the engine has the request, `owner_engine_…` from then on, `owner_read_most` tokens read for it, `owner_beside` requests of
 *   anybody else that the engine worked on meanwhile, such as for a title), `heads_reread` (beginnings read anew ÷ the fewest that any permitted order reads);
 * - leaks: `leaks` of so many tries to see what is another's: session, memory, file, event, rule;
 * - budgets: `budget_errors` at the edges of tokens and days, by what the engine really processed;
 * - kills: of the gateway under a real client: `lost` answers, `doubled` ones, conversations `astray`, turns `stuck`;
 * - places: `duplicate_places` of so many races for a new conversation.
 *
 * Exits with 1 when a gate fails.
 */
import { parseArgs } from 'node:util';
import { table } from '../helpers/table.ts';
import { holds, type Part } from './engine/figures.ts';
import { benchBudgets } from './people/budget-edges.ts';
import { benchGatewayKills } from './people/gateway-kills.ts';
import { benchLine } from './people/gpu-line.ts';
import { benchPlaces } from './people/place-races.ts';
import { benchLeaks } from './people/spying.ts';

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

const parts: Record<string, () => Promise<Part>> = {
  line: () => benchLine(seed, quick ? 120 : 500),
  leaks: () => benchLeaks(seed, quick ? 300 : 2_000),
  budgets: () => benchBudgets(seed, quick ? 30 : 200),
  kills: () => benchGatewayKills(seed, quick ? 15 : 100),
  places: () => benchPlaces(seed, quick ? 100 : 1_000),
};
const chosen = values.only === undefined ? Object.keys(parts) : [values.only];

// Nothing else keeps the process alive while a part waits for an event.
const alive = setInterval(() => undefined, 1_000);
const figures: Record<string, number> = {};
let passed = true;
for (const name of chosen) {
  const run = parts[name];
  if (!run) throw new Error(`There is no part ${name}.`);
  const part = await run();
  Object.assign(figures, part.figures);
  console.log(`\n${name}\n\n${table(part.rows)}\n`);
  for (const gate of part.gates) {
    const ok = holds(gate, part.figures);
    passed &&= ok;
    const { figure, at, limit } = gate;
    console.log(`${ok ? 'ok  ' : 'FAIL'} ${figure} ${String(part.figures[figure])}, ${at} ${String(limit)}`);
  }
}
clearInterval(alive);
console.log(JSON.stringify({ bench: 'people', seed, figures }));
process.exitCode = passed ? 0 : 1;
