/** `npm run mutate` on one small file of the house, with tests that reach it and with tests that do not. */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { isThorough } from '../helpers/thorough.ts';

const script = fileURLToPath(new URL('../../scripts/mutate.mjs', import.meta.url));

function mutate(...args: string[]): Promise<{ code: number; output: string }> {
  const { NODE_OPTIONS: _, VITEST: __, ...env } = process.env;
  return new Promise((resolve) => {
    execFile(process.execPath, [script, ...args], { env }, (error, stdout, stderr) => {
      resolve({ code: error ? 1 : 0, output: stdout + stderr });
    });
  });
}

const verdict = 'src/host/planning/verdict.ts';

test('The mutation run counts what the tests noticed in a seeded sample (audit-A14)', async () => {
  const tests = 'src/host/planning/verdict.test.ts';
  // No share is large enough for that.
  const { code, output } = await mutate(verdict, '--sample', '6', '--min', '101', '--tests', tests);
  expect(output).toMatch(/\d+ mutants in 1 files, 6 drawn with seed 1/);
  expect(output).toMatch(/tried 6 · killed [1-6] /);
  expect(code).toBe(1);
});

test.runIf(isThorough)('The mutation run says that tests which reach nothing notice nothing', async () => {
  const tests = 'src/engine/leases/gpu-queue.test.ts';
  const { code, output } = await mutate(verdict, '--sample', '3', '--tests', tests);
  expect(output).toMatch(/tried 3 · killed 0 \(0\.0 %\)/);
  expect(code).toBe(0);
});
