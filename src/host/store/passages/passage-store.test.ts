import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openDatabase, type Database } from '../sqlite.ts';
import { createPassageStore, passageTables, type PassageStore } from './passage-store.ts';

let folder: string;
let database: Database;
let store: PassageStore;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'andiron-passages-'));
  database = openDatabase(join(folder, 'passages.db'));
  database.exec(passageTables);
  store = createPassageStore(database);
});
afterEach(() => {
  database.close();
  rmSync(folder, { recursive: true });
});

const put = (path: string, texts: readonly string[], collection = 'a'): void =>
  store.put(
    { collection, path, state: '1', name: path, problem: null },
    texts.map((text, at) => ({ place: `line ${String(at + 1)}`, heading: '', text })),
  );
/** Of length 1, in a plane. */
const vector = (degrees: number): Float32Array =>
  Float32Array.from([Math.cos((degrees * Math.PI) / 180), Math.sin((degrees * Math.PI) / 180)]);
const search = (query: string, degrees: number | null = null, collections = ['a']) =>
  store.search({
    collections,
    query,
    meaning: degrees === null ? null : { digest: 'm', vector: vector(degrees) },
    limit: 5,
  });
const texts = (query: string, degrees: number | null = null): string[] =>
  search(query, degrees).map(({ text }) => text);

/** In the order in which they were put. */
function putVectors(...degrees: number[]): void {
  const numbers = store.withoutVector('m', 100).map(({ number }) => number);
  store.putVectors(
    'm',
    degrees.map((each, at) => ({ number: numbers[at] ?? -1, vector: vector(each) })),
  );
}

test('The passage with the rarest words of a question comes first', () => {
  put('one', ['The pump stands in the cellar.', 'The gasket of the pump is red.']);
  put('two', ['The lamp hangs in the cellar.']);
  expect(texts('the gasket')[0]).toBe('The gasket of the pump is red.');
  expect(texts('unknown word')).toEqual([]);
  expect(texts('"* OR NEAR( AND')).toEqual([]);
});

test('A passage is not found by the words with which a question asks, unless it has no others', () => {
  put('one', ['What it was and who did it.', 'The gasket is red.']);
  expect(texts('What was it about the gasket?')).toEqual(['The gasket is red.']);
  expect(texts('Who did it?')).toEqual(['What it was and who did it.']);
});

test('A word is found in its other forms, without its accents, and in languages without spaces', () => {
  put('one', ['Les pompes à eau sont réglées.', '消防泵的阀门在地下室。', 'Pumps were installed.']);
  expect(texts('reglees')).toEqual(['Les pompes à eau sont réglées.']);
  expect(texts('阀门')).toEqual(['消防泵的阀门在地下室。']);
  expect(texts('installing pump')).toEqual(['Pumps were installed.']);
});

test('The name of a file finds what is in it', () => {
  put('fire safety', ['Leave by the nearest stairs.']);
  expect(texts('safety')).toEqual(['Leave by the nearest stairs.']);
});

test('A passage that shares no word is found by its vector, and says so', () => {
  put('one', ['Alpha.', 'Beta.', 'Gamma.']);
  putVectors(0, 60, 120);
  expect(search('nothing of it', 58)[0]).toMatchObject({ text: 'Beta.', by: 'meaning' });
  expect(search('beta', 58)[0]).toMatchObject({ text: 'Beta.', by: 'both' });
});

test('A passage of words alone is found beside those with vectors', () => {
  put('one', ['Alpha.', 'Beta.']);
  putVectors(0, 10);
  put('two', ['Gamma.']);
  expect(search('gamma', 0).map(({ text, by }) => [text, by])).toContainEqual(['Gamma.', 'words']);
});

test('A search stays within the collections that it is about', () => {
  put('one', ['Alpha.'], 'a');
  put('two', ['Alpha too.'], 'b');
  putVectors(0, 0);
  expect(search('alpha', 0, ['b']).map(({ text }) => text)).toEqual(['Alpha too.']);
  expect(search('alpha', 0, [])).toEqual([]);
});

