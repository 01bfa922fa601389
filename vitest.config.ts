import react from '@vitejs/plugin-react';
import { rmSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

if (Number(process.versions.node.split('.')[0]) < 22) {
  throw new Error('Run the tests through npm (npm test, npx vitest): they need the pinned Node 24.');
}

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/**
 * What waits for other processes may fail once on a busy machine. `npm test` names each that needed a second try, and fails
 * where they are many. What was drawn at random is not drawn again: the next seed would hide what this one found.
 */
const secondTry = { count: 1, condition: /^(?![\s\S]*(?:Property failed|\bseed\b))/i };

// Many tests start programs, some of them from their sources: what one has compiled the others of this run read.
if (!process.env['NODE_COMPILE_CACHE']) {
  const compiled = at('.cache/compiled');
  rmSync(compiled, { recursive: true, force: true, maxRetries: 5 });
  process.env['NODE_COMPILE_CACHE'] = compiled;
}

export default defineConfig({
  resolve: { alias: { electron: at('test/helpers/electron-stub.ts') } },
  test: {
    isolate: false,
    // Four files at a time even on two cores: a test often waits for another process, a disk or a timer. Six took as long.
    maxWorkers: Math.max(4, availableParallelism() - 1),
    // Each test builds a house and throws it away: with the usual room for what is young it is collected again and again.
    execArgv: ['--min-semi-space-size=16'],
    // A busy machine is slow; what hangs is still found. Nothing here is waited for that does not come.
    testTimeout: 240_000,
    hookTimeout: 240_000,
    expect: { poll: { timeout: 60_000 } },
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          environment: 'node',
          // A library that requires Electron gets the npm package, which would download the program and complain.
          env: { ELECTRON_OVERRIDE_DIST_PATH: '/no-electron' },
          include: ['src/**/*.test.ts'],
          exclude: ['src/renderer/**'],
        },
      },
      {
        extends: true,
        plugins: [react()],
        test: {
          name: 'web',
          environment: 'happy-dom',
          include: ['src/renderer/**/*.test.ts', 'src/renderer/**/*.test.tsx'],
          setupFiles: ['test/helpers/web-setup.ts'],
          // Classes of CSS modules are called as they are written.
          css: { modules: { classNameStrategy: 'non-scoped' } },
        },
      },
      {
        extends: true,
        test: {
          name: 'host',
          environment: 'node',
          include: ['test/host/**/*.test.ts'],
          retry: secondTry,
        },
      },
      {
        extends: true,
        test: {
          name: 'contract',
          environment: 'node',
          include: ['test/contract/**/*.test.ts'],
          // The recorded gaps between requests are real time: a machine that is busy otherwise may miss one.
          retry: 2,
        },
      },
      {
        extends: true,
        test: {
          name: 'e2e',
          environment: 'node',
          include: ['test/e2e/**/*.test.ts'],
          globalSetup: ['test/helpers/chromium-setup.ts', 'test/helpers/begun-folder.ts'],
          pool: 'forks',
          retry: secondTry,
          testTimeout: 400_000,
          hookTimeout: 400_000,
        },
      },
      // Only `npm run test:real` asks for it: it needs an Ollama at OLLAMA_HOST.
      ...(process.env['ANDIRON_REAL']
        ? [
            {
              extends: true as const,
              test: {
                name: 'real',
                environment: 'node' as const,
                include: ['test/real/**/*.test.ts'],
                fileParallelism: false,
                sequence: { groupOrder: 1 },
                testTimeout: 180_000,
                hookTimeout: 60_000,
              },
            },
          ]
        : []),
    ],
  },
});
