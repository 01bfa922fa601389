/** The host and the server bundled anew, as they ship, in a folder of their own: what is tried is what stands in `src`. */
import { mkdirSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { build, type Plugin } from 'vite';
import { projectRoot } from '../../helpers/server-process.ts';
import { isAlive } from './processes.ts';

export interface Built {
  /** Has `out/main` and `resources`, as a package does. */
  root: string;
  host: string;
  resourcesDir: string;
  remove: () => void;
}

/** A mistake that the checks must notice: one text of a source file becomes another, once. */
export interface Flaw {
  /** Below `src`. */
  file: string;
  from: string;
  to: string;
}

const at = (path: string): string => join(projectRoot, 'src', path);

export async function buildProcesses(flaw?: Flaw): Promise<Built> {
  // Inside the project, so that the packages it imports are found.
  const cache = join(projectRoot, '.cache');
  const root = join(cache, `chaos-${String(process.pid)}`);
  sweep(cache);
  const outDir = join(root, 'out', 'main');
  mkdirSync(root, { recursive: true });
  symlinkSync(join(projectRoot, 'resources'), join(root, 'resources'), 'junction');
  await build({
    configFile: false,
    root: projectRoot,
    publicDir: false,
    logLevel: 'error',
    plugins: flaw ? [flawed(flaw)] : [],
    build: {
      ssr: true,
      outDir,
      target: 'node24',
      minify: false,
      rolldownOptions: {
        input: {
          host: at('host/entry.ts'),
          'search-worker': at('host/store/search-worker.ts'),
          'passage-thread': at('host/store/passages/passage-thread.ts'),
          'sandbox-worker': at('platform/sandbox/srt-worker.ts'),
          server: at('server/entry.ts'),
          'system-sample': at('engine/gpu/system-sample-entry.ts'),
        },
        output: { entryFileNames: '[name].js', chunkFileNames: 'chunks/[name]-[hash].js' },
      },
    },
  });
  return {
    root,
    host: join(outDir, 'host.js'),
    resourcesDir: join(projectRoot, 'resources'),
    remove: () => rmSync(root, { recursive: true, force: true }),
  };
}

/** Builds of runs that were broken off. */
function sweep(cache: string): void {
  mkdirSync(cache, { recursive: true });
  for (const name of readdirSync(cache)) {
    const pid = /^chaos-(\d+)$/.exec(name)?.[1];
    if (pid !== undefined && !isAlive(Number(pid)))
      rmSync(join(cache, name), { recursive: true, force: true });
  }
}

function flawed({ file, from, to }: Flaw): Plugin {
  let found = false;
  return {
    name: 'flaw',
    enforce: 'pre',
    transform(code, id) {
      if (id !== at(file)) return undefined;
      found = code.includes(from);
      return code.replace(from, () => to);
    },
    buildEnd() {
      if (!found) throw new Error(`${file} has no such text any more: ${from}`);
    },
  };
}