test('No file fills the answer alone', () => {
  put('one', ['pump a', 'pump b', 'pump c', 'pump d']);
  put('two', ['pump e']);
  put(
    'three',
    Array.from({ length: 12 }, (_, at) => `lamp ${String(at)}`),
  );
  expect(
    search('pump')
      .slice(0, 2)
      .map(({ path }) => path),
  ).toEqual(['one', 'two']);
});

test('The only file that fits fills the answer', () => {
  put('one', ['pump a', 'pump b', 'pump c', 'pump d', 'pump e', 'pump f']);
  put('two', ['lamp']);
  expect(search('pump').map(({ path }) => path)).toEqual(['one', 'one', 'one', 'one', 'one']);
});

test('A changed file has its new passages alone, and what stayed the same keeps its vector', () => {
  put('one', ['Alpha.', 'Beta.']);
  putVectors(0, 90);
  put('one', ['Alpha.', 'Gamma.']);
  expect(texts('beta')).toEqual([]);
  expect(store.withoutVector('m', 10).map(({ text }) => text)).toEqual(['one\nGamma.']);
  expect(search('x', 0)[0]?.text).toBe('Alpha.');
});

test('A vector that comes late never belongs to a text that took its place', () => {
  put('one', ['Alpha.']);
  const [late] = store.withoutVector('m', 1);
  store.drop('a', ['one']);
  put('two', ['Beta.']);
  store.putVectors('m', [{ number: late?.number ?? -1, vector: vector(0) }]);
  expect(store.counts('a', 'm').withVector).toBe(0);
});

test('Vectors of another model are made anew, and never compared', () => {
  put('one', ['Alpha.']);
  putVectors(0);
  expect(store.withoutVector('other', 10)).toHaveLength(1);
  expect(search('x', 0)).toEqual([]);
});

test('Counts say what there is of a collection', () => {
  put('one', ['Alpha.', 'Beta.']);
  store.put({ collection: 'a', path: 'bad', state: '1', name: 'bad', problem: 'It is empty.' }, []);
  putVectors(0);
  expect(store.counts('a', 'm')).toEqual({ files: 2, unread: 1, passages: 2, characters: 11, withVector: 1 });
  expect(store.unread('a', 5)).toEqual([{ path: 'bad', reason: 'It is empty.' }]);
  expect(store.files('a')).toHaveLength(2);
  store.remove('a');
  expect(store.counts('a', 'm')).toMatchObject({ files: 0, passages: 0 });
});

test('A file that could not be read again keeps its passages, and counts as changed', () => {
  put('one', ['The pump stands in the cellar.']);
  store.putFailure({ collection: 'a', path: 'one' }, 'It is away.');
  expect(texts('pump')).toEqual(['The pump stands in the cellar.']);
  expect(store.files('a')).toEqual([{ path: 'one', state: '' }]);
  expect(store.unread('a', 5)).toEqual([{ path: 'one', reason: 'It is away.' }]);
});

test('A file that could never be read is known with its reason', () => {
  store.putFailure({ collection: 'a', path: 'one' }, 'It is away.');
  expect(store.files('a')).toEqual([{ path: 'one', state: '' }]);
  expect(store.unread('a', 5)).toEqual([{ path: 'one', reason: 'It is away.' }]);
});

test('Files that could not be read count as changed once they are to be tried again, and others do not', () => {
  put('one', ['The pump stands in the cellar.']);
  store.put({ collection: 'a', path: 'two', state: '1', name: 'two', problem: 'It is damaged.' }, []);
  store.put({ collection: 'b', path: 'two', state: '1', name: 'two', problem: 'It is damaged.' }, []);
  store.forgetFailed('a');
  const states = ['a', 'b'].map((id) => store.files(id).map(({ path, state }) => [path, state]));
  expect(states).toEqual([
    [
      ['one', '1'],
      ['two', ''],
    ],
    [['two', '1']],
  ]);
});
