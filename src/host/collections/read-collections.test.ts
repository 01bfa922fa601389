import { expect, test } from 'vitest';
import type { Clock } from '../../platform/clock.ts';
import type { FileStat } from '../../platform/files.ts';
import { silentLog } from '../../platform/log.ts';
import { AndironError } from '../../protocol/errors.ts';
import type { KeptCollection } from '../store/collection-store.ts';
import { createReading } from './read-collections.ts';

const collection = (id: string): KeptCollection => ({
  id,
  userId: 'owner',
  name: id,
  folder: `/${id}`,
  files: [],
});
const stat: FileStat = {
  kind: 'file',
  size: 0,
  modifiedMs: 1,
  changedMs: 1,
  mode: 0o644,
  identity: '1',
  links: 1,
};
const refused = (): Promise<never> => Promise.reject(new Error('Nothing is opened here.'));

type Listing = () => Promise<{ paths: string[]; problem: string | null }>;

/** Files of folders as they are listed; what is read of them goes into `indexed`. */
function reading(folders: Record<string, Listing>) {
  const indexed = new Map<string, Map<string, string>>();
  const filesOf = (id: string): Map<string, string> => {
    const known = indexed.get(id) ?? new Map<string, string>();
    indexed.set(id, known);
    return known;
  };
  const waiting: (() => void)[] = [];
  const clock: Clock = {
    now: () => 0,
    monotonic: () => 0,
    after(_ms, run) {
      waiting.push(run);
      return { cancel: () => void waiting.splice(waiting.indexOf(run) >>> 0, 1) };
    },
  };
  const unreadable = new Set<string>();
  const damaged = new Set<string>();
  const made = createReading({
    index: {
      files: (id) =>
        damaged.has(id)
          ? refused()
          : Promise.resolve([...filesOf(id)].map(([path, state]) => ({ path, state }))),
      put: ({ collection: id, path, state }) => Promise.resolve(void filesOf(id).set(path, state)),
      drop(id, paths) {
        for (const path of paths) filesOf(id).delete(path);
        return Promise.resolve();
      },
    },
    collections: () => Object.keys(folders).map(collection),
    place: {
      files: {
        realPath: (path) => Promise.resolve(path),
        lstat: (path) => (unreadable.has(path) ? refused() : Promise.resolve(stat)),
      },
      listFolder: (folder) => folders[folder.slice(1)]?.() ?? refused(),
      roots: { dataDirs: [], workspaces: [], homeDirs: [] },
    },
    text: {
      files: {
        readBytes: refused,
        readChunks: () => ({ [Symbol.asyncIterator]: () => ({ next: refused }) }),
      },
      documents: { read: refused },
      readPage: refused,
    },
    onChange: () => undefined,
    onPassages: () => undefined,
    clock,
    log: silentLog,
  });
  /** Everything is looked at in the background, and has been read. */
  const readAll = async (): Promise<void> => {
    for (const begin of waiting.splice(0)) begin();
    await expect.poll(() => waiting.length).toBeGreaterThan(0);
  };
  const pathsOf = (id: string): string[] => [...filesOf(id).keys()];
  return { made, readAll, pathsOf, unreadable, damaged, signal: new AbortController().signal };
}

const listing =
  (paths: string[], problem: string | null = null): Listing =>
  () =>
    Promise.resolve({ paths, problem });
const denied: Listing = () =>
  Promise.reject(new AndironError('workspace_invalid', 'The files of /first cannot be listed: denied.'));

test('A collection that cannot be listed keeps no other from being read', async () => {
  const { made, readAll, pathsOf } = reading({ first: denied, second: listing(['a.md']) });
  await readAll();
  expect(pathsOf('second')).toEqual(['a.md']);
  expect(made.lookAt('second')).toMatchObject({ standing: 'there', problem: null });
});

test('A collection whose index fails keeps no other from being read', async () => {
  const { damaged, readAll, pathsOf } = reading({ first: listing(['a.md']), second: listing(['a.md']) });
  damaged.add('first');
  await readAll();
  expect(pathsOf('second')).toEqual(['a.md']);
});

test('A collection that cannot be listed keeps its index and says why', async () => {
  const folders = { first: listing(['a.md']) };
  const { made, pathsOf, signal } = reading(folders);
  await made.refresh(collection('first'), signal);
  folders.first = denied;
  await made.refresh(collection('first'), signal);
  expect(pathsOf('first')).toEqual(['a.md']);
  expect(made.lookAt('first')).toMatchObject({
    standing: 'unlisted',
    files: 1,
    problem: 'The files of /first cannot be listed: denied.',
  });
});

test('What a listing in part has is read, and nothing that it lacks is dropped', async () => {
  const folders = { first: listing(['a.md', 'b.md']) };
  const { made, pathsOf, signal } = reading(folders);
  await made.refresh(collection('first'), signal);
  folders.first = listing(['b.md', 'c.md'], 'Listing its files took too long.');
  await made.refresh(collection('first'), signal);
  expect(pathsOf('first')).toEqual(['a.md', 'b.md', 'c.md']);
  expect(made.lookAt('first')).toMatchObject({
    standing: 'there',
    files: 3,
    problem: 'Listing its files took too long.',
  });
});

test('A file of which the disk does not tell is not dropped', async () => {
  const { made, pathsOf, unreadable, signal } = reading({ first: listing(['a.md', 'b.md']) });
  await made.refresh(collection('first'), signal);
  unreadable.add('/first/a.md');
  await made.refresh(collection('first'), signal);
  expect(pathsOf('first')).toEqual(['a.md', 'b.md']);
});

test('A folder that is empty of a sudden keeps its index, and one that lost some files does not', async () => {
  const folders = { first: listing(['a.md', 'b.md']) };
  const { made, pathsOf, signal } = reading(folders);
  await made.refresh(collection('first'), signal);
  folders.first = listing(['b.md']);
  await made.refresh(collection('first'), signal);
  expect(pathsOf('first')).toEqual(['b.md']);
  folders.first = listing([]);
  await made.refresh(collection('first'), signal);
  expect(pathsOf('first')).toEqual(['b.md']);
  expect(made.lookAt('first')?.standing).toBe('empty');
});
