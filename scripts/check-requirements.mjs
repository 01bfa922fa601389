/**
 * `npm run check:requirements`: every requirement has a row in docs/requirements.md, and the test which that row names
 * ran and passed. Reads the report that `npm test` leaves; where there is none, or sources are newer, the tests run
 * first. `--fresh` takes the report as it is (the stage of `npm test`), `--root FOLDER` checks another checkout.
 */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { parseArgs } from 'node:util';
import { root as ownRoot, run } from './node.mjs';

const { values: options } = parseArgs({
  options: { root: { type: 'string', default: ownRoot }, fresh: { type: 'boolean', default: false } },
});
const at = (...path) => join(options.root, ...path);
const reportFile = at('.cache', 'vitest.json');

/** How many requirements each letter has: S counts the exact texts, X12 has letters for its invariants. */
const sizes = {
  A: 13,
  B: 13,
  C: 4,
  D: 12,
  E: 8,
  F: 11,
  G: 11,
  H: 6,
  I: 9,
  J: 4,
  K: 1,
  L: 3,
  M: 3,
  N: 4,
  O: 4,
  P: 24,
  Q: 22,
  S: 16,
  U: 12,
  W: 20,
  X: 11,
  Y: 17,
  // What trying Andiron found.
  'audit-S': 29,
  'audit-U': 24,
  'audit-A': 15,
  'audit-E': 10,
  'audit-N': 5,
  // The shell, read against Electron's own sources and documents.
  'desk-F': 21,
  'desk-P': 21,
  // Commands in a sandbox, one decision at a time, and undo that covers everything.
  'box-': 8,
  // The languages of the window.
  'lang-': 5,
};
const ids = [
  ...Object.entries(sizes).flatMap(([letter, size]) =>
    Array.from({ length: size }, (_, index) => `${letter}${index + 1}`),
  ),
  // The table of numbers and the list of events.
  'R',
  'T',
  ...Array.from('abcdefghijklmnop', (letter) => `X12 ${letter}`),
];

if (!options.fresh && isStale()) {
  console.log('The report of the tests is missing or older than the sources: running them first.');
  await run([at('scripts', 'test.mjs')], { cwd: options.root });
}

const tests = readTests();
const rows = readRows();
const failures = new Map();
const fail = (id, reason) => failures.set(id, [...(failures.get(id) ?? []), reason]);

let deferred = 0;
for (const { id, where, proof } of rows) {
  if (!ids.includes(id)) fail(id, 'is no requirement');
  for (const [, path] of where.matchAll(/`([^`]+)`/g)) {
    if (!existsSync(at(path))) fail(id, `lives in ${path}, which is not there`);
  }
  if (/^deferred: ./.test(proof)) deferred += 1;
  else for (const named of proof.split('<br>')) checkTest(id, named.trim());
}
for (const id of ids) {
  const count = rows.filter((row) => row.id === id).length;
  if (count !== 1) fail(id, count === 0 ? 'has no row' : `has ${count} rows`);
}

for (const [id, reasons] of failures) for (const reason of reasons) console.error(`${id}: ${reason}`);
const proved = rows.filter(({ id, proof }) => !failures.has(id) && !proof.startsWith('deferred:')).length;
console.log(`${ids.length} requirements: ${proved} proved, ${deferred} deferred, ${failures.size} failed`);
process.exitCode = failures.size > 0 ? 1 : 0;

/** `named` is a cell's part: the test file in backticks, an arrow, and a piece of the test's full name. */
function checkTest(id, named) {
  const [, path, name] = /^`([^`]+)` › (.+)$/.exec(named) ?? [];
  if (!path) return fail(id, 'names no test and is not deferred');
  if (!tests) return fail(id, 'the tests left no report');
  const found = tests.filter((test) => test.path === path && test.name.includes(plain(name)));
  if (found.length === 0) return fail(id, `no test "${name}" in ${path}`);
  for (const { name, status } of found) if (status !== 'passed') fail(id, `"${name}" in ${path}: ${status}`);
}

/** Every test of the report with its file, full name and status. */
function readTests() {
  return readReport()?.testResults.flatMap(({ name: file, assertionResults }) =>
    assertionResults.map(({ fullName, status }) => ({
      path: relative(options.root, file).replaceAll('\\', '/'),
      name: plain(fullName),
      status,
    })),
  );
}

/** Undefined where vitest did not get as far as writing one. */
function readReport() {
  return existsSync(reportFile) ? JSON.parse(readFileSync(reportFile, 'utf8')) : undefined;
}

/** Rows of every table of the document: id, what it asks, where it lives, what proves it. */
function readRows() {
  return readFileSync(at('docs', 'requirements.md'), 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('| ') && !/^\| (?:-|Id )/.test(line))
    .map((line) => line.split(/(?<!\\)\|/).map((cell) => cell.trim()))
    .map(([, id, , where = '', proof = '']) => ({ id, where, proof }));
}

/** Names as they compare: without markdown's escapes, nested names joined by spaces. */
function plain(name) {
  return name.replaceAll(/\\(?=[!-/:-@[-`{-~])/g, '').replaceAll(/ [>›] /g, ' ');
}

/** Against the start of the run: a file saved while the tests ran may not have been tested. */
function isStale() {
  const changed = ['src', 'test', 'resources'].flatMap((folder) =>
    readdirSync(at(folder), { recursive: true })
      .filter((path) => /\.\w+$/.test(path) && !/[\\/]artifacts[\\/]/.test(path))
      .map((path) => statSync(at(folder, path)).mtimeMs),
  );
  return !(Math.max(...changed) <= readReport()?.startTime);
}
