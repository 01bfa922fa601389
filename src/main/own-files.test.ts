import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { electron, resetElectron } from '../../test/helpers/electron-stub.ts';
import type { FileOutcome } from '../protocol/desktop.ts';
import { fileActionSchema, openOwnFile } from './own-files.ts';

let dir: string;
beforeEach(() => {
  resetElectron();
  dir = realpathSync(mkdtempSync(join(tmpdir(), 'andiron-own-files-')));
  for (const folder of ['data', 'work', 'work/src', 'work-other']) mkdirSync(join(dir, folder));
  for (const file of ['data/main.log', 'work/src/a.ts', 'work-other/b.txt', 'secret.txt']) {
    writeFileSync(join(dir, file), 'x');
  }
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const ask = (
  action: 'show' | 'open',
  path: string,
  { sessionId = 's1', platform = 'linux' }: { sessionId?: string | null; platform?: NodeJS.Platform } = {},
): Promise<FileOutcome> =>
  openOwnFile(
    { action, sessionId, path },
    {
      dataDir: join(dir, 'data'),
      workspaceOf: (id) => (id === 's1' ? join(dir, 'work') : null),
      platform,
    },
  );

describe('a file of the session', () => {
  test('is shown where it lies, and opened, by its path in the folder or its whole path', async () => {
    const file = join(dir, 'work/src/a.ts');
    expect(await ask('show', 'src/a.ts')).toBe('done');
    expect(await ask('open', file)).toBe('done');
    expect(await ask('open', '.')).toBe('done');
    expect([electron.shownPaths, electron.openedPaths]).toEqual([[file], [file, join(dir, 'work')]]);
  });

  test('is not found where there is none, and the system may fail to open it', async () => {
    expect(await ask('open', 'src/gone.ts')).toBe('missing');
    expect(await ask('show', 'src/a.ts/deeper')).toBe('missing');
    electron.openPathFails = 'No program is there for it.';
    expect(await ask('open', 'src/a.ts')).toBe('failed');
    expect(electron.shownPaths).toEqual([]);
  });
});

test('the data folder is open to every session, and to none', async () => {
  expect(await ask('show', join(dir, 'data/main.log'))).toBe('done');
  expect(await ask('show', 'main.log', { sessionId: null })).toBe('done');
  expect(await ask('show', 'main.log', { sessionId: 'unknown' })).toBe('done');
});

test('nothing else is: not beside the folder, not above it, not behind a link, not of another session', async () => {
  symlinkSync(join(dir, 'secret.txt'), join(dir, 'work/link.txt'));
  symlinkSync(dir, join(dir, 'work/up'));
  const paths = [
    '../secret.txt',
    join(dir, 'work-other/b.txt'),
    '..',
    '/',
    'link.txt',
    'up/secret.txt',
    'src/../../secret.txt',
  ];
  for (const path of paths) {
    expect([path, await ask('open', path), await ask('show', path)]).toEqual([path, 'outside', 'outside']);
  }
  expect(await ask('show', join(dir, 'work/src/a.ts'), { sessionId: 'unknown' })).toBe('outside');
  expect([electron.shownPaths, electron.openedPaths]).toEqual([[], []]);
});

describe('what the system should not open is shown instead', () => {
  test('where the file says so itself', async () => {
    for (const name of ['go', 'go.txt']) {
      writeFileSync(join(dir, 'work', name), '#!/bin/sh');
      chmodSync(join(dir, 'work', name), 0o755);
      expect([name, await ask('open', name)]).toEqual([name, 'shown']);
    }
    expect([electron.shownPaths, electron.openedPaths]).toEqual([
      [join(dir, 'work/go'), join(dir, 'work/go.txt')],
      [],
    ]);
  });

  test.each([
    ['notes.md', 'win32', 'done'],
    ['chart.PNG', 'linux', 'done'],
    ['paper.pdf', 'darwin', 'done'],
    ['page.html', 'linux', 'shown'],
    ['report.docm', 'win32', 'shown'],
    ['query.iqy', 'win32', 'shown'],
    ['run.EXE', 'win32', 'shown'],
    ['build.js', 'linux', 'shown'],
    ['run.exe::$DATA', 'win32', 'shown'],
    ['run.exe. .', 'win32', 'shown'],
    ['script.py', 'darwin', 'shown'],
    ['start.desktop', 'linux', 'shown'],
    ['nothing-of-a-kind', 'linux', 'shown'],
  ] as const)('%s on %s: %s (audit-S24)', async (name, platform, outcome) => {
    writeFileSync(join(dir, 'work', name), 'x');
    expect(await ask('open', name, { platform })).toBe(outcome);
    expect(electron.openedPaths).toHaveLength(outcome === 'done' ? 1 : 0);
  });

  test.each([
    ['Tool.app', 'darwin'],
    ['Panel.{21EC2020-3AEA-1069-A2DD-08002B30309D}', 'win32'],
  ] as const)(
    'a folder named %s on %s is not opened, since it is more than a folder',
    async (name, platform) => {
      mkdirSync(join(dir, 'work', name));
      expect(await ask('open', name, { platform })).toBe('shown');
      expect(electron.openedPaths).toEqual([]);
    },
  );
});

test.each([
  {},
  { action: 'delete', sessionId: null, path: 'x' },
  { action: 'open', sessionId: 1, path: 'x' },
  { action: 'open', sessionId: null, path: '' },
  { action: 'open', sessionId: null, path: 'x'.repeat(5000) },
])('%j is nothing that a page may ask', (asked) => {
  expect(fileActionSchema.safeParse(asked).success).toBe(false);
});
