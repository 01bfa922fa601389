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
  const { printed } = await runClient('--requirements', revision);
  const results = readSummary(printed);
  for (const result of results) {
    if (result.passed || result.isOptional) continue;
    const { exitCode } = await runClient('--scenario', result.name, '--spec-version', revision);
    result.passed = exitCode === 0;
  }
  return results;
}

async function runClient(...chosen: string[]): Promise<{ printed: string; exitCode: number | null }> {
  const results = await mkdtemp(join(tmpdir(), 'andiron-conformance-'));
  const args = [suite, 'client', '--command', `${process.execPath} ${client}`, ...chosen, '-o', results];
  const run = spawn(process.execPath, args, {
    stdio: ['ignore', 'pipe', 'ignore'],
    // The way it starts a client is warned of in its own place.
    env: { ...process.env, NODE_NO_WARNINGS: '1' },
  });
  const ended = once(run, 'close');
  const printed = await text(run.stdout);
  await ended;
  await rm(results, { recursive: true, force: true });
  return { printed, exitCode: run.exitCode };
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
