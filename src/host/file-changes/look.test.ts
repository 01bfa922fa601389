import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { systemFiles } from '../../platform/files.ts';
import { systemEntryPlaces } from '../../platform/place-entry.ts';
import { lookAt, type Seen } from './look.ts';

let root: string;
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'andiron-look-')));
  mkdirSync(join(root, 'work'));
  mkdirSync(join(root, 'outside', 'in'), { recursive: true });
  writeFileSync(join(root, 'outside', 'in', 'a.txt'), 'outside');
});
afterEach(() => rmSync(root, { recursive: true }));

const step = { id: 1, turnId: null, kind: 'change', undoes: null, before: null, after: null } as const;
const rest = { mode: null, afterMode: null, added: 0, removed: 0 };

const look = (path: string): Promise<Seen> =>
  lookAt({ files: systemFiles, places: systemEntryPlaces }, join(root, 'work'), {
    ...step,
    ...rest,
    path: join(root, path),
    shown: path,
  });

test('Nothing is looked at through a link, however far above it stands', async () => {
  symlinkSync('../outside/in', join(root, 'work', 'near'));
  symlinkSync('../outside', join(root, 'work', 'far'));
  for (const path of ['work/near/a.txt', 'work/far/in/a.txt'])
    expect(await look(path)).toEqual({ kind: 'unreachable', why: `${path} is reached through a link.` });
});

test('Nothing outside of the folder is looked at', async () => {
  expect(await look('outside/in/a.txt')).toMatchObject({ kind: 'unreachable' });
});

test('What lies in a folder that is gone is not there, and what lies in a file is unreachable', async () => {
  expect(await look('work/gone/deep/a.txt')).toEqual({ kind: 'none', state: null });
  writeFileSync(join(root, 'work', 'file'), '');
  expect(await look('work/file/a.txt')).toMatchObject({
    why: 'A file stands where the folder of work/file/a.txt was.',
  });
});
