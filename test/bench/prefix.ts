/**
 * What Andiron makes the engine read, against the best that any client could do (design 5, figures of the prompt).
 *
 *   npm run bench:prefix -- [--seed N] [--quick]
 *
 * For every template family of the simulator the whole house (agent host, engine room, real tools on a temporary
 * workspace) holds one scripted conversation; raw clients replay it, turn about, each on an engine of its own:
 *
 * - best possible client: same messages, same `tools` field; of the four ways to treat the model's own past (echo
 *   thinking or not × send the text beside a call or not) the one that turns out cheapest;
 * - plain: append-only, thinking dropped;
 * - naive: keeps everything, and has the clock in its system message.
 *
 * Evaluated tokens are the simulator's own count. "Within a turn" are all requests of a turn but its first: the
 * steps of the tool loop. `excess`, `naive` and `plain` are ratios to the best possible client within turns, of the
 * worst family. The first request of a turn also pays for what the template forgets at a new user message; that is
 * in `excess_of_all` (told, not gated), `waited` and `reread`. "Strictly new" is defined in prefix/strictly-new.ts.
 *
 * Exits with 1 when a gate fails.
 */
import { parseArgs } from 'node:util';
import { familyNames, measureFamily, resultOf } from './prefix/run.ts';
import { gateLines, rereadsOf, tablesOf } from './prefix/table.ts';

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    quick: { type: 'boolean', default: false },
    full: { type: 'boolean', default: false },
    family: { type: 'string' },
  },
});
const seed = Number(values.seed);
if (!Number.isSafeInteger(seed)) throw new Error(`--seed needs a whole number, not ${values.seed}.`);
const form = values.full ? 'full' : values.quick ? 'quick' : 'usual';
const names = familyNames.filter((name) => (values.family ?? name) === name);

const measured = [];
for (const name of names) measured.push(await measureFamily(name, seed, form));
const { families, figures, gates, passed } = resultOf(measured, form);
if (form === 'full') console.log(rereadsOf(families));
console.log(tablesOf(families));
console.log(gateLines(gates));
console.log(JSON.stringify({ bench: 'prefix', form, seed, figures }));
process.exitCode = passed ? 0 : 1;
