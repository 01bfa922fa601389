import {
  chmodSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { rename } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { systemFiles } from './files.ts';
import { renameOver, renameOverNow } from './rename-over.ts';
import { writeAtomic } from './write-atomic.ts';

const failure = (code: string): Error => Object.assign(new Error(`${code}: it was tried`), { code });

/** A disk on which each try meets the next of these failures, and then none. */
function disk(platform: string, ...failures: string[]) {
  const pauses: number[] = [];
  let tries = 0;
  const step = (): void => {
    const code = failures[tries++];
    if (code !== undefined) throw failure(code);
  };
  return {
    pauses,
    tries: () => tries,
    edges: {
      platform,
      rename: async () => step(),
      pause: async (ms: number) => void pauses.push(ms),
    },
    edgesOfNow: { platform, rename: step, pause: (ms: number) => void pauses.push(ms) },
  };
}

describe('A file that takes the place of another (desk-F6)', () => {
  test.each([
    ['is tried again on Windows where a scanner holds it', 'win32', ['EPERM', 'EPERM'], null, 3],
    ['is tried again on Windows where an editor holds it', 'win32', ['EACCES'], null, 2],
    ['is tried again on Windows where OneDrive holds it', 'win32', ['EBUSY', 'EPERM', 'EACCES'], null, 4],
    ['is not tried again on Windows where its folder is gone', 'win32', ['ENOENT'], 'ENOENT', 1],
    ['is not tried again on Windows where the disk is full', 'win32', ['EPERM', 'ENOSPC'], 'ENOSPC', 2],
    ['is given up on Windows in the end', 'win32', Array<string>(30).fill('EPERM'), 'EPERM', 21],
    ['is not tried again on a Mac, where refusing is about rights', 'darwin', ['EPERM'], 'EPERM', 1],
    ['is not tried again on Linux, where refusing is about rights', 'linux', ['EACCES'], 'EACCES', 1],
    ['needs one try where nobody holds it', 'win32', [], null, 1],
  ])('%s', async (_what, platform, failures, expected, tries) => {
    const { edges, ...seen } = disk(platform, ...failures);
    const code = await renameOver('a', 'b', undefined, edges).then(
      () => null,
      (error: unknown) => (error as { code: string }).code,
    );
    expect([code, seen.tries()]).toEqual([expected, tries]);
  });

  test('is waited for from ten to two hundred milliseconds, about two seconds in all', async () => {
    const { edges, pauses } = disk('win32', ...Array<string>(30).fill('EBUSY'));
    await expect(renameOver('a', 'b', undefined, edges)).rejects.toThrow('EBUSY');
    expect([pauses.at(0), pauses.at(1), pauses.at(-1)]).toEqual([10, 20, 200]);
    expect(pauses.reduce((sum, ms) => sum + ms, 0)).toBe(2_100);
  });

  test('is looked at before each try, and left alone once it must not be replaced', async () => {
    const { edges, tries } = disk('win32', 'EPERM', 'EPERM', 'EPERM');
    let looks = 0;
    const check = async (): Promise<void> => {
      looks += 1;
      if (looks === 3) throw failure('EPERM');
    };
    await expect(renameOver('a', 'b', check, edges)).rejects.toThrow('EPERM');
    expect([looks, tries()]).toEqual([3, 2]);
  });

  test.each([
    ['waits at the very end of a process for half a second on Windows', 'win32', 11, 550],
    ['waits for nothing at the end of a process elsewhere', 'darwin', 1, 0],
  ])('%s', (_what, platform, tries, waited) => {
    const { edgesOfNow, ...seen } = disk(platform, ...Array<string>(30).fill('EPERM'));
    expect(() => renameOverNow('a', 'b', edgesOfNow)).toThrow('EPERM');
    expect([seen.tries(), seen.pauses.reduce((sum, ms) => sum + ms, 0)]).toEqual([tries, waited]);
  });
});

/** Runs `meanwhile` while the file is held open for the first time. */
const heldOnce = (meanwhile: () => void) => {
  let isFirst = true;
  return {
    platform: 'win32',
    async rename(from: string, to: string) {
      if (!isFirst) return rename(from, to);
      isFirst = false;
      throw failure('EPERM');
    },
    pause: async () => meanwhile(),
  };
};

describe('A file that a tool writes on Windows', () => {
  let dir: string;
  beforeEach(() => {
    dir = realpathSync(mkdtempSync(join(tmpdir(), 'andiron-rename-')));
    writeFileSync(join(dir, 'a.txt'), 'old');
  });
  afterEach(() => rmSync(dir, { recursive: true, force: true }));

  test('takes its place once a scanner lets go of it (desk-F6)', async () => {
    await writeAtomic(
      join(dir, 'a.txt'),
      'new',
      {},
      heldOnce(() => undefined),
    );
    expect(readFileSync(join(dir, 'a.txt'), 'utf8')).toBe('new');
    expect(readdirSync(dir)).toEqual(['a.txt']);
  });

  test('is refused where an editor saved it while it was waited for (desk-F6)', async () => {
    const expected = await systemFiles.lstat(join(dir, 'a.txt'));
    const renames = heldOnce(() => writeFileSync(join(dir, 'a.txt'), 'saved by the person'));
    await expect(writeAtomic(join(dir, 'a.txt'), 'new', { expect: expected }, renames)).rejects.toMatchObject(
      {
        refusal: 'changed',
      },
    );
    expect(readFileSync(join(dir, 'a.txt'), 'utf8')).toBe('saved by the person');
    expect(readdirSync(dir)).toEqual(['a.txt']);
  });

  test('is refused where it is read-only, in these words (desk-P19)', async () => {
    chmodSync(join(dir, 'a.txt'), 0o444);
    const renames = { ...heldOnce(() => undefined), rename };
    await expect(writeAtomic(join(dir, 'a.txt'), 'new', {}, renames)).rejects.toMatchObject({
      refusal: 'read_only',
      message: `${join(dir, 'a.txt')} is read-only`,
    });
    await writeAtomic(join(dir, 'a.txt'), 'new', {}, { ...renames, platform: 'darwin' });
    expect(readFileSync(join(dir, 'a.txt'), 'utf8')).toBe('new');
  });
});
