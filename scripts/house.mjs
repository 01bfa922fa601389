/**
 * `npm run house`: how well the sources keep the rules of this repository, in figures.
 *
 *   npm run house -- [--list FIGURE]
 *
 * - cycles: imports that lead back to where they began;
 * - functions_over_100, files_over_400: by their lines of code, in `src` without tests and gallery;
 * - dangling_references: what comments and documents cite and is not here;
 * - unused_exports: what only its own file uses;
 * - forbidden_names: declarations whose name is not the field's term;
 * - bag_parameters: parameters with more than twelve members, some of which do something, in more than three files;
 * - equal_stems: files that share their name with one of another folder, but for index, types, testing, entry and languages;
 * - message_readers: who reads a person's message and neither sends it, shows it nor looks up what it names, and who matches
 *   its words;
 * - undocumented_dependencies: packages without a reason in docs/dependencies.md;
 * - lines: all lines of `src` without tests and gallery, for comparison alone.
 *
 * Each figure but the last is to be 0. `scripts/house/limits.json` says how far that is reached: the exit code is 1 where
 * a figure is above its limit, and where it is below, since the limit is then to be lowered.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { bagParameters } from './house/bags.ts';
import { importCycles } from './house/cruise.mjs';
import { equalStems, undocumentedDependencies } from './house/lists.ts';
import { messageReaders } from './house/messages.ts';
import { forbiddenNames } from './house/names.ts';
import { danglingReferences } from './house/references.ts';
import { filesIn, productFiles, read } from './house/source-files.ts';
import { overlong, unusedExports } from './house/tools.ts';
import { root } from './node.mjs';

const { values } = parseArgs({ options: { list: { type: 'string' } } });
const limits = JSON.parse(readFileSync(join(root, 'scripts', 'house', 'limits.json'), 'utf8'));

const files = productFiles();
const found = {
  cycles: await importCycles(),
  functions_over_100: await overlong('max-lines-per-function', 100, files),
  files_over_400: await overlong('max-lines', 400, files),
  dangling_references: danglingReferences({
    sources: ['src', 'test', 'scripts'].flatMap((folder) => filesIn(folder, /\.(?:tsx?|mjs)$/)),
    documents: ['README.md', 'AGENTS.md', ...filesIn('docs', /\.md$/)],
  }),
  unused_exports: await unusedExports(),
  forbidden_names: forbiddenNames(files),
  bag_parameters: bagParameters(files),
  equal_stems: equalStems(files),
  message_readers: messageReaders(files),
  undocumented_dependencies: undocumentedDependencies(),
};

if (values.list !== undefined) for (const line of found[values.list] ?? []) console.log(line);

const figures = Object.fromEntries(Object.entries(found).map(([name, lines]) => [name, lines.length]));
let passed = true;
for (const [name, figure] of Object.entries(figures)) {
  const limit = limits[name] ?? 0;
  const isOk = figure === limit;
  passed &&= isOk;
  const remark = isOk
    ? ''
    : figure > limit
      ? `: more than ${limit}`
      : `: lower its limit in scripts/house/limits.json`;
  console.log(`${isOk ? 'ok  ' : 'FAIL'} ${name} ${figure}${remark}`);
}
const lines = files.reduce((sum, path) => sum + read(path).split('\n').length - 1, 0);
console.log(JSON.stringify({ house: { ...figures, lines } }));
process.exitCode = passed ? 0 : 1;
