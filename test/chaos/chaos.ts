/**
 * Everything that can break, broken on purpose, many times over.
 *
 *   npm run chaos -- [--quick] [--seed N] [--only kills|controls|faults|fuzz]
 *
 * - kills: the agent host dies by kill -9 at random and at chosen moments (mid-stream, mid-tool, mid-approval, as it
 *   writes, while it recovers), in a share of the worlds together with its server or through the death of it. A person
 *   notes what was acknowledged, each effect of a tool leaves a token of its own, and after every recovery all of it is
 *   compared with what is there. `lost_acknowledged` counts facts that a reply or an event had promised,
 *   `invalid_histories` what no model would accept or no person could read, `duplicated_effects` tokens and messages
 *   that are there twice, `orphans` processes that outlived their host. `not_full` counts connections to the database
 *   that say of themselves that they do not wait for the disk.
 * - controls (not with --quick): the same kills on builds with one mistake each; every mistake must be counted.
 * - faults: the k-th database write, file call, spawn and piece of an answer fails, for every k, once and lastingly.
 *   `invalid` counts conversations that did not end valid, explained and usable.
 * - fuzz: mutated streams of bytes through the reader of replies, see fuzz/.
 *
 * `recovery` is the median time from the exit of a host to the next one that is ready ÷ the start of a Node that does
 * nothing. Exits with 1 when a gate fails.
 */
import { parseArgs } from 'node:util';
import { faultsPart } from './faults/part.ts';
import { fuzzPart } from './fuzz/part.ts';
import { controlsPart } from './kills/controls.ts';
import { killsPart } from './kills/part.ts';
import { gateLines, holds, type Part, type PartOptions } from './report.ts';

const parts: Readonly<Record<string, (options: PartOptions) => Promise<Part>>> = {
  kills: killsPart,
  controls: controlsPart,
  faults: faultsPart,
  fuzz: fuzzPart,
};
const quickParts: ReadonlySet<string> = new Set(['kills', 'faults', 'fuzz']);

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    quick: { type: 'boolean', default: false },
    only: { type: 'string' },
  },
});
const seed = Number(values.seed);
if (!Number.isSafeInteger(seed)) throw new Error(`--seed needs a whole number, not ${values.seed}.`);
const isChosen = (name: string): boolean =>
  values.only === undefined ? !values.quick || quickParts.has(name) : values.only === name;
const chosen = Object.entries(parts).filter(([name]) => isChosen(name));
if (chosen.length === 0) throw new Error(`--only takes one of ${Object.keys(parts).join(', ')}.`);

const done: Part[] = [];
for (const [name, run] of chosen) {
  const part = await run({ seed, quick: values.quick });
  done.push(part);
  console.log(`${name}\n\n${part.table}\n`);
  for (const problem of part.problems) console.log(`! ${problem}`);
}
const gates = done.flatMap((part) => part.gates);
console.log(gateLines(gates));
const figures = Object.assign({}, ...done.map((part) => part.figures)) as Record<string, number>;
console.log(JSON.stringify({ bench: 'chaos', seed, figures }));
process.exitCode = gates.every(holds) ? 0 : 1;
