/**
 * What is left of a turn's success when the model does something wrong in every third reply.
 *
 *   npm run bench:faults -- [--seed N] [--quick] [--only NUMBER]
 *
 * 200 tasks of at least four replies, each in a house of its own on a simulated engine. The scripted model knows the next
 * right step from the messages it is shown. Each reply, retries included, is faulty with a chance of 30 %, its kind drawn
 * evenly from ten; where a grammar is in force, from those that it cannot exclude, at the same rate. A wrong reply of the
 * kind "same reply six times" comes again as long as the prompt is the same, whatever the seed. Every fourth model calls
 * itself small, so that all of its replies come under grammars with names of files and patterns in them: its only fault is
 * an engine that refuses them, and each of them again whenever it comes.
 *
 * - fault_rate: as measured, faulty replies ÷ replies;
 * - success: share of the tasks that succeed without faults and also succeed with them;
 * - success_small: the same of the small models alone;
 * - naive: the same for a plain loop, on the same draws, without the small models: it asks for no grammar.
 *
 * A task succeeds when files and answer are right and the turn finished. Exits with 1 when `success` is below 0.98.
 */
import { parseArgs } from 'node:util';
import { runFaultsTask, type TaskResult } from './faults/run.ts';
import { figuresOf, leastSuccess, tablesOf } from './faults/table.ts';

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
const passed = figures['clean'] !== 0 && (figures['success'] ?? 0) >= leastSuccess;
console.log(tablesOf(results));
console.log(`\n${passed ? 'ok  ' : 'FAIL'} success ${figures['success']}, at least ${leastSuccess}`);
console.log(JSON.stringify({ bench: 'faults', seed, figures }));
process.exitCode = passed ? 0 : 1;
