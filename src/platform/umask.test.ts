import { chmodSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { systemClock } from './clock.ts';
import { systemFiles } from './files.ts';
import { createProcesses } from './processes.ts';
import { shellCommand } from './shell-command.ts';
import { filesWithUmask } from './umask-files.ts';
import { becomePrivate, currentUmask, withUmask } from './umask.ts';

let dir: string;
let before: number;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'andiron-umask-'));
  before = process.umask(0o027);
});
afterEach(() => {
  process.umask(before);
  rmSync(dir, { recursive: true });
});

const mode = (name: string): number => statSync(join(dir, name)).mode & 0o777;

test.skipIf(process.platform === 'win32')(
  'a process that becomes private says what the person had (audit-S8)',
  () => {
    expect(currentUmask()).toBe(0o027);
    expect(becomePrivate()).toBe(0o027);
    expect(currentUmask()).toBe(0o077);
  },
);

test.skipIf(process.platform === 'win32')(
  'the mask is back after a program was started, and after one that could not be (audit-S8)',
  () => {
    becomePrivate();
    expect(withUmask(0o002, currentUmask)).toBe(0o002);
    expect(() =>
      withUmask(0o002, () => {
        throw new Error('no such program');
      }),
    ).toThrow('no such program');
    expect(currentUmask()).toBe(0o077);
  },
);

test.skipIf(process.platform === 'win32')(
  'what a tool makes in a workspace has the permissions that the person is used to (audit-S8)',
  async () => {
    const files = filesWithUmask(systemFiles, becomePrivate());
    await files.makeFolder(join(dir, 'a', 'b'));
    await files.writeAtomic(join(dir, 'a', 'b', 'new.md'), 'text');
    await files.writeAtomic(join(dir, 'a', 'b', 'kept.sh'), 'text', { mode: 0o755 });
    expect([mode('a'), mode('a/b'), mode('a/b/new.md'), mode('a/b/kept.sh')]).toEqual([
      0o750, 0o750, 0o640, 0o755,
    ]);
    await files.writeAtomic(join(dir, 'c', 'd', 'new.md'), 'text', { makesFolders: true });
    expect([mode('c'), mode('c/d'), mode('c/d/new.md')]).toEqual([0o750, 0o750, 0o640]);
  },
);

test.skipIf(process.platform === 'win32')(
  'a folder that was there keeps its permissions when one is made in it (audit-S8)',
  async () => {
    const files = filesWithUmask(systemFiles, becomePrivate());
    await files.makeFolder(join(dir, 'there'));
    chmodSync(join(dir, 'there'), 0o711);
    await files.makeFolder(join(dir, 'there', 'new'));
    await files.makeFolder(join(dir, 'there'));
    expect([mode('there'), mode('there/new')]).toEqual([0o711, 0o750]);
  },
);

test.skipIf(process.platform === 'win32')(
  'what a command makes has the permissions that the person is used to (audit-S8)',
  async () => {
    const processes = createProcesses(systemClock, undefined, becomePrivate());
    const { exitCode } = await processes.run({
      ...shellCommand(process.platform, 'umask; mkdir made; : > made/file', dir, process.env),
      env: { PATH: process.env['PATH'] ?? '' },
      onOutput: () => undefined,
      signal: new AbortController().signal,
      outputLimit: 1_000,
    });
    expect([exitCode, mode('made'), mode('made/file')]).toEqual([0, 0o750, 0o640]);
    expect(currentUmask()).toBe(0o077);
  },
);
