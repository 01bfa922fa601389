/**
 * What is left of a turn's success when the model does something wrong in every third reply.
 *
 *   npm run bench:faults -- [--seed N] [--quick] [--only NUMBER]
 *
 * 200 tasks of at least four replies, each in a house of its own on a simulated engine. The scripted model knows the next
 * right step from the messages it is shown. A third of the models make native calls, a third work under grammars and open
 * their turns, and a third work under grammars and cannot open them. Each reply, openings and retries included, is faulty
 * with a chance of 30 %, its kind drawn evenly from ten; where a grammar is in force, from those that it cannot exclude, an
 * engine that refuses it among them, at the same rate. A wrong reply of the kind "same reply six times" comes again as long
 * as the prompt is the same, whatever the seed; a refused grammar is refused again whenever it comes.
 *
 * - fault_rate: as measured, faulty replies ÷ replies;
 * - success: share of the tasks that succeed without faults and also succeed with them;
 * - success_native, success_guided, success_constrained: the same of each kind of model;
 * - naive: the same for a plain loop, on the same draws, of the first kind: it asks for no grammar.
 *
 * A task succeeds when files and answer are right and the turn finished; an answer that was cut has a button to go on, and
 * whoever sits there presses it, twice at most. Exits with 1 when the success of any kind of model
 * is below 0.98, or when any task fails without faults.
 */
import { parseArgs } from 'node:util';
import { runFaultsTask, type TaskResult } from './faults/run.ts';
import { figuresOf, gatesOf, tablesOf } from './faults/table.ts';

const tasks = 200;
const quickTasks = 24;

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    quick: { type: 'boolean', default: false },
    only: { type: 'string' },
  },
});
const seed = Number(values.seed);
if (!Number.isSafeInteger(seed)) throw new Error(`--seed needs a whole number, not ${values.seed}.`);

const all = Array.from({ length: values.quick ? quickTasks : tasks }, (_, number) => number);
const chosen = values.only === undefined ? all : [Number(values.only)];

const results: TaskResult[] = [];
for (const number of chosen) results.push(await runFaultsTask(seed, number));

const figures = figuresOf(results);
const gates = gatesOf(results, figures);
const passed = gates.every(({ isKept }) => isKept);
console.log(`${tablesOf(results)}\n`);
for (const { name, isKept, least } of gates)
  console.log(`${isKept ? 'ok  ' : 'FAIL'} ${name} ${figures[name]}, at least ${least}`);
console.log(JSON.stringify({ bench: 'faults', seed, figures }));
process.exitCode = passed ? 0 : 1;
