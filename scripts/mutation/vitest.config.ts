/**
 * The tests that mutants meet: the quick tiers, without browsers. `MUTATION_TESTS` names others, separated by commas.
 * The long random ones are left out, so a share found here is a lower bound.
 */
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

const root = fileURLToPath(new URL('../..', import.meta.url));
const chosen = process.env['MUTATION_TESTS']?.split(',');
const long = ['bench-*', 'exam', 'faults', 'fuzz-stream', 'model-based', 'sessions-histories', 'size-faults'];

export default defineConfig({
  root,
  resolve: { alias: { electron: `${root}test/helpers/electron-stub.ts` } },
  test: {
    isolate: false,
    environment: 'node',
    include: chosen ?? ['src/**/*.test.ts', 'test/host/**/*.test.ts'],
    exclude: [
      'src/renderer/**',
      'node_modules/**',
      // These look at the checkout or at built files, of which a mutant changes nothing that counts.
      'test/host/check-requirements.test.ts',
      'test/host/build-facts.test.ts',
      // It replaces lines of the source, which a mutated one no longer has.
      'test/host/chaos-controls.test.ts',
      // Its programs run as another user, to whom Stryker's copy is closed.
      'test/host/machine-faults.test.ts',
      // These set the mask of their process, which a thread cannot.
      'src/platform/umask.test.ts',
      'src/platform/private-data.test.ts',
      ...(chosen ? [] : long.map((name) => `test/host/${name}.test.ts`)),
    ],
    // A few compare times, and beside another worker one of them may be unlucky.
    retry: 1,
    testTimeout: 20_000,
    hookTimeout: 20_000,
  },
});
