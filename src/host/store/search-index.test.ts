/** The index finds what reading everything finds, whatever becomes of sessions and whatever is asked. */
import * as fc from 'fast-check';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { z } from 'zod';
import { silentLog } from '../../platform/log.ts';
import type { Item } from '../../protocol/model.ts';
import { createJsonReader } from './json.ts';
import { migrations } from './migrations/index.ts';
import { createSearchStore, type SearchResult, type SearchStore } from './search.ts';
import { openDatabase, openReadOnly, type Database } from './sqlite.ts';
import { databaseFile, type Store } from './store.ts';
import { storeFolder, summary, textItem, type StoreFolder } from './testing.ts';

let folder: StoreFolder;
let store: Store;
let reader: Database;
let searching: SearchStore;
beforeEach(() => {
  folder = storeFolder();
  open();
});
afterEach(() => {
  reader.close();
  folder.remove();
});

function open(versions?: readonly string[]): void {
  store = folder.open(versions);
  reader = openReadOnly(path());
  searching = createSearchStore(reader, createJsonReader(silentLog));
}

const path = (): string => join(folder.path, databaseFile);
const limits = { hits: 50, goOn: () => true };
const create = (id: string, title = 'A title', updatedAt = 1): void =>
  store.createSession({
    summary: summary({ id, title, updatedAt }),
    workspaceReal: '/w',
    contextUsage: null,
  });
const say = (sessionId: string, index: number, more: Partial<Item>): void =>
  store.saveItem(sessionId, { ...textItem(index, more), id: `${sessionId}_${String(index)}` });
const ask = (query: string): SearchResult => searching.search(query, limits);
const found = (query: string): (string | null)[] => ask(query).hits.map(({ itemId }) => itemId);
const tend = (): void => {
  while (store.tendSearch());
};
const rowsLeft = (): number[] => {
  const database = openDatabase(path());
  const row = z.object({ count: z.number() });
  const counts = ['search_text', 'search_long', 'search_gone'].map((table) =>
    Number(database.query(`SELECT count(*) AS count FROM ${table}`, row).get()?.count),
  );
  database.close();
  return counts;
};

interface Said {
  sessionId: string;
  itemId: string;
  text: string;
}

const fold = (text: string): string => text.normalize('NFC').toLowerCase();

/** What a plain look at every text finds: newest session first, newest words first. */
function plainScan(said: readonly Said[], query: string): string[] {
  const wanted = fold(query.trim());
  return said.filter(({ text }) => fold(text).includes(wanted)).map(({ itemId }) => itemId);
}

const scripts = [
  'ΣΊΣΥΦΟΣ ',
  'ЖИЗНЬ',
  'Straße',
  'İzmir',
  '東京都',
  '你好',
  '🎉👩‍👩‍👧',
  'cafe\u0301',
  'q\u0301\u0323x',
];
const letters = fc.oneof(
  fc.constantFrom(...scripts, ' ', '"', "'", '*', '-', '%', '_', '\0', 'AND', 'NEAR(', '\ud83d', 'ﬁ', 'é'),
  fc.string({ maxLength: 4, unit: 'binary' }),
  fc.string({ maxLength: 6 }),
);
const texts = fc.array(letters, { maxLength: 8 }).map((pieces) => pieces.join(''));

test('An index finds exactly what a plain look at every text finds, in the same order', () => {
  const model = fc.record({
    said: fc.array(fc.tuple(fc.integer({ min: 0, max: 2 }), texts), { maxLength: 25 }),
    queries: fc.array(fc.oneof(letters, texts), { minLength: 1, maxLength: 6 }),
    piece: fc.tuple(fc.nat(), fc.nat(), fc.integer({ min: 1, max: 7 })),
  });
  let run = 0;
  fc.assert(
    fc.property(model, ({ said, queries, piece: [which, from, length] }) => {
      const prefix = `r${String((run += 1))}`;
      const all: Said[] = [];
      store.transaction(() => {
        for (const number of [0, 1, 2]) create(`${prefix}-${String(number)}`, '', number);
        for (const [index, [number, text]] of said.entries()) {
          const sessionId = `${prefix}-${String(number)}`;
          say(sessionId, index, { text, kind: index % 2 === 0 ? 'user' : 'text' });
          all.push({ sessionId, itemId: `${sessionId}_${String(index)}`, text });
        }
      });
      const newestFirst = all.toReversed().toSorted((a, b) => b.sessionId.localeCompare(a.sessionId));
      // As it comes from somewhere inside what was said, too: half a character included.
      const some = said[which % (said.length || 1)]?.[1] ?? '';
      const start = from % (some.length || 1);
      for (const query of [...queries, some.slice(start, start + length)]) {
        if (query.trim() === '') continue;
        expect([query, found(query)]).toEqual([query, plainScan(newestFirst, query).slice(0, 50)]);
        for (const number of [0, 1, 2]) {
          const sessionId = `${prefix}-${String(number)}`;
          const mine = newestFirst.filter((each) => each.sessionId === sessionId);
          const { hits } = searching.searchIn(sessionId, query, limits);
          expect(hits.map(({ itemId }) => itemId)).toEqual(plainScan(mine, query).toReversed());
        }
      }
      for (const number of [0, 1, 2]) store.hideSession(`${prefix}-${String(number)}`, 1);
      store.purgeHidden(2);
    }),
    { numRuns: 60 },
  );
});

