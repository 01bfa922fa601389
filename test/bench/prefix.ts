/**
 * What Andiron makes the engine read, against the best that any client could do.
 *
 *   npm run bench:prefix -- [--seed N] [--quick | --full] [--family NAME]
 *
 * For every template family of the simulator the whole house (agent host, engine room, real tools on a temporary
 * workspace) holds one scripted conversation; raw clients replay it, turn about, each on an engine of its own:
 *
 * - best possible client: same messages, same `tools` field; of the four ways to treat the model's own past (echo
 *   thinking or not × send the text beside a call or not) the one that turns out cheapest; a constrained reply stays as
 *   the model wrote it;
 * - plain: append-only, thinking dropped;
 * - naive: keeps everything, and has the clock in its system message (not in `--full`).
 *
 * `--full` is 60 turns with plans, subagents, goal anchors, a stop, a changed flag, a restart and a summary, and a table
 * of every re-read with the step that made it. `head_tokens` is the head of the family of `reread_keep`.
 *
 * Evaluated tokens are the simulator's own count. "Within a turn" are all requests of a turn but its first, plans and
 * subagents included. `excess`, `naive` and `plain` are ratios to the best possible client within turns, of the worst
 * family. The first request of a turn, and a summary, also pay for what the template forgets at a new user message;
 * that is in `excess_of_all` (told, not gated), `waited` and `reread`. "Strictly new" is defined in
 * prefix/strictly-new.ts.
 *
 * `guided_opening` and `guided_step` are what one request of a model costs that is led through its turns, and
 * `guided_waited` is what its turns cost beside those of one that is asked under a grammar without openings.
 *
 * Exits with 1 when a gate fails.
 */
import { parseArgs } from 'node:util';
import { measureGuided } from './prefix/guided.ts';
import { measureBeside } from './prefix/lane.ts';
import { familyNames, resultOf } from './prefix/run.ts';
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

const { families, figures, gates, passed } = resultOf(await measureBeside(names, seed, form), form);
if (form === 'full') console.log(rereadsOf(families));
console.log(tablesOf(families));
console.log(gateLines(gates));
const guided = form === 'quick' || values.family !== undefined ? {} : await measureGuided(seed);
console.log(JSON.stringify({ bench: 'prefix', form, seed, figures: { ...figures, ...guided } }));
process.exitCode = passed ? 0 : 1;
