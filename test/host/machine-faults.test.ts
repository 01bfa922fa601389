/** A machine that refuses: no rights, no room, no free file. The real tools in processes that really meet it. */
import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { workbench, type Workbench } from '../../src/host/tools/testing.ts';
import { mayMount, runTools } from '../helpers/tool-process.ts';

const isWindows = process.platform === 'win32';
const isRoot = process.getuid?.() === 0;
const nobody = 65_534;

if (!mayMount()) process.stdout.write('Full and read-only disks skipped: this machine lets nobody mount.\n');

let bench: Workbench;
let workspace: string;
beforeEach(() => {
  bench = workbench();
  ({ workspace } = bench);
  // Another user must get here.
  chmodSync(bench.root, 0o755);
  chmodSync(workspace, 0o777);
});
afterEach(() => bench.remove());

test.skipIf(isWindows)('no permission is told, as somebody who has none', async () => {
  writeFileSync(join(workspace, 'open.txt'), 'needle\n');
  writeFileSync(join(workspace, 'secret.txt'), 'needle\n', { mode: 0o000 });
  mkdirSync(join(workspace, 'fixed'));
  chmodSync(join(workspace, 'fixed'), 0o555);
  mkdirSync(join(workspace, 'closed'), { mode: 0o000 });
  const results = await runTools(
    {
      workspace,
      calls: [
        ['read_file', { path: 'secret.txt' }],
        ['list_files', { path: 'closed' }],
        ['write_file', { path: 'fixed/new.txt', content: 'x' }],
        ['search', { pattern: 'needle' }],
        ['run_command', { command: 'cat secret.txt' }],
      ],
    },
    isRoot ? { uid: nobody } : {},
  );
  const denied = /^Tool error: permission was denied\. Use another place, or ask the person/;
  expect(results.slice(0, 3)).toEqual(
    Array.from({ length: 3 }, () => expect.stringMatching(denied) as string),
  );
  expect(results[3]).toMatch(/^open\.txt:1: needle\nNot everything could be read: /);
  expect(results[4]).toMatch(/^Error: exit code: 1\nstderr:\n.*denied/);
  chmodSync(join(workspace, 'closed'), 0o755);
});

test.runIf(isRoot)('a file of another user keeps its owner, or stays as it was (audit-S18)', async () => {
  const edit = { old_text: 'old', new_text: 'new' };
  for (const [name, mode] of [
    ['shared.txt', 0o666],
    ['fixed.txt', 0o644],
  ] as const) {
    writeFileSync(join(workspace, name), 'old\n');
    chmodSync(join(workspace, name), mode);
  }
  const results = await runTools(
    {
      workspace,
      calls: [
        ['read_file', { path: 'shared.txt' }],
        ['edit_file', { path: 'shared.txt', ...edit }],
        ['read_file', { path: 'fixed.txt' }],
        ['edit_file', { path: 'fixed.txt', ...edit }],
      ],
    },
    { uid: nobody },
  );
  expect(results[1]).toBe('Edited shared.txt at line 1 (+1 -1).');
  expect(results[3]).toMatch(/^Tool error: permission was denied/);
  const contents = ['shared.txt', 'fixed.txt'].map((name) => {
    const path = join(workspace, name);
    return [readFileSync(path, 'utf8'), statSync(path).uid];
  });
  expect(contents).toEqual([
    ['new\n', 0],
    ['old\n', 0],
  ]);
  expect(readdirSync(workspace).toSorted()).toEqual(['fixed.txt', 'shared.txt']);
});