test('A question in the language of the index is a text like others', () => {
  create('s');
  const hostile = [
    '"a" OR "b"',
    'text:needle*',
    '^needle',
    'NEAR("a" "b", 2)',
    '{text}: x',
    "'; DROP TABLE items; --",
  ];
  for (const [index, text] of hostile.entries()) say('s', index, { text });
  for (const [index, text] of hostile.entries()) expect(found(text)).toEqual([`s_${String(index)}`]);
  for (const query of [
    '""""""',
    '***',
    '---',
    '\0\0\0',
    '(((',
    'x'.repeat(200),
    '"'.repeat(200),
    '\u0301\u0301\u0301',
  ])
    expect(found(query)).toEqual([]);
});

test('Marks that no letter takes in are looked for like letters, though the index drops them', () => {
  create('s');
  say('s', 0, { text: 'a sq\u0301t and \u0304\u0331 beside' });
  for (const query of ['q\u0301t', 'sq\u0301', 'd \u0331', '\u0331\u0304 b', 'SQ\u0301T AND'])
    expect(found(query)).toEqual(['s_0']);
  expect(found('sqt and')).toEqual([]);
});

test('Words that are still being written are found, and a changed text only by its new words', () => {
  create('s');
  say('s', 0, { text: 'half a sentence', completedAt: null });
  expect(found('sentence')).toEqual(['s_0']);
  say('s', 0, { text: 'a whole paragraph' });
  expect([found('sentence'), found('paragraph')]).toEqual([[], ['s_0']]);
  say('s', 0, { text: 'other words' });
  expect([found('paragraph'), found('other words')]).toEqual([[], ['s_0']]);
});

test('A text that is too long to be indexed at once is read by every search', () => {
  create('s');
  say('s', 0, { text: `${'hay '.repeat(30_000)}needle` });
  expect(found('needle')).toEqual(['s_0']);
  expect(rowsLeft()).toEqual([0, 1, 0]);
});

test('A session that is purged leaves no row in the index, and its number is not used again', () => {
  create('gone');
  for (let index = 0; index < 300; index += 1) say('gone', index, { text: 'needle' });
  say('gone', 300, { text: 'needle '.repeat(20_000) });
  store.hideSession('gone', 1);
  expect(found('needle')).toEqual([]);
  expect(store.restoreSession('gone')).toBe(true);
  expect(found('needle')).toHaveLength(50);
  store.hideSession('gone', 1);
  store.purgeHidden(2);
  create('next');
  say('next', 0, { text: 'hay' });
  expect([found('needle'), found('hay')]).toEqual([[], ['next_0']]);
  tend();
  expect(rowsLeft()).toEqual([1, 0, 0]);
  expect(store.findProblems()).toEqual([]);
});

test('Compacting leaves nothing of purged words in the file', () => {
  create('s');
  create('gone');
  say('s', 0, { text: 'kept words' });
  say('gone', 0, { text: 'Zyx' });
  store.hideSession('gone', 1);
  store.purgeHidden(2);
  store.compact();
  const database = openDatabase(path());
  const blocks = database
    .query('SELECT hex(block) AS block FROM search_text_data', z.object({ block: z.string() }))
    .all()
    .map(({ block }) => Buffer.from(block, 'hex').toString('latin1'));
  database.close();
  expect(blocks.join('')).toContain('kep');
  expect(blocks.join('')).not.toContain('zyx');
  expect(found('kept words')).toEqual(['s_0']);
});

test('A session that is still being written is found by nobody, and what is left of one is removed', () => {
  store.createUnfinished({ summary: summary({ id: 'half' }), workspaceReal: '/w', contextUsage: null });
  for (const index of [0, 1, 2]) say('half', index, { text: 'needle' });
  expect(found('needle')).toEqual([]);
  store.revealSession('half');
  expect(found('needle')).toHaveLength(3);
  store.createUnfinished({ summary: summary({ id: 'left' }), workspaceReal: '/w', contextUsage: null });
  say('left', 0, { text: 'needle' });
  while (!store.removeUnfinished('left', 1));
  tend();
  expect(rowsLeft()).toEqual([3, 0, 0]);
});

test('A database without an index is found through from the start, and indexed bit by bit', () => {
  reader.close();
  folder.remove();
  folder = storeFolder();
  const before = migrations.slice(0, 9);
  const database = openDatabase(path());
  for (const sql of before) database.exec(sql);
  database.pragma(`user_version = ${String(before.length)}`);
  const sessions = database.command<[string]>(
    `INSERT INTO sessions (id, title, workspace, workspace_real, profile_id, pinned, status, created_at, updated_at)
     VALUES (?, '', '/w', '/w', 'developer', 0, 'idle', 1, 1)`,
  );
  const items = database.command<[string, number, string, string]>(
    `INSERT INTO items (session_id, item_index, id, turn_id, is_open, body) VALUES (?, ?, ?, 't', 0, ?)`,
  );
  for (const id of ['a', 'empty', 'b']) sessions.run(id);
  for (let index = 0; index < 450; index += 1) {
    const text = index === 449 ? 'half a needle' : 'a needle '.repeat(index % 9);
    items.run('a', index, `a${String(index)}`, JSON.stringify(textItem(index, { text })));
  }
  items.run('b', 7, 'b7', '{ damaged');
  items.run('b', 8, 'b8', JSON.stringify(textItem(8, { text: 'needle '.repeat(20_000) })));
  database.close();
  open();
  const first = ask('a needle');
  expect(first.hits).toHaveLength(50);
  say('a', 450, { text: 'said a needle since' });
  let steps = 0;
  while (store.tendSearch()) steps += 1;
  expect(steps).toBeGreaterThan(3);
  expect(rowsLeft()).toEqual([451, 1, 0]);
  expect(ask('a needle').hits.slice(1)).toEqual(first.hits.slice(0, 49));
  expect(found('half a needle')).toEqual(['a449']);
  expect(store.findProblems()).toEqual([]);
});
