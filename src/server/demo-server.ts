/** A demo beside this server: the same program once more, with data of its own. It ends with this one. */
import { fork, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { withUmask } from '../platform/umask.ts';

interface Demo {
  child: ChildProcess;
  /** Signs a browser in. One is good for one browser, and after each the next is said. */
  address: () => Promise<string>;
}

/** Resolves to an address that signs a browser in; a demo that runs already is opened again. Rejects when none starts. */
export function createDemoBeside(dataDir: string, umask: number): () => Promise<string> {
  let demo: Demo | null = null;
  return () => {
    if (demo === null || hasEnded(demo.child)) demo = startDemo(dataDir, umask);
    return demo.address();
  };
}

function hasEnded({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null;
}

function startDemo(dataDir: string, umask: number): Demo {
  const [, program = ''] = process.argv;
  const args = ['--demo', `--data-dir=${join(dataDir, 'demo')}`];
  // A lost channel ends it.
  const child = withUmask(umask, () => fork(program, args, { stdio: ['ignore', 'pipe', 'inherit', 'ipc'] }));
  let latest: string | null = null;
  const first = new Promise<void>((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => reject(new Error(`The demo ended at once (code ${String(code)}).`)));
    if (!child.stdout) return;
    createInterface({ input: child.stdout }).on('line', (line) => {
      latest = /https?:\/\/\S+/.exec(line)?.[0] ?? latest;
      if (latest !== null) resolve();
    });
  });
  return {
    child,
    async address() {
      await first;
      if (latest === null) throw new Error('The demo said no address.');
      return latest;
    },
  };
}
