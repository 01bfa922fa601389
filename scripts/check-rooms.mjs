/**
 * Checks the import table (.dependency-cruiser.cjs). Run under the pinned Node: `npm run rooms`.
 * A cruise that quietly saw fewer modules than there are source files proves nothing, so that is an error too.
 */
import { cruiseSources } from './house/cruise.mjs';
import { filesIn } from './house/source-files.ts';

const sources = ['src', 'test'].flatMap((folder) => filesIn(folder, /(?<!\.css\.d)\.tsx?$/));
const { violations, modules, missed } = await cruiseSources(sources);

for (const { rule, from, to, cycle } of violations) {
  const path = cycle ? cycle.map((step) => step.name ?? step).join(' → ') : to;
  console.error(`${rule.name}: ${from} → ${path}`);
}
for (const path of missed) console.error(`not cruised: ${path}`);
console.log(`${modules} modules of ${sources.length} source files cruised, ${violations.length} violations`);
process.exitCode = violations.length + missed.length > 0 ? 1 : 0;
