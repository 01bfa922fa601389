import {
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
  chmodSync,
  existsSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { systemFiles } from '../files.ts';
import { systemProcesses } from '../processes.ts';
import { openKnownSandbox, sandboxFileName, type KnownSandbox } from './known-sandbox.ts';
import type { SandboxDeps } from './open-sandbox.ts';
import { noSandbox, type Sandbox, type SandboxPolicy, type SandboxStatus } from './sandbox.ts';

let dataDir: string;
let warnings: string[];
beforeEach(() => {
  dataDir = realpathSync(mkdtempSync(join(tmpdir(), 'andiron-known-sandbox-')));
  warnings = [];
  writeFileSync(join(dataDir, 'bwrap'), '#!/bin/sh\n');
  chmodSync(join(dataDir, 'bwrap'), 0o755);
});
afterEach(() => rmSync(dataDir, { recursive: true }));

const found: SandboxStatus = { kind: 'bwrap', version: '0.9.0', hasProxy: true };
const start = { file: '/bin/true', args: [], cwd: '/' };
const policy: SandboxPolicy = {
  hidden: [],
  writable: [],
  readOnly: [],
  masked: [],
  readable: [],
  proxy: null,
};

const sandboxWith = (status: SandboxStatus): Sandbox => ({
  status,
  hidden: [],
  keep: (kept) => Promise.resolve({ ...kept, file: 'kept in' }),
  openProxy: () => Promise.resolve({ path: '/proxy', close: () => Promise.resolve() }),
});

/** A start of Andiron whose trial ends when it is told to. */
function startWith(path = dataDir): KnownSandbox & { trials: SandboxDeps[]; end: (found: Sandbox) => void } {
  const trials: SandboxDeps[] = [];
  const trial = Promise.withResolvers<Sandbox>();
  const known = openKnownSandbox(
    {
      platform: 'linux',
      processes: { ...systemProcesses, environment: { PATH: path } },
      files: systemFiles,
      dataDir,
      homeDir: null,
      log: { warn: (message) => void warnings.push(message) },
    },
    (deps) => {
      trials.push(deps);
      return trial.promise;
    },
  );
  return { ...known, trials, end: trial.resolve };
}

async function pastStart(status: SandboxStatus = found): Promise<void> {
  const past = startWith();
  past.end(sandboxWith(status));
  await past.prove();
}

describe.skipIf(process.platform === 'win32')('a sandbox that the last start knew', () => {
  test('the first start of all waits for the trial, and keeps what it found for the owner alone', async () => {
    const first = startWith();
    expect(first.trials).toHaveLength(1);
    first.end(sandboxWith(found));
    expect((await first.sandbox).status).toEqual(found);
    const file = join(dataDir, sandboxFileName);
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(found);
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  test('a later start tells of the sandbox before its trial has begun', async () => {
    await pastStart();
    const later = startWith();
    expect((await later.sandbox).status).toEqual(found);
    expect(later.trials).toHaveLength(0);
  });

  test('a command begins the trial of a later start, and is kept in only after it has passed', async () => {
    await pastStart();
    const later = startWith();
    const kept = (await later.sandbox).keep(start, policy);
    const first = await Promise.race([
      kept.then(() => 'kept'),
      new Promise((done) => setImmediate(done, 'waits')),
    ]);
    expect([first, later.trials.length]).toEqual(['waits', 1]);
    later.end(sandboxWith(found));
    expect(await kept).toMatchObject({ file: 'kept in' });
  });

  test('nothing runs, with a sandbox or without one, when the trial of a later start fails', async () => {
    await pastStart();
    const later = startWith();
    const sandbox = await later.sandbox;
    later.end({ ...sandboxWith({ kind: 'none', problem: 'leaky', detail: 'has a network' }) });
    await expect(sandbox.keep(start, policy)).rejects.toThrow(
      /no longer works \(has a network\)\. Restart Andiron/,
    );
    expect(warnings).toHaveLength(1);
    // The start after that asks the trial first again.
    expect(existsSync(join(dataDir, sandboxFileName))).toBe(false);
    expect(startWith().trials).toHaveLength(1);
  });

  test('a way to hosts that is gone since the last start is not opened', async () => {
    await pastStart();
    const later = startWith();
    const { openProxy } = await later.sandbox;
    const { openProxy: _, ...without } = sandboxWith({ ...found, hasProxy: false });
    later.end(without);
    await expect(openProxy?.(() => Promise.resolve(true))).rejects.toThrow(/nothing gets out of it/);
  });

  test('a program that is gone since the last start is noticed before anything is told of it', async () => {
    await pastStart();
    const later = startWith('/nowhere');
    later.end(noSandbox('missing'));
    expect((await later.sandbox).status).toMatchObject({ kind: 'none', problem: 'missing' });
  });

  test.each(['', 'no JSON', '{"kind":"none","problem":"system","detail":""}'])(
    'a file of the last start with “%s” in it is not believed',
    async (content) => {
      writeFileSync(join(dataDir, sandboxFileName), content);
      expect(startWith().trials).toHaveLength(1);
    },
  );

  test('a trial that the end of Andiron calls off changes nothing that is known', async () => {
    await pastStart();
    const later = startWith();
    const proof = later.prove();
    const closed = later.close();
    expect(later.trials[0]?.signal?.aborted).toBe(true);
    later.end(noSandbox('refused', 'it was ended'));
    await Promise.all([proof, closed]);
    expect(JSON.parse(readFileSync(join(dataDir, sandboxFileName), 'utf8'))).toEqual(found);
  });
});
