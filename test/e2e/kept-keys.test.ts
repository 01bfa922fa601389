/** Keys that a person exported before starting Andiron, and who can read them while it runs. */
import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { projectRoot, startServerProcess, temporaryFolder } from '../helpers/server-process.ts';

/** The process and all below it. */
function family(pid: number): number[] {
  const children = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((name) => {
      try {
        const stat = readFileSync(`/proc/${name}/stat`, 'utf8');
        return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]) === pid;
      } catch {
        return false;
      }
    });
  return [pid, ...children.flatMap((child) => family(Number(child)))];
}

/** Nothing where the process has ended since it was listed. */
function environmentOf(pid: number): string[] {
  try {
    return [readFileSync(`/proc/${String(pid)}/environ`, 'utf8')];
  } catch {
    return [];
  }
}

test.runIf(process.platform === 'linux')(
  'no process of the running server shows a key that it was started with (audit-S7)',
  async () => {
    const folder = temporaryFolder();
    const args = [`--data-dir=${folder.path}`, '--engine-url=http://127.0.0.1:9'];
    const server = await startServerProcess(args, projectRoot, { OPENAI_API_KEY: 'sk-very-secret-4711' });
    try {
      const environments = family(server.pid).flatMap(environmentOf);
      // The server and its agent host at least.
      expect(environments.length).toBeGreaterThan(1);
      for (const environment of environments) {
        expect(environment).toContain('PATH=');
        expect(environment).not.toContain('sk-very-secret-4711');
        // Neither as text nor as it was handed over.
        expect(environment).not.toContain('ANDIRON_HANDED=ey');
      }
    } finally {
      await server.stop();
      folder.remove();
    }
  },
);
