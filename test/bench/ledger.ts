/**
 * Whether the ledger knows what the engine's cache holds, and names what made it read again.
 *
 *   npm run bench:ledger -- [--seed N] [--quick] [--family NAME]
 *
 * For every template family of the simulator conversations are held on its own rendering and cache code, once with room
 * beside the slot and once without. Into most steps one change is injected, of every cause that the family can show; what
 * the template does by itself counts too. The ledger is told what a host would know and the engine's counters, a tenth of
 * them without the cached count, as an older server gives them.
 *
 * - injected: changes after which at least 32 tokens were read again, of the worst family;
 * - named_right: share of them with the right cause and owner, of all families;
 * - append_steps: steps after which next to nothing was; blamed: those for which the ledger names a cause;
 * - cached_error: mean difference of predicted and found tokens, in points of the prompt, where it could be known before;
 * - ledger_over_scan: p95 of a prediction at 50,000 tokens ÷ comparing the same text once, unit by unit.
 *
 * Exits with 1 when a gate fails.
 */
import { parseArgs } from 'node:util';
import { everyFamily } from '../../src/sim/render/index.ts';
import { measureFamilies } from './ledger/run.ts';
import { ledgerOverScan } from './ledger/speed.ts';
import { figuresOf, gatesOf, gateLines, tablesOf } from './ledger/table.ts';

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    quick: { type: 'boolean', default: false },
    family: { type: 'string' },
  },
});
const seed = Number(values.seed);
if (!Number.isSafeInteger(seed)) throw new Error(`--seed needs a whole number, not ${values.seed}.`);
const names = [...everyFamily.keys()].filter((name) => (values.family ?? name) === name);

const overScan = ledgerOverScan(values.quick ? 30 : 200);
const measured = await measureFamilies(names, seed, values.quick);
const figures = figuresOf(measured, overScan);
const gates = gatesOf(figures, values.quick);
console.log(tablesOf(measured));
console.log(gateLines(gates));
console.log(JSON.stringify({ bench: 'ledger', seed, figures }));
process.exitCode = gates.every(({ holds }) => holds) ? 0 : 1;
