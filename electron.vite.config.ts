import react from '@vitejs/plugin-react';
import { defineConfig } from 'electron-vite';
import { resolve } from 'node:path';
import { cssModules } from './scripts/css-modules.ts';
import { buildFacts } from './scripts/build-facts.ts';
import { whatsNewFile } from './scripts/whats-new.ts';

/** A busy machine makes every plugin slow, which is no news about this build. */
const checks = { bundlerTimings: false };

const at = (path: string): string => resolve(import.meta.dirname, path);

const facts = buildFacts(import.meta.dirname);

export default defineConfig({
  main: {
    plugins: [whatsNewFile(import.meta.dirname)],
    // Its form for Node declares a `require` of its own, which every bundled module has already.
    resolve: { alias: [{ find: /^fflate$/, replacement: 'fflate/browser' }] },
    build: {
      sourcemap: true,
      // Bundled: read from many files, they would take a quarter of the host's start.
      externalizeDeps: {
        exclude: [
          'zod',
          'yaml',
          'ollama',
          'diff',
          'defuddle',
          'ipaddr.js',
          'linkedom',
          'fflate',
          'mammoth',
          'read-excel-file',
          'unpdf',
          '@modelcontextprotocol/client',
          '@modelcontextprotocol/core',
          '@peculiar/x509',
          'reflect-metadata',
        ],
      },
      rolldownOptions: {
        checks,
        input: {
          index: at('src/main/index.ts'),
          host: at('src/host/entry.ts'),
          'search-worker': at('src/host/store/search-worker.ts'),
          'passage-thread': at('src/host/store/passages/passage-thread.ts'),
          'page-reader': at('src/host/web/page-reader-entry.ts'),
          'document-reader': at('src/host/documents/document-entry.ts'),
          'document-writer': at('src/host/documents/document-writer-entry.ts'),
          'sandbox-worker': at('src/platform/sandbox/srt-worker.ts'),
          server: at('src/server/entry.ts'),
          cli: at('src/cli/entry.ts'),
          gateway: at('src/gateway/entry.ts'),
          bridge: at('src/bridges/entry.ts'),
          sim: at('src/sim/entry.ts'),
          'system-sample': at('src/engine/gpu/system-sample-entry.ts'),
        },
      },
    },
  },
  preload: {
    build: {
      // A sandboxed preload can load only one CommonJS file that requires nothing but electron.
      externalizeDeps: false,
      rolldownOptions: {
        checks,
        input: { index: at('src/preload/index.ts') },
        output: { format: 'cjs', entryFileNames: '[name].cjs' },
      },
    },
  },
  renderer: {
    root: at('src/renderer'),
    plugins: [react(), facts.page],
    css: cssModules,
    // One thread colours code, and loads its grammars one by one; others parse long Markdown, set formulas, draw diagrams.
    worker: { format: 'es', plugins: () => [facts.worker] },
    build: {
      minify: true,
      // The largest are the page itself and grammars that are loaded when such code is shown.
      chunkSizeWarningLimit: 1300,
      rolldownOptions: { checks, input: { index: at('src/renderer/index.html') } },
    },
  },
});
