/** The client scenarios of the protocol's conformance suite, against the client of this host. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const suite = here('../../node_modules/@modelcontextprotocol/conformance/dist/index.js');
const client = here('scenario-client.ts');

export const revisions = ['2026-07-28', '2025-11-25'] as const;
export type Revision = (typeof revisions)[number];

export interface ScenarioResult {
  name: string;
  passed: boolean;
  /** What the revision does not ask for: extensions, and what is newer than it. */
  isOptional: boolean;
}

/**
 * Every scenario that the suite has for a client of that revision. It runs them all at once, and some of them measure time:
 * what failed beside the others is run once more alone.
 */
export async function runSuite(revision: Revision): Promise<ScenarioResult[]> {
  const folder = await mkdtemp(join(tmpdir(), 'andiron-conformance-'));
  // Each scenario starts a client: what one has compiled the others read.
  const env = { ...process.env, NODE_NO_WARNINGS: '1', NODE_COMPILE_CACHE: join(folder, 'cache') };
  const run = async (...args: string[]): Promise<{ printed: string; exitCode: number | null }> => {
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'ignore'], env });
    const ended = once(child, 'close');
    const printed = await text(child.stdout);
    await ended;
    return { printed, exitCode: child.exitCode };
  };
  const scenarios = (...chosen: string[]) =>
    run(
      suite,
      'client',
      '--command',
      `${process.execPath} ${client}`,
      ...chosen,
      '-o',
      join(folder, 'results'),
    );
  try {
    await run(client, 'http://127.0.0.1:1/');
    const results = readSummary((await scenarios('--requirements', revision)).printed);
    for (const result of results) {
      if (result.passed || result.isOptional) continue;
      const { exitCode } = await scenarios('--scenario', result.name, '--spec-version', revision);
      result.passed = exitCode === 0;
    }
    return results;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

export function readSummary(printed: string): ScenarioResult[] {
  const [scored = '', unscored = ''] = printed.split('Not scored for');
  const optional = new Set([...unscored.matchAll(/^ {2}[✓✗] (\S+) \(/gm)].map(([, name]) => name));
  const lines = scored.matchAll(/^([✓✗]) (\S+): \d+ passed/gm);
  return [...lines].map(([, mark, name = '']) => ({
    name,
    passed: mark === '✓',
    isOptional: optional.has(name),
  }));
}
