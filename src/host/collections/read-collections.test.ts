import { expect, test } from 'vitest';
import type { Clock } from '../../platform/clock.ts';
import type { FileStat } from '../../platform/files.ts';
import { silentLog } from '../../platform/log.ts';
import { AndironError } from '../../protocol/errors.ts';
import { endFailure } from '../documents/document-words.ts';
import type { KeptCollection } from '../store/collection-store.ts';
import { ToolFailure } from '../tools/tool.ts';
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

/** As large as one sign where it cannot be read. */
const sizeOf = (content: string | Error = ''): number => (typeof content === 'string' ? content.length : 1);

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
  let ms = 0;
  const clock: Clock = {
    now: () => 0,
    monotonic: () => ms,
    after(_ms, run) {
      waiting.push(run);
      return { cancel: () => void waiting.splice(waiting.indexOf(run) >>> 0, 1) };
    },
  };
  const unreadable = new Set<string>();
  const damaged = new Set<string>();
  /** What is in a file, or why it cannot be read; one that is not among them is empty. */
  const contents = new Map<string, string | Error>();
  const found = new Map<string, { passages: number; problem: string | null }>();
  const tries: string[] = [];
  const made = createReading({
    index: {
      files: (id) =>
        damaged.has(id)
          ? refused()
          : Promise.resolve([...filesOf(id)].map(([path, state]) => ({ path, state }))),
      put({ collection: id, path, state, problem }, passages) {
        filesOf(id).set(path, state);
        found.set(path, { passages: passages.length, problem });
        return Promise.resolve();
      },
      putFailure({ collection: id, path }, problem) {
        filesOf(id).set(path, '');
        found.set(path, { passages: found.get(path)?.passages ?? 0, problem });
        return Promise.resolve();
      },
      forgetFailed(id) {
        for (const path of filesOf(id).keys()) if (found.get(path)?.problem) filesOf(id).set(path, '');
        return Promise.resolve();
      },
      drop(id, paths) {
        for (const path of paths) filesOf(id).delete(path);
        return Promise.resolve();
      },
    },
    collections: () => Object.keys(folders).map(collection),
    place: {
      files: {
        realPath: (path) => Promise.resolve(path),
        lstat: (path) =>
          unreadable.has(path) ? refused() : Promise.resolve({ ...stat, size: sizeOf(contents.get(path)) }),
      },
      listFolder: (folder) => folders[folder.slice(1)]?.() ?? refused(),
      roots: { dataDirs: [], workspaces: [], homeDirs: [] },
    },
    text: {
      files: {
        readBytes: refused,
        readChunks: () => ({ [Symbol.asyncIterator]: () => ({ next: refused }) }),
      },
      documents: {
        read({ path }) {
          tries.push(path);
          const content = contents.get(path);
          if (typeof content !== 'string') return content ? Promise.reject(content) : refused();
          const lines = [content];
          return Promise.resolve({ about: '', lines, marks: [], limit: null });
        },
      },
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
  const passMinutes = (minutes: number): void => void (ms += minutes * 60_000);
  const { signal } = new AbortController();
  return { made, readAll, pathsOf, unreadable, damaged, contents, found, tries, passMinutes, signal };
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

const lost = new Error('EIO: i/o error, read');
const damagedFile = new ToolFailure('a.pdf is damaged.');

test('A file that could not be read for a reason that passes is read at a later look', async () => {
  const { made, readAll, contents, found, passMinutes, signal } = reading({ first: listing(['a.pdf']) });
  contents.set('/first/a.pdf', lost);
  await made.refresh(collection('first'), signal);
  expect(found.get('a.pdf')).toEqual({ passages: 0, problem: 'EIO: i/o error, read' });
  contents.set('/first/a.pdf', '?');
  passMinutes(11);
  await readAll();
  expect(found.get('a.pdf')).toEqual({ passages: 1, problem: null });
});

test('A document that took too long on a busy machine is read at a later look', async () => {
  const { made, readAll, contents, found, passMinutes, signal } = reading({ first: listing(['a.pdf']) });
  contents.set('/first/a.pdf', endFailure('a.pdf', 'time'));
  await made.refresh(collection('first'), signal);
  contents.set('/first/a.pdf', '?');
  passMinutes(11);
  await readAll();
  expect(found.get('a.pdf')).toEqual({ passages: 1, problem: null });
});

test('Passages of a file stay where what it is now cannot be read for a reason that passes', async () => {
  const { made, contents, found, signal } = reading({ first: listing(['a.pdf']) });
  contents.set('/first/a.pdf', 'Text.');
  await made.refresh(collection('first'), signal);
  contents.set('/first/a.pdf', lost);
  await made.refresh(collection('first'), signal);
  expect(found.get('a.pdf')).toEqual({ passages: 1, problem: 'EIO: i/o error, read' });
});

test('A file that is damaged is not tried at later looks while it stays as it is', async () => {
  const { made, readAll, contents, found, tries, passMinutes, signal } = reading({
    first: listing(['a.pdf']),
  });
  contents.set('/first/a.pdf', damagedFile);
  await made.refresh(collection('first'), signal);
  passMinutes(11);
  await readAll();
  expect(tries).toHaveLength(1);
  expect(found.get('a.pdf')).toEqual({ passages: 0, problem: 'It is damaged.' });
});

test('A file that has changed is tried although it could not be read a moment ago', async () => {
  const { made, contents, found, signal } = reading({ first: listing(['a.pdf']) });
  contents.set('/first/a.pdf', lost);
  await made.refresh(collection('first'), signal);
  contents.set('/first/a.pdf', 'Another text.');
  await made.refresh(collection('first'), signal);
  expect(found.get('a.pdf')).toEqual({ passages: 1, problem: null });
});

test.each([
  ['for a reason that passes', lost],
  ['since they are damaged', damagedFile],
])('Check again tries files at once that could not be read %s', async (_, error) => {
  const { made, contents, found, readAll, signal } = reading({ first: listing(['a.pdf', 'b.pdf']) });
  contents.set('/first/a.pdf', error).set('/first/b.pdf', 'Text.');
  await made.refresh(collection('first'), signal);
  contents.set('/first/a.pdf', '?');
  made.lookSoon('first');
  await readAll();
  expect(found.get('a.pdf')).toEqual({ passages: 1, problem: null });
});

test('A file that cannot be read is not tried at each look, and each time after a longer pause', async () => {
  const { readAll, contents, tries, passMinutes } = reading({ first: listing(['a.pdf']) });
  contents.set('/first/a.pdf', lost);
  const triesAfter = async (minutes: number): Promise<number> => {
    passMinutes(minutes);
    await readAll();
    return tries.length;
  };
  expect(await triesAfter(0)).toBe(1);
  expect(await triesAfter(9)).toBe(1);
  expect(await triesAfter(2)).toBe(2);
  expect(await triesAfter(11)).toBe(2);
  expect(await triesAfter(10)).toBe(3);
});

test('No search waits for a file that could not be read before', async () => {
  const { made, contents, tries, passMinutes, signal } = reading({ first: listing(['a.pdf']) });
  contents.set('/first/a.pdf', endFailure('a.pdf', 'time'));
  await made.refresh(collection('first'), signal);
  passMinutes(11);
  await made.refresh(collection('first'), signal);
  expect(tries).toHaveLength(1);
  expect(made.lookAt('first')?.waiting.size).toBe(1);
});