test.runIf(mayMount())(
  'a file with hard links keeps its content when the disk is full (audit-S18)',
  async () => {
    const results = await runTools(
      {
        workspace,
        calls: [
          ['write_file', { path: 'a.txt', content: 'one' }],
          ['run_command', { command: 'ln a.txt b.txt' }],
          ['read_file', { path: 'a.txt' }],
          ['write_file', { path: 'a.txt', content: 'y'.repeat(200_000) }],
          ['write_file', { path: 'a.txt', content: 'y'.repeat(40_000) }],
          ['run_command', { command: 'head -c 3 b.txt; ls -A' }],
        ],
      },
      { namespace: true, prepare: `mount -t tmpfs -o size=64k tmpfs ${workspace}` },
    );
    const full = /^Tool error: there is no space left, so the file is as it was\./;
    expect([results[3], results[4]]).toEqual([expect.stringMatching(full), expect.stringMatching(full)]);
    expect(results[5]).toBe('exit code: 0\nstdout:\nonea.txt\nb.txt');
  },
);

test.runIf(mayMount())('a full disk is told, and the file is as it was', async () => {
  const results = await runTools(
    {
      workspace,
      calls: [
        ['write_file', { path: 'a.txt', content: 'one' }],
        ['write_file', { path: 'big.txt', content: 'x'.repeat(200_000) }],
        ['read_file', { path: 'a.txt' }],
        ['write_file', { path: 'a.txt', content: 'y'.repeat(200_000) }],
        ['read_file', { path: 'a.txt' }],
        ['list_files', {}],
        ['run_command', { command: 'head -c 200000 /dev/zero > zeros' }],
      ],
    },
    { namespace: true, prepare: `mount -t tmpfs -o size=64k tmpfs ${workspace}` },
  );
  const full = /^Tool error: there is no space left, so the file is as it was\. .* \(ENOSPC\)$/;
  expect([results[1], results[3]]).toEqual([expect.stringMatching(full), expect.stringMatching(full)]);
  expect([results[2], results[4]]).toEqual(['lines 1-1 of 1\none', 'lines 1-1 of 1\none']);
  expect(results[5]).toBe('a.txt');
  expect(results[6]).toMatch(/^Error: exit code: 1\n.*No space left/s);
});

test.runIf(mayMount())('a disk that can only be read is told', async () => {
  writeFileSync(join(workspace, 'a.txt'), 'one');
  const results = await runTools(
    {
      workspace,
      calls: [
        ['read_file', { path: 'a.txt' }],
        ['write_file', { path: 'a.txt', content: 'two' }],
      ],
    },
    {
      namespace: true,
      prepare: `mount --bind ${workspace} ${workspace} && mount -o remount,bind,ro ${workspace}`,
    },
  );
  expect(results[1]).toMatch(/^Tool error: this place can only be read\. Use another one/);
  expect(readFileSync(join(workspace, 'a.txt'), 'utf8')).toBe('one');
});

test.skipIf(isWindows)('a limit on file sizes is told, and no draft is left', async () => {
  const results = await runTools(
    { workspace, calls: [['write_file', { path: 'a.txt', content: 'x'.repeat(200_000) }]] },
    { prepare: 'ulimit -f 16' },
  );
  expect(results[0]).toMatch(/^Tool error: the file would be larger than is allowed here\. Write less/);
  expect(readdirSync(workspace)).toEqual([]);
});

test.skipIf(isWindows)(
  'no file that can be opened any more is told by every tool, and ends none of them',
  async () => {
    writeFileSync(join(workspace, 'a.txt'), 'needle\n');
    const results = await runTools(
      {
        workspace,
        exhaustAfter: 1,
        calls: [
          ['read_file', { path: 'a.txt' }],
          ['run_command', { command: 'echo hi' }],
          ['read_file', { path: 'a.txt' }],
          ['write_file', { path: 'a.txt', content: 'x' }],
          ['list_files', {}],
          ['glob', { pattern: '*' }],
          ['search', { pattern: 'needle' }],
        ],
      },
      { prepare: 'ulimit -n 80' },
    );
    const [, ...refused] = results;
    expect(refused).toHaveLength(6);
    for (const content of refused)
      expect(content).toMatch(/^Tool error: too many files are open on this computer\. Wait/);
  },
);
