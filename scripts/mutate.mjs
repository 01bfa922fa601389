/**
 * `npm run mutate -- FILE…`: breaks the named files or folders on purpose, one small change at a time, and runs the tests
 * that reach the place. A mutant that no test notices is listed with its place.
 *
 *   --sample N     only N mutants, drawn by --seed (default 1)
 *   --tests A,B    only the tests that match these patterns; otherwise all quick tests
 *   --workers N    how many run at a time (default 2)
 *   --min PERCENT  ends with an error below this share of noticed mutants
 *
 * Stryker makes and runs the mutants. A change in what runs once at import is left out: it would need a process each.
 */
import { readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { Stryker } from '@stryker-mutator/core';
import { createInstrumenter } from '@stryker-mutator/instrumenter';
import { createInjector } from 'typed-inject';
import { root } from './node.mjs';
import { rank } from './mutation/sample.mjs';

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    sample: { type: 'string' },
    seed: { type: 'string', default: '1' },
    tests: { type: 'string' },
    workers: { type: 'string', default: '2' },
    min: { type: 'string', default: '0' },
  },
});
const files = [...new Set(positionals.flatMap(sourcesOf))].toSorted();
if (files.length === 0) {
  console.error('Name the files or folders to break: npm run mutate -- src/host/planning/todo-list.ts');
  process.exit(2);
}
if (options.tests) process.env.MUTATION_TESTS = options.tests;

const { maxRank, total, places } = await drawSample();
const began = performance.now();
const results = await new Stryker({
  mutate: places,
  testRunner: 'vitest',
  vitest: { configFile: 'scripts/mutation/vitest.config.ts', related: false },
  plugins: ['@stryker-mutator/vitest-runner', join(root, 'scripts', 'mutation', 'sample-checker.mjs')],
  checkers: ['sample'],
  sample: { seed: options.seed, maxRank, root },
  coverageAnalysis: 'perTest',
  ignoreStatic: true,
  concurrency: Number(options.workers),
  // One process runs all the tests, again and again.
  testRunnerNodeArgs: ['--max-old-space-size=6144'],
  // All tests run once before the first mutant; beside other work that takes its time.
  dryRunTimeoutMinutes: 60,
  timeoutMS: 5000,
  timeoutFactor: 2,
  reporters: ['json'],
  jsonReporter: { fileName: '.cache/mutation.json' },
  tempDirName: '.cache/mutation',
  // TypeScript 7 has no API that could read it, and nothing of it is needed to run the tests.
  tsconfigFile: 'none.json',
  ignorePatterns: ['docs/screens', 'out', 'dist', 'coverage', 'test/**/artifacts'],
  logLevel: 'warn',
  warnings: { unknownOptions: false },
  allowEmpty: true,
}).runMutationTest();
report(results.filter(isInSample));

/** Source files beneath a path from the root: TypeScript, without tests and what only tests import. */
function sourcesOf(path) {
  const from = resolve(root, path);
  const found = statSync(from).isDirectory()
    ? readdirSync(from, { recursive: true }).map((name) => join(from, name))
    : [from];
  return found
    .filter(
      (file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$|[\\/]testing(?:\.ts$|[\\/])|\.d\.ts$/.test(file),
    )
    .map((file) => relative(root, file).replaceAll('\\', '/'));
}

/**
 * How many mutants there are, the largest rank that is still in the sample, and the places of the sample. What lies
 * elsewhere is not broken at all: what tests reach is kept per test, and all of it would fill the memory.
 */
async function drawSample() {
  const silent = { isDebugEnabled: () => false, debug() {}, info() {}, warn() {} };
  const logger = { ...silent, trace() {}, error() {}, fatal() {} };
  const instrumenter = createInjector().provideValue('logger', logger).injectFunction(createInstrumenter);
  const sources = files.map((name) => ({
    name,
    content: readFileSync(join(root, name), 'utf8'),
    mutate: true,
  }));
  const { mutants } = await instrumenter.instrument(sources, {
    ignorers: [],
    excludedMutations: [],
    plugins: null,
    noHeader: true,
  });
  const ranked = mutants.map((mutant) => ({ mutant, rank: rank(mutant, options.seed) }));
  ranked.sort((a, b) => (a.rank < b.rank ? -1 : 1));
  const sample = ranked.slice(0, Number(options.sample ?? ranked.length));
  console.log(
    `${ranked.length} mutants in ${files.length} files, ${sample.length} drawn with seed ${options.seed}`,
  );
  const places = sample.map(({ mutant }) => placeOf(mutant));
  return { total: ranked.length, maxRank: sample.at(-1)?.rank ?? '', places: [...new Set(places)] };
}

/** As Stryker takes it: lines from 1, columns from 0. */
function placeOf({ fileName, location: { start, end } }) {
  return `${fileName}:${start.line + 1}:${start.column}-${end.line + 1}:${end.column}`;
}

function countFromZero({ line, column }) {
  return { line: line - 1, column: column - 1 };
}

/** Results count lines and columns from 1, mutants from 0. */
function isInSample({ fileName, location, replacement, mutatorName }) {
  const place = { start: countFromZero(location.start), end: countFromZero(location.end) };
  const name = relative(root, resolve(root, fileName));
  return rank({ fileName: name, location: place, replacement, mutatorName }, options.seed) <= maxRank;
}

function report(mutants) {
  const count = (...statuses) => mutants.filter(({ status }) => statuses.includes(status)).length;
  const unnoticed = mutants.filter(({ status }) => status === 'Survived' || status === 'NoCoverage');
  for (const { fileName, location, mutatorName, replacement, status } of unnoticed) {
    const place = `${relative(root, resolve(root, fileName))}:${location.start.line}:${location.start.column}`;
    const change = (replacement ?? '').replaceAll(/\s+/g, ' ').slice(0, 80);
    console.log(`${status === 'Survived' ? 'survived' : 'no test '} ${place} ${mutatorName} ${change}`);
  }
  const killed = count('Killed', 'Timeout');
  const share = (100 * killed) / (killed + unnoticed.length);
  const left = count('Ignored', 'CompileError', 'RuntimeError', 'Pending');
  const minutes = ((performance.now() - began) / 60_000).toFixed(1);
  console.log(
    `mutants ${total} · tried ${killed + unnoticed.length} · killed ${killed} (${share.toFixed(1)} %), ` +
      `${count('Timeout')} of them by never ending · survived ${count('Survived')} · no test ${count('NoCoverage')} · left out ${left} · ${minutes} min`,
  );
  rmSync(join(root, '.cache', 'mutation'), { recursive: true, force: true });
  process.exitCode = share >= Number(options.min) ? 0 : 1;
}
