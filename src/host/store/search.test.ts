import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { silentLog } from '../../platform/log.ts';
import type { Item } from '../../protocol/model.ts';
import { threadMs } from '../../../test/helpers/thread-time.ts';
import { createJsonReader } from './json.ts';
import { createSearchStore, type SearchStore } from './search.ts';
import { openReadOnly, type Database } from './sqlite.ts';
import { databaseFile, type Store } from './store.ts';
import { storeFolder, summary, textItem, toolItem, type StoreFolder } from './testing.ts';

let folder: StoreFolder;
let store: Store;
let reader: Database;
/** As the thread has it: another connection, which only reads. */
let searching: SearchStore;
beforeEach(() => {
  folder = storeFolder();
  store = folder.open();
  read();
});
afterEach(() => {
  reader.close();
  folder.remove();
});

function read(): void {
  reader = openReadOnly(join(folder.path, databaseFile));
  searching = createSearchStore(reader, createJsonReader(silentLog));
}

const create = (id: string, title: string, updatedAt = 1): void =>
  store.createSession({
    summary: summary({ id, title, updatedAt }),
    workspaceReal: '/real',
    contextUsage: null,
  });
const say = (index: number, text: string, more: Partial<Item> = {}): void =>
  store.saveItem('s', textItem(index, { text, ...more }));
const found = (query: string, hits = 50): (string | null)[] =>
  searching.search(query, { hits, goOn: () => true }).hits.map(({ itemId }) => itemId);

test('finds titles, messages and answers, and nothing else', () => {
  create('s', 'The apple session');
  say(0, 'An apple a day', { kind: 'user' });
  say(1, 'Apples are fruit');
  say(2, 'I think of apples', { kind: 'thinking' });
  say(3, 'A subagent and its apple', { parentCallId: 'c' });
  store.saveItem(
    's',
    toolItem(4, { args: { kind: 'text', text: 'apple' }, result: '{"kind":"text"} apple' }),
  );
  expect(found('apple')).toEqual([null, 'i1', 'i0']);
  expect(searching.search('fruit', { hits: 50, goOn: () => true })).toEqual({
    hits: [
      {
        sessionId: 's',
        title: 'The apple session',
        itemId: 'i1',
        turnId: 't',
        by: 'model',
        snippet: 'Apples are fruit',
        at: 1,
      },
    ],
    complete: true,
  });
});

test('shows the words of the agent without signs of Markdown, and those of a person as they wrote them', () => {
  create('s', 'x');
  say(0, 'use **bold** pears', { kind: 'user' });
  say(1, 'use **ripe** pears');
  const { hits } = searching.search('pears', { hits: 50, goOn: () => true });
  expect(hits.map(({ snippet }) => snippet)).toEqual(['use ripe pears', 'use **bold** pears']);
});

test('without regard to case in any script, and however accents are stored', () => {
  create('s', 'A session');
  say(0, 'Größe in ЖИЗНЬ and cafe\u0301');
  for (const query of ['GRÖßE', 'größe', 'жизнь', 'CAFÉ']) expect(found(query)).toEqual(['i0']);
});

test('wildcards and quotes are letters like others', () => {
  create('s', 'A session');
  say(0, 'plain words');
  say(1, `100% of a_b and 'quotes' \\ and "more"`);
  for (const query of ['%', '_', "'quotes'", '\\', '"more"', '0% of a_'])
    expect(found(query)).toEqual(['i1']);
  expect(found('p%n')).toEqual([]);
  expect(found('   ')).toEqual([]);
});

test('a snippet is one line around the find', () => {
  create('s', 'A session');
  say(0, `${'before '.repeat(50)}\n\nneedle\n${'after '.repeat(50)}`);
  const [hit] = searching.search('needle', { hits: 50, goOn: () => true }).hits;
  expect(hit?.snippet).toMatch(/^….*before needle after.*…$/);
  expect(hit?.snippet.length).toBeLessThan(200);
});

test('hidden sessions and damaged items are passed over', () => {
  create('s', 'A session');
  say(0, 'needle');
  create('gone', 'needle');
  store.hideSession('gone', 1);
  store.transaction(() => say(1, 'needle', { startedAt: 'x' } as object));
  expect(found('needle')).toEqual(['i0']);
});

test('ends at the wanted number of hits, the newest session first', () => {
  create('s', 'old', 1);
  for (let index = 0; index < 60; index += 1) say(index, 'needle');
  create('new', 'needle', 2);
  const { hits, complete } = searching.search('needle', { hits: 50, goOn: () => true });
  expect(hits).toHaveLength(50);
  expect(complete).toBe(false);
  expect(hits[0]?.sessionId).toBe('new');
});

const places = (hits: number) => {
  const { hits: all, complete } = searching.searchIn('s', 'needle', { hits, goOn: () => true });
  return [all.map(({ itemId }) => itemId), complete];
};

test('of one session finds what was said in it alone, oldest first, and the newest of too much', () => {
  create('other', 'needle');
  store.saveItem('other', { ...textItem(0, { text: 'needle' }), id: 'other_i0' });
  create('s', 'needle');
  for (let index = 0; index < 9; index += 1) say(index, index % 2 === 0 ? 'a NEEDLE' : 'hay');
  expect(places(50)).toEqual([['i0', 'i2', 'i4', 'i6', 'i8'], true]);
  expect(places(2)).toEqual([['i6', 'i8'], false]);
  store.hideSession('s', 1);
  expect(places(50)).toEqual([[], true]);
});

test('a very long session keeps none of the others out', () => {
  create('short', 'old', 1);
  store.saveItem('short', { ...textItem(0, { text: 'needle' }), id: 'short_i0' });
  create('s', 'long and new', 2);
  store.transaction(() => {
    for (let index = 0; index < 2_000; index += 1) say(index, 'hay');
  });
  // Two letters are in no index: all is read.
  let asked = 0;
  const { hits, complete } = searching.search('dl', { hits: 50, goOn: () => (asked += 1) < 600 });
  expect(hits.map(({ itemId }) => itemId)).toEqual(['short_i0']);
  expect(complete).toBe(false);
  // In the order of the index, too: what is far back in one session comes after the end of another.
  store.saveItem('s', { ...textItem(0, { text: 'needle' }) });
  expect(found('needle')).toEqual(['short_i0', 'i0']);
});

test('is ended from outside between pages, and looks through 10,000 items within a second', () => {
  create('s', 'A session');
  store.transaction(() => {
    for (let index = 0; index < 10_000; index += 1) say(index, `words ${String(index)} `.repeat(40));
  });
  let asked = 0;
  const ended = searching.search('zq', { hits: 50, goOn: () => (asked += 1) < 4 });
  expect(ended).toEqual({ hits: [], complete: false });
  const began = threadMs();
  expect(found('words 17 words')).toContain('i17');
  expect(threadMs() - began).toBeLessThan(1_000);
});
