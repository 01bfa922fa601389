/**
 * `npm test`: every check, even after one failed. Ends with `N passed, N failed, N skipped`: tests, with a failed check
 * counted as one more failure. What passed only on a second try is named. `--full` runs what is random ten times as long. Other arguments are vitest's, for example
 * `-- src/sim`.
 */
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { commandOf, root, run } from './node.mjs';

const isFull = process.argv.includes('--full');
const given = process.argv.slice(2).filter((argument) => argument !== '--full');

const mostSecondTries = 5;

// A part of the tests leaves the report of the last whole run alone: check:requirements reads that one.
const isPart = given.length > 0;
const counts = join(root, '.cache', isPart ? 'vitest-part.json' : 'vitest.json');
const tries = join(root, '.cache', 'second-tries.json');
rmSync(counts, { force: true });
rmSync(tries, { force: true });
mkdirSync(join(root, '.cache'), { recursive: true });

// What is as it was at the last look is not looked at again: a whole look takes half a minute of one core.
const kept = ['--cache', '--cache-strategy=content', `--cache-location=${join(root, '.cache', 'prettier')}`];
const format = {
  name: 'format',
  args: [commandOf('prettier'), '--check', '--log-level', 'warn', ...kept, '.'],
};
const checks = [
  { name: 'lint', args: [commandOf('oxlint'), '--type-aware', '--quiet'] },
  { name: 'types', args: [commandOf('typescript', 'tsc'), '-b'] },
  { name: 'rooms', args: [join(root, 'scripts', 'check-rooms.mjs')] },
  { name: 'house', args: [join(root, 'scripts', 'house.mjs')] },
];
const voice = { name: 'voice', args: [join(root, 'scripts', 'voice.mjs')] };
const build = { name: 'build', args: [commandOf('electron-vite'), 'build', '--logLevel', 'warn'] };
const tests = {
  name: 'tests',
  args: [
    commandOf('vitest'),
    'run',
    '--reporter=dot',
    '--reporter=json',
    '--reporter=./test/helpers/second-tries.ts',
    `--outputFile.json=${counts}`,
    ...given,
  ],
};
const requirements = {
  name: 'requirements',
  args: [join(root, 'scripts', 'check-requirements.mjs'), '--fresh'],
};

const env = {
  ANDIRON_SECOND_TRIES: tries,
  ...(process.stdout.isTTY ? {} : { NO_COLOR: '1' }),
  ...(isFull ? { ANDIRON_FULL: '1' } : {}),
};
const failedStages = [];

/** One after the other. */
async function runStages(...stages) {
  for (const { name, args } of stages) {
    const began = performance.now();
    const code = await run(args, { env });
    const seconds = ((performance.now() - began) / 1000).toFixed(1);
    console.log(`${code === 0 ? 'ok    ' : 'FAILED'} ${name} (${seconds} s)`);
    if (code !== 0) failedStages.push(name);
  }
}

// Linter and compiler take all cores, each of the others one: so both ways are about as long.
await Promise.all([runStages(build, format, voice), runStages(...checks)]);
await runStages(tests, ...(isPart ? [] : [requirements]));

if (isPart) console.log('skipped requirements: they need all tests');

if (!passesAtFirst()) failedStages.push('second tries');
const { passed, failed, skipped } = readCounts();
// The tests count themselves, unless they failed without a failing test (a broken file, an unhandled error).
const failedChecks = failedStages.filter((name) => name !== 'tests' || failed === 0);
if (failedStages.length > 0) console.log(`Failed: ${failedStages.join(', ')}`);
console.log(`${passed} passed, ${failed + failedChecks.length} failed, ${skipped} skipped`);
process.exitCode = failedStages.length > 0 ? 1 : 0;

/** A machine that is busy elsewhere is no fault, but what fails at first again and again is one. */
function passesAtFirst() {
  const again = readSecondTries();
  if (again.length === 0) return true;
  console.log(`${again.length} passed on the second try (at most ${mostSecondTries} may):`);
  for (const { test, file, error } of again) console.log(`  ${test} (${file}): ${error}`);
  return again.length <= mostSecondTries;
}

function readSecondTries() {
  try {
    return JSON.parse(readFileSync(tries, 'utf8'));
  } catch {
    // vitest did not get as far as writing it: its stage has failed.
    return [];
  }
}

function readCounts() {
  try {
    const report = JSON.parse(readFileSync(counts, 'utf8'));
    return {
      passed: report.numPassedTests,
      failed: report.numFailedTests,
      skipped: report.numPendingTests + report.numTodoTests,
    };
  } catch {
    // vitest did not get as far as writing it: its stage has failed.
    return { passed: 0, failed: 0, skipped: 0 };
  }
}
