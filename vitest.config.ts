import react from '@vitejs/plugin-react';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

if (Number(process.versions.node.split('.')[0]) < 22) {
  throw new Error('Run the tests through npm (npm test, npx vitest): they need the pinned Node 24.');
}

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url));

export default defineConfig({
  resolve: { alias: { electron: at('test/helpers/electron-stub.ts') } },
  test: {
    isolate: false,
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          environment: 'node',
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
        },
      },
      { extends: true, test: { name: 'host', environment: 'node', include: ['test/host/**/*.test.ts'] } },
      {
        extends: true,
        test: {
          name: 'contract',
          environment: 'node',
          include: ['test/contract/**/*.test.ts'],
          testTimeout: 30_000,
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
          pool: 'forks',
          fileParallelism: false,
          testTimeout: 30_000,
          hookTimeout: 60_000,
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
                testTimeout: 180_000,
                hookTimeout: 60_000,
              },
            },
          ]
        : []),
    ],
  },
});
