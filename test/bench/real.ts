/**
 * What a small real model gets done in Andiron, and what it gets done in a plain loop.
 *
 *   OLLAMA_HOST=127.0.0.1:11434 npm run bench:real -- [--seed N] [--quick] [--only TASK] [--model NAME]
 *                                                     [--temperature T] [--out FILE]
 *
 * Every task is one message in a folder of its own: whole house, real engine, real tools, at most eight replies and two
 * minutes. Somebody at the window allows whatever stays in the folder. The plain loop has the same tools, model, load
 * plan and limits.
 *
 * - begun right: the first call is one that a person would find right;
 * - done: the check on files or answer holds, nothing else was touched, and the turn came to an end by itself.
 *
 * Without an engine at OLLAMA_HOST it says so in one line. Exits with 1 when less than half of the tasks are done.
 */
import { writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { realEngine, type RealEngine } from '../real/real-engine.ts';
import { runRealBench } from './real/run.ts';
import { figuresOf, header, leastDone, lineOf } from './real/table.ts';
import { makeTasks } from './real/tasks.ts';
import { WireTap } from './real/wire-tap.ts';

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    quick: { type: 'boolean', default: false },
    only: { type: 'string' },
    model: { type: 'string' },
    temperature: { type: 'string' },
    out: { type: 'string' },
  },
});
const seed = Number(values.seed);
if (!Number.isSafeInteger(seed)) throw new Error(`--seed needs a whole number, not ${values.seed}.`);

const engine = await engineHere();
const model = values.model ?? engine?.withTools ?? null;
if (engine === null) console.log('bench:real was skipped: no Ollama answers at OLLAMA_HOST.');
else if (model === null) console.log('bench:real was skipped: no model here can call tools.');
else await bench(engine.url, model);

async function engineHere(): Promise<RealEngine | null> {
  if ((process.env['OLLAMA_HOST'] ?? '') === '') return null;
  try {
    return await realEngine();
  } catch (error) {
    // Nobody listens there.
    if (error instanceof TypeError) return null;
    throw error;
  }
}

async function bench(url: string, model: string): Promise<void> {
  const { out, temperature } = values;
  const tasks = makeTasks(seed, { quick: values.quick, only: values.only });
  if (out !== undefined) await writeFile(out, '');
  const tap = out === undefined ? undefined : await WireTap.start(url);
  console.log(`${model}, seed ${seed}\n${header}`);
  try {
    const rows = await runRealBench({
      url,
      model,
      seed,
      tasks,
      temperature: temperature === undefined ? undefined : Number(temperature),
      out,
      tap,
      onTask: (row) => console.log(lineOf(row)),
    });
    const figures = figuresOf(rows);
    const { tasks: all = 0, done = 0 } = figures;
    const passed = done >= all * leastDone;
    console.log(`${passed ? 'ok  ' : 'FAIL'} done ${done} of ${all}, at least ${leastDone} of them`);
    console.log(JSON.stringify({ bench: 'real', seed, figures }));
    process.exitCode = passed ? 0 : 1;
  } finally {
    await tap?.close();
  }
}
