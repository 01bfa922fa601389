/** Some of what `npm run bench:escapes` tries in full, other ways each time; where this machine has a sandbox. */
import { mkdtempSync, rmSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { systemFiles } from '../../src/platform/files.ts';
import { systemProcesses } from '../../src/platform/processes.ts';
import { openSandbox } from '../../src/platform/sandbox/open-sandbox.ts';
import { escapes } from '../bench/escapes/escapes.ts';
import { EscapeGround } from '../bench/escapes/run-escape.ts';
import { someOf } from '../helpers/thorough.ts';

const dataDir = mkdtempSync(join(tmpdir(), 'andiron-sandbox-data-'));
const { platform } = process;
const sandbox = await openSandbox({
  platform,
  processes: systemProcesses,
  files: systemFiles,
  dataDir,
  homeDir: homedir(),
});
rmSync(dataDir, { recursive: true });
const isThere = sandbox.status.kind !== 'none';
if (!isThere) process.stdout.write(`No sandbox to try: ${JSON.stringify(sandbox.status)}\n`);
const ground = isThere ? await EscapeGround.prepare(sandbox) : null;
afterAll(() => ground?.close());

test.runIf(isThere)(
  'no way out of the sandbox leads anywhere, and most do without one',
  async () => {
    const tried = someOf(escapes, 5);
    const out: string[] = [];
    let without = 0;
    for (const escape of tried) {
      const kept = await ground?.try(escape, true);
      if (kept?.escaped || kept?.survivors) out.push(`${escape.kind}: ${escape.name}`);
      if ((await ground?.try(escape, false))?.escaped) without += 1;
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
