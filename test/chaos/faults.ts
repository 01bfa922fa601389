/**
 * `node test/chaos/faults.ts [--quick]`: the k-th database write, file call, spawn and piece of an answer fails, for every
 * k, once and lastingly. `invalid` counts conversations that did not end valid, explained and usable.
 */
import { faultsPart } from './faults/part.ts';
import { gateLines, holds } from './report.ts';

const seed = Math.floor(Math.random() * 1000);
const { table, figures, gates, problems } = await faultsPart({
  seed,
  quick: process.argv.includes('--quick'),
});
for (const problem of problems) console.log(`! ${problem}`);
console.log(`${table}\n\n${gateLines(gates)}`);
console.log(JSON.stringify({ bench: 'faults', seed, figures }));
process.exitCode = gates.every(holds) ? 0 : 1;
