/**
 * Collections of files: read, found, fresh, forgotten, and out of the way of whoever waits.
 *
 *   npm run bench:collections -- [--files 2000] [--questions 200] [--pairs 50] [--seed N]
 *   npm run bench:collections -- --corpus DIR --questions FILE [--questions FILE …] --engine URL --model NAME
 *
 * The first form makes its files from the seed, a few of them documents, and reads them through the whole house with the
 * simulator behind it.
 *
 * - read_s: from adding the folder until all files are read;
 * - found_in_5_by_words: share of questions with words of their file that have a passage of it among the first five;
 *   `found_in_5`: the same of questions that share but parts of words with it. The simulator's vectors know nothing else;
 * - fresh: share of files that were changed or removed of which the next search tells it;
 * - left_behind: words that the index still has of a collection that was removed;
 * - stall_ms: pauses of the event loop of host, engine room and simulator together while files are read, 99 of 100;
 * - wait_ratio: p95 from `turn/start` to the first token while a collection is read or its vectors are made ÷ the same in a house
 *   without one, alternating, median of five blocks; `wait_median_ratio`: median of the ratios of each pair.
 *
 * The second form asks questions (JSON: `[{ question, file }]`) about any folder with a real engine and a model that makes
 * vectors there, by words and vectors together and by words alone.
 *
 * Exits with 1 when a gate of the first form fails.
 */
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { table } from '../helpers/table.ts';
import { measureReal } from './collections/real.ts';
import { measureFiles } from './collections/simulated.ts';
import { measureWaits } from './collections/wait.ts';
import { holds, round, type Gate } from './engine/figures.ts';

const { values } = parseArgs({
  options: {
    files: { type: 'string', default: '2000' },
    questions: { type: 'string', multiple: true, default: ['200'] },
    pairs: { type: 'string', default: '50' },
    seed: { type: 'string', default: '1' },
    corpus: { type: 'string' },
    engine: { type: 'string' },
    model: { type: 'string' },
  },
});
const seed = Number(values.seed);
if (!Number.isSafeInteger(seed)) throw new Error(`--seed needs a whole number, not ${values.seed}.`);

const { corpus, engine, model } = values;
const isReal = corpus !== undefined && engine !== undefined && model !== undefined;
if (!isReal && (corpus ?? engine ?? model) !== undefined)
  throw new Error('A corpus of your own needs all of --corpus, --questions, --engine and --model.');
process.exitCode = (await (isReal ? real(corpus, engine, model) : simulated())) ? 0 : 1;

/** Returns whether each gate holds. */
async function simulated(): Promise<boolean> {
  const [files, pairs, questions] = [Number(values.files), Number(values.pairs), Number(values.questions[0])];
  for (const number of [files, pairs, questions])
    if (!Number.isSafeInteger(number) || number < 1) throw new Error('Whole numbers only, from 1 on.');
  const measured = {
    ...(await measureFiles({ files, questions: Math.min(questions, files), seed })),
    ...(await measureWaits({ files, pairs, seed })),
  };
  const figures: Record<string, number> = Object.fromEntries(
    Object.entries(measured).map(([name, value]) => [name, round(value, 3)]),
  );
  const gates: Gate[] = [
    { figure: 'found_in_5_by_words', at: 'least', limit: 0.95 },
    { figure: 'found_in_5', at: 'least', limit: 0.9 },
    { figure: 'fresh', at: 'exactly', limit: 1 },
    { figure: 'left_behind', at: 'exactly', limit: 0 },
    { figure: 'stall_ms', at: 'most', limit: 50 },
    { figure: 'wait_ratio', at: 'most', limit: 1.05 },
  ];
  for (const gate of gates)
    console.log(
      `${holds(gate, figures) ? 'ok  ' : 'FAIL'} ${gate.figure} ${String(figures[gate.figure])}, at ${gate.at} ${String(gate.limit)}`,
    );
  console.log(JSON.stringify({ bench: 'collections', seed, figures }));
  return gates.every((gate) => holds(gate, figures));
}

async function real(folder: string, url: string, name: string): Promise<boolean> {
  const { figures, answers } = await measureReal(
    {
      url,
      model: name,
      corpus: resolve(folder),
      files: values.questions.map((file) => resolve(file)),
    },
    console.log,
  );
  console.log(
    table([
      ['questions', 'by', 'asked', 'first 5', 'first 1', 'even', 'odd', 'ms'],
      ...answers.map(({ questions, way, asked, in_5, in_1, even_in_5, odd_in_5, search_ms }) => [
        questions,
        way,
        asked,
        in_5.toFixed(3),
        in_1.toFixed(3),
        even_in_5.toFixed(3),
        odd_in_5.toFixed(3),
        search_ms.toFixed(0),
      ]),
    ]),
  );
  console.log(JSON.stringify({ bench: 'collections', model: name, figures, answers }));
  return true;
}
