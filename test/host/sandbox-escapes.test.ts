/** Some of what `npm run bench:escapes` tries in full, other ways each time; where this machine has a sandbox. */
import { mkdtempSync, rmSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { systemFiles } from '../../src/platform/files.ts';
import { systemProcesses } from '../../src/platform/processes.ts';
import { openSandbox } from '../../src/platform/sandbox/open-sandbox.ts';
import type { Sandbox, SandboxBackend } from '../../src/platform/sandbox/sandbox.ts';
import { escapes } from '../bench/escapes/escapes.ts';
import { EscapeGround } from '../bench/escapes/run-escape.ts';
import { someOf } from '../helpers/thorough.ts';

const dataDir = mkdtempSync(join(tmpdir(), 'andiron-sandbox-data-'));
const { platform } = process;
const opened = async (backend: SandboxBackend): Promise<Sandbox> => {
  const system = { platform, processes: systemProcesses, files: systemFiles };
  const sandbox = await openSandbox({ ...system, dataDir, homeDir: homedir(), backend });
  const { status } = sandbox;
  if (status.kind === 'none') process.stdout.write(`No ${backend} to try: ${JSON.stringify(status)}\n`);
  return sandbox;
};
const sandboxes = [await opened('bwrap'), await opened('srt')];
rmSync(dataDir, { recursive: true });
// Whether something got out is looked up where only Linux has it.
const there = sandboxes.filter(({ status }) => platform === 'linux' && status.kind !== 'none');
const grounds: EscapeGround[] = [];
afterAll(() => Promise.all(grounds.map((ground) => ground.close())));

test.runIf(there.length > 0).each(there)(
  'no way out of the sandbox leads anywhere, and most do without one: $status.kind',
  async (sandbox) => {
    const ground = await EscapeGround.prepare(sandbox);
    grounds.push(ground);
    const tried = someOf(escapes, 5);
    const out: string[] = [];
    let without = 0;
    for (const escape of tried) {
      const { escaped, survivors } = await ground.try(escape, true);
      if (escaped) out.push(`${escape.kind}: ${escape.name}`);
      else if (survivors > 0) out.push(`${escape.kind}: ${escape.name} left ${String(survivors)} processes`);
      if ((await ground.try(escape, false)).escaped) without += 1;
    }
    expect(out).toEqual([]);
    expect(without / tried.length).toBeGreaterThan(0.6);
  },
  120_000,
);

test('each way out has a name of its own, and there are many of every kind', () => {
  const names = escapes.map(({ kind, name }) => `${kind} ${name}`);
  expect(new Set(names).size).toBe(names.length);
  expect(names.length).toBeGreaterThanOrEqual(80);
});
