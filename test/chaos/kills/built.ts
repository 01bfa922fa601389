/** The host and the server bundled anew, as they ship, in a folder of their own: what is tried is what stands in `src`. */
import { mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { build, type Plugin } from 'vite';
import { projectRoot } from '../../helpers/server-process.ts';

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
  const root = join(projectRoot, '.cache', `chaos-${String(process.pid)}`);
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
          server: at('server/entry.ts'),
          inventory: at('engine/gpu/inventory-entry.ts'),
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
