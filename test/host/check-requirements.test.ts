/** `npm run check:requirements` over small projects with made-up reports. */
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';

const checker = fileURLToPath(new URL('../../scripts/check-requirements.mjs', import.meta.url));
const proof = '`test/one.test.ts` › works (A1)';

let root = '';
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'andiron-requirements-'));
  for (const folder of ['.cache', 'docs', 'resources', 'scripts', 'src', 'test'])
    mkdirSync(join(root, folder));
  write('test/one.test.ts', '');
});
afterEach(() => {
  rmSync(root, { recursive: true });
});

test('is content where every requirement is proved or deferred', async () => {
  await writeRows({ A1: proof });
  writeReport({ 'works (A1)': 'passed' });
  expect(await check()).toEqual({ code: 0, lines: ['384 requirements: 1 proved, 383 deferred, 0 failed'] });
});

test('names a requirement that has no row, two rows, or is none (audit-A15)', async () => {
  const ids = await allIds();
  writeDocument([...ids.filter((id) => id !== 'P24'), 'A2', 'Z1'].map((id) => [id, 'deferred: later']));
  writeReport({});
  expect(await check()).toEqual({
    code: 1,
    lines: [
      'Z1: is no requirement',
      'A2: has 2 rows',
      'P24: has no row',
      '384 requirements: 0 proved, 385 deferred, 3 failed',
    ],
  });
});

test.each([
  ['is not in the report', { 'works (A2)': 'passed' }, 'A1: no test "works (A1)" in test/one.test.ts'],
  ['failed', { 'works (A1)': 'failed' }, 'A1: "works (A1)" in test/one.test.ts: failed'],
  ['was skipped', { 'works (A1)': 'skipped' }, 'A1: "works (A1)" in test/one.test.ts: skipped'],
])('fails a row whose test %s', async (_, report, line) => {
  await writeRows({ A1: proof });
  writeReport(report);
  expect(await check()).toEqual({
    code: 1,
    lines: [line, '384 requirements: 0 proved, 383 deferred, 1 failed'],
  });
});

test('wants every test that a name finds to have passed, and every test of a row', async () => {
  await writeRows({
    A1: '`test/one.test.ts` › works',
    A2: '`test/one.test.ts` › works (A1) <br> `test/two.test.ts` › works (A1)',
  });
  writeReport({ 'works (A1)': 'passed', 'works (A2)': 'failed' });
  expect(await check()).toEqual({
    code: 1,
    lines: [
      'A1: "works (A2)" in test/one.test.ts: failed',
      'A2: no test "works (A1)" in test/two.test.ts',
      '384 requirements: 0 proved, 382 deferred, 2 failed',
    ],
  });
});

test('fails a row without a test, with a deferral without a reason, and with a place that is not there', async () => {
  await writeRows({ A1: '', A2: 'deferred:', A3: proof }, '`src/gone.ts`');
  writeReport({ 'works (A1)': 'passed' });
  const { code, lines } = await check();
  expect(code).toBe(1);
  expect(lines).toContain('A1: names no test and is not deferred');
  expect(lines).toContain('A2: names no test and is not deferred');
  expect(lines).toContain('A3: lives in src/gone.ts, which is not there');
});

test('reads nested names and names with the marks of a table as they are', async () => {
  await writeRows({ A1: '`test/one.test.ts` › a turn > writes \\| and \\*' });
  writeReport({ 'a turn writes | and *': 'passed' });
  expect((await check()).code).toBe(0);
});

test.each([
  ['no report', undefined],
  ['a report from before the newest source', 1],
])('runs the tests first where there is %s', async (_, startTime) => {
  await writeRows({ A1: proof });
  if (startTime) writeReport({ 'works (A1)': 'failed' }, startTime);
  writeTests({ 'works (A1)': 'passed' });
  expect(await check()).toEqual({
    code: 0,
    lines: [
      'The report of the tests is missing or older than the sources: running them first.',
      '384 requirements: 1 proved, 383 deferred, 0 failed',
    ],
  });
});

test('takes the report as it is as a stage of npm test, and fails where there is none', async () => {
  await writeRows({ A1: proof });
  writeTests({ 'works (A1)': 'passed' });
  expect(await check('--fresh')).toEqual({
    code: 1,
    lines: ['A1: the tests left no report', '384 requirements: 0 proved, 383 deferred, 1 failed'],
  });
  writeReport({ 'works (A1)': 'passed' }, 1);
  expect((await check('--fresh')).code).toBe(0);
});

function write(path: string, text: string): void {
  writeFileSync(join(root, path), text);
}

type Report = Readonly<Record<string, string>>;

function reportOf(statuses: Report, startTime: number): string {
  const assertionResults = Object.entries(statuses).map(([fullName, status]) => ({ fullName, status }));
  return JSON.stringify({
    startTime,
    testResults: [{ name: join(root, 'test', 'one.test.ts'), assertionResults }],
  });
}

function writeReport(statuses: Report, startTime = Date.now() + 1000): void {
  write('.cache/vitest.json', reportOf(statuses, startTime));
}

/** The project's `npm test`: it leaves such a report. */
function writeTests(statuses: Report): void {
  const report = JSON.stringify(reportOf(statuses, Date.now() + 1000));
  const file = JSON.stringify(join(root, '.cache', 'vitest.json'));
  write('scripts/test.mjs', `import { writeFileSync } from 'node:fs'; writeFileSync(${file}, ${report});`);
}

function writeDocument(rows: readonly (readonly [string, string])[], where = ''): void {
  const lines = rows.map(([id, test]) => `| ${id} | what it asks | ${where} | ${test} |`);
  write(
    'docs/requirements.md',
    ['| Id | What | Where | Test |', '| --- | --- | --- | --- |', ...lines].join('\n'),
  );
}

/** Every requirement, deferred unless `proofs` says what proves it. */
async function writeRows(proofs: Readonly<Record<string, string>>, where?: string): Promise<void> {
  const ids = await allIds();
  writeDocument(
    ids.map((id) => [id, proofs[id] ?? 'deferred: later']),
    where,
  );
}

/** The full list as the checker itself tells it when a document has no rows. */
async function allIds(): Promise<string[]> {
  write('docs/requirements.md', '');
  const { lines } = await check('--fresh');
  return lines.flatMap((line) => /^(.+): has no row$/.exec(line)?.[1] ?? []);
}

function check(...options: string[]): Promise<{ code: number; lines: string[] }> {
  return new Promise((resolve) => {
    execFile(process.execPath, [checker, '--root', root, ...options], (error, stdout, stderr) => {
      const lines = `${stderr}${stdout}`.split('\n').filter((line) => line !== '');
      resolve({ code: error ? Number(error.code) : 0, lines });
    });
  });
}
