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
 * - global_classes: class names that every file of the window can use, since no CSS module keeps them;
 * - module_faults: classes of a CSS module that nothing uses, and declarations beside one that are stale;
 * - classes_without_rule: names that elements are given and that no style sheet knows;
 * - rules_without_use: global class names of style sheets that no file of the window gives;
 * - physical_sides: left and right in style sheets, where a language that is written from the right has the other side;
 * - sizes_off_scale: sizes and line heights of type that are no token of styles/tokens.css;
 * - lines, renderer_lines: all lines of `src` and of the window without tests and gallery, for comparison alone.
 *
 * Each figure but these last is to be 0. `scripts/house/limits.json` says how far that is reached: the exit code is 1 where
 * a figure is above its limit, and where it is below, since the limit is then to be lowered.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { bagParameters } from './house/bags.ts';
import { classesWithoutRule, globalClasses, moduleFaults, rulesWithoutUse } from './house/classes.ts';
import { importCycles } from './house/cruise.mjs';
import { equalStems, undocumentedDependencies } from './house/lists.ts';
import { messageReaders } from './house/messages.ts';
import { forbiddenNames } from './house/names.ts';
import { danglingReferences } from './house/references.ts';
import { sizesOffScale } from './house/scale.ts';
import { physicalDeclarations } from './house/sides.ts';
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
  global_classes: globalClasses(),
  module_faults: moduleFaults(),
  classes_without_rule: classesWithoutRule(),
  rules_without_use: rulesWithoutUse(),
  physical_sides: physicalDeclarations(),
  sizes_off_scale: sizesOffScale(),
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
const linesOf = (paths) => paths.reduce((sum, path) => sum + read(path).split('\n').length - 1, 0);
const lines = linesOf(files);
const sheets = filesIn('src/renderer', /\.css$/);
const renderer_lines = linesOf([...files, ...sheets].filter((path) => path.startsWith('src/renderer/')));
const report = { ...figures, lines, renderer_lines, css_lines: linesOf(sheets) };
console.log(JSON.stringify({ house: report }));
process.exitCode = passed ? 0 : 1;
