/** Mentions: files of a workspace, as a window asks for them while somebody types. */
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { rgPath } from '@vscode/ripgrep';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createWorkspaceFiles } from '../../src/host/attachments/workspace-files.ts';
import { systemClock, type Clock } from '../../src/platform/clock.ts';
import { systemProcesses, type Processes } from '../../src/platform/processes.ts';
import { AndironError } from '../../src/protocol/errors.ts';
import { workbench, type Workbench } from '../../src/host/tools/testing.ts';

let bench: Workbench;
let runs: number;
const processes: Processes = {
  environment: process.env,
  run(request) {
    runs += 1;
    return systemProcesses.run(request);
  },
};
/** Listings are forgotten when the test says so. */
let due: (() => void)[];
const clock: Clock = {
  ...systemClock,
  after(_ms, run) {
    due.push(run);
    return { cancel: () => void due.splice(due.indexOf(run) >>> 0, 1) };
  },
};

const files = (over: Partial<Parameters<typeof createWorkspaceFiles>[0]> = {}) =>
  createWorkspaceFiles({
    runSearch: (request) => processes.run(request),
    ripgrepPath: rgPath,
    environment: {},
    resolveWorkspace: (path) => Promise.resolve(path),
    clock,
    ...over,
  });

async function make(...paths: string[]): Promise<void> {
  for (const path of paths) {
    await mkdir(dirname(join(bench.workspace, path)), { recursive: true });
    await writeFile(join(bench.workspace, path), 'x');
  }
}

beforeEach(() => {
  bench = workbench();
  runs = 0;
  due = [];
});
afterEach(() => bench.remove());

it('lists what is neither hidden nor ignored, with blanks and in any script', async () => {
  await make('a b.txt', 'Übung/ä.md', '.env', '.git/config', 'node_modules/x/index.js', 'out/made.js');
  await writeFile(join(bench.workspace, '.gitignore'), 'out/\n');
  const found = await files().find(bench.workspace, '');
  expect(found.files.map((path) => path.normalize('NFC'))).toEqual(['a b.txt', 'Übung/ä.md']);
  expect(found.complete).toBe(true);
});

it('asks once for all the letters that are typed within a few seconds', async () => {
  await make('one.ts', 'two.ts');
  const workspaceFiles = files();
  const typed = ['o', 'on', 'one'].map((query) => workspaceFiles.find(bench.workspace, query));
  expect((await Promise.all(typed)).map((found) => found.files[0])).toEqual(['one.ts', 'one.ts', 'one.ts']);
  expect(runs).toBe(1);
  await make('oneself.ts');
  for (const forget of due.splice(0)) forget();
  expect((await workspaceFiles.find(bench.workspace, 'ones')).files[0]).toBe('oneself.ts');
  expect(runs).toBe(2);
});

it('says that there is more than it shows', async () => {
  await make(...Array.from({ length: 60 }, (_, n) => `f${String(n)}.ts`));
  const found = await files().find(bench.workspace, 'f');
  expect(found.files).toHaveLength(50);
  expect(found.complete).toBe(false);
});

it('stops listing when its time is over, with what it has', async () => {
  await make('one.ts');
  const slow: Processes = {
    environment: {},
    async run({ onOutput, signal }) {
      onOutput('stdout', 'one.ts\0two');
      for (const timeUp of due.splice(0)) timeUp();
      expect(signal.aborted).toBe(true);
      return { exitCode: null, signal: null, killed: 'cancelled', leftovers: false, unended: 0 };
    },
  };
  expect(await files({ runSearch: (request) => slow.run(request) }).find(bench.workspace, '')).toEqual({
    files: ['one.ts'],
    complete: false,
  });
});

it('lists a folder as far as it can be read, and says what cannot', async () => {
  const denied: Processes = {
    environment: {},
    run({ onOutput }) {
      onOutput('stdout', 'one.ts\0');
      onOutput('stderr', 'rg: ./lost+found: Permission denied (os error 13)\n');
      return Promise.resolve({ exitCode: 2, signal: null, killed: null, leftovers: false, unended: 0 });
    },
  };
  expect(await files({ runSearch: (request) => denied.run(request) }).list(bench.workspace)).toEqual({
    paths: ['one.ts'],
    problem: 'Some of it cannot be read: rg: ./lost+found: Permission denied (os error 13)',
  });
});

it('holds no more of a huge workspace than it can compare, and says so', async () => {
  let told = 0;
  const huge: Processes = {
    environment: {},
    async run({ onOutput, signal }) {
      while (!signal.aborted) {
        onOutput(
          'stdout',
          `${Array.from({ length: 1_000 }, (_, n) => `d/${String(told + n)}.ts`).join('\0')}\0`,
        );
        told += 1_000;
      }
      return { exitCode: null, signal: null, killed: 'cancelled', leftovers: false, unended: 0 };
    },
  };
  const found = await files({ runSearch: (request) => huge.run(request) }).find(bench.workspace, '19999.ts');
  expect(told).toBe(201_000);
  expect(found.files[0]).toBe('d/19999.ts');
  expect(found.complete).toBe(false);
});

it('is forgotten when the folder is gone, and says what is wrong', async () => {
  await make('one.ts');
  const workspaceFiles = files({
    resolveWorkspace: (path) =>
      runs === 0
        ? Promise.resolve(path)
        : Promise.reject(new AndironError('workspace_invalid', `There is no folder ${path}.`)),
  });
  expect((await workspaceFiles.find(bench.workspace, 'one')).files).toEqual(['one.ts']);
  await expect(workspaceFiles.find(bench.workspace, 'one')).rejects.toMatchObject({
    code: 'workspace_invalid',
  });
});

it('tells a folder that vanishes while it is listed', async () => {
  await rm(bench.workspace, { recursive: true });
  await expect(files().find(bench.workspace, '')).rejects.toMatchObject({ code: 'workspace_invalid' });
});
