/** Folders that another process swaps for links between a look and the act: nothing is read, written or left outside. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { workbench, type Workbench } from '../../src/host/tools/testing.ts';
import { systemFiles } from '../../src/platform/files.ts';
import { startSwapper } from '../helpers/folder-swapper.ts';

const minSwaps = 3_000;
const minTries = 2_000;
const minDone = 3;
/** Of one race, on a machine that is too busy for it. */
const limitMs = 40_000;

let bench: Workbench;
let outside: string;
beforeEach(() => {
  bench = workbench();
  outside = join(bench.root, 'outside');
  mkdirSync(join(outside, 'deep'), { recursive: true });
  bench.write('sub/deep/file.txt', 'inside\n');
  writeFileSync(join(outside, 'deep', 'file.txt'), 'secret\n');
});
afterEach(() => bench.remove());

/**
 * Tries the act while the folder is swapped, until both happened often enough, and the act went through often enough to
 * show something. Refusals are what is wanted; how many there are between two that went through is chance.
 */
async function race(act: (n: number) => Promise<void>, isEnough = (): boolean => true): Promise<void> {
  const swapper = await startSwapper(join(bench.workspace, 'sub'), outside);
  const began = Date.now();
  const isOver = (): boolean => Date.now() - began >= limitMs;
  let tries = 0;
  for (; !isOver() && !(swapper.swaps() > minSwaps && tries >= minTries && isEnough()); tries++)
    await act(tries).catch(() => undefined);
  expect(await swapper.stop()).toBeGreaterThan(minSwaps);
  expect(tries).toBeGreaterThanOrEqual(minTries);
}

const path = (): string => join(bench.workspace, 'sub', 'deep', 'file.txt');

// Only Linux has a way to name what is in an opened folder.
const isLinux = process.platform === 'linux';

test.runIf(isLinux)('a file is never read through a folder that becomes a link (audit-S14)', async () => {
  const seen = { inside: 0, secret: 0 };
  await race(
    async () => {
      const text = Buffer.from(await systemFiles.readBytes(path(), 100)).toString();
      if (text === 'inside\n') seen.inside++;
      if (text === 'secret\n') seen.secret++;
    },
    () => seen.inside >= minDone,
  );
  expect(seen.inside).toBeGreaterThanOrEqual(minDone);
  expect(seen.secret).toBe(0);
});

test.runIf(isLinux)(
  'neither a draft nor a file appears behind a folder that becomes a link (audit-S14)',
  async () => {
    let written = 0;
    const left = new Set<string>();
    await race(
      async (n) => {
        const content = n % 2 === 0 ? 'inside\n' : 'inside, once more\n';
        await systemFiles.writeAtomic(path(), content).then(
          () => written++,
          () => undefined,
        );
        for (const name of readdirSync(join(outside, 'deep'))) left.add(name);
      },
      () => written >= minDone,
    );
    expect(written).toBeGreaterThanOrEqual(minDone);
    expect([...left]).toEqual(['file.txt']);
    expect(readFileSync(join(outside, 'deep', 'file.txt'), 'utf8')).toBe('secret\n');
    expect(readdirSync(join(bench.workspace, 'sub', 'deep'))).toEqual(['file.txt']);
  },
);

test.runIf(isLinux)(
  'a folder that becomes a link is neither listed nor made anew behind it (audit-S14)',
  async () => {
    const names = new Set<string>();
    writeFileSync(join(outside, 'deep', 'listed.txt'), '');
    await race(async (n) => {
      for (const { name } of await systemFiles.readRealFolder(join(path(), '..'))) names.add(name);
      const made = join(bench.workspace, 'sub', `new-${String(n % 50)}`, 'file.txt');
      await systemFiles.writeAtomic(made, 'new\n', { makesFolders: true });
    });
    expect([...names]).toEqual(['file.txt']);
    expect(readdirSync(outside)).toEqual(['deep']);
    expect(readdirSync(join(bench.workspace, 'sub')).length).toBeGreaterThan(10);
  },
);

test.runIf(isLinux)('a file behind a folder that becomes a link is never removed (audit-S14)', async () => {
  let removed = 0;
  await race(
    async () => {
      await systemFiles.remove(path());
      removed++;
    },
    () => removed >= minDone,
  );
  expect(removed).toBeGreaterThanOrEqual(minDone);
  expect(readdirSync(join(outside, 'deep'))).toEqual(['file.txt']);
});
