/** Keeps the index of what was said: each item with the transaction that completes it, older ones bit by bit. */
import { z } from 'zod';
import { lazyObject } from '../../protocol/lazy-object.ts';
import type { JsonReader } from './json.ts';
import { indexed, spokenSchema, spokenText, type Spoken } from './search-text.ts';
import type { Database } from './sqlite.ts';

/** Rows of one session in the index. */
export const rowsOfSession = 2 ** 24;

/** A longer text would hold up whoever completes it. Searches read it instead. */
const maxIndexedLength = 100_000;
/** Of one call of `tendSearch`: about as long as a frame of the window. */
const [maxItems, maxCharacters] = [200, 50_000];

export interface SearchIndex {
  /** To be called in the transaction that stores the item. */
  indexItem(sessionId: string, index: number, item: Spoken): void;
}

export interface SearchUpkeep {
  /** Indexes a few items that are older than the index, or drops a few rows of sessions that are gone; false = none is left. */
  tendSearch(): boolean;
  /** Leaves nothing in the index of what was deleted; takes as long as it takes. */
  cleanSearch(): void;
}

const unfilledRow = lazyObject(() => ({ session_id: z.string(), unfilled_below: z.number() }));
const itemRow = lazyObject(() => ({
  id: z.string(),
  item_index: z.number(),
  is_open: z.number(),
  body: z.string(),
}));
const numberRow = lazyObject(() => ({ number: z.number() }));

export function createSearchIndex(database: Database): SearchIndex {
  const put = database.command<[string, number, string]>(
    `INSERT OR REPLACE INTO search_text (rowid, text)
       SELECT number * ${rowsOfSession} + ?2, ?3 FROM search_sessions WHERE session_id = ?1`,
  );
  const putLong = database.command<[string, number]>(
    `INSERT OR IGNORE INTO search_long (place)
       SELECT number * ${rowsOfSession} + ?2 FROM search_sessions WHERE session_id = ?1`,
  );
  return {
    indexItem(sessionId, index, item) {
      const text = spokenText(item);
      if (text === null || index >= rowsOfSession) return;
      if (text.length > maxIndexedLength) putLong.run(sessionId, index);
      else put.run(sessionId, index, indexed(text));
    },
  };
}

export function createSearchUpkeep(database: Database, json: JsonReader): SearchUpkeep {
  const index = createSearchIndex(database);
  const unfilled = database.query<[], z.infer<typeof unfilledRow>>(
    'SELECT session_id, unfilled_below FROM search_sessions WHERE unfilled_below > 0 ORDER BY number DESC LIMIT 1',
    unfilledRow,
  );
  const itemsBelow = database.query<[string, number, number], z.infer<typeof itemRow>>(
    `SELECT id, item_index, is_open, body FROM items WHERE session_id = ? AND item_index < ?
     ORDER BY item_index DESC LIMIT ?`,
    itemRow,
  );
  const setFilled = database.command<[string, number]>(
    'UPDATE search_sessions SET unfilled_below = ?2 WHERE session_id = ?1',
  );
  const gone = database.query<[], z.infer<typeof numberRow>>(
    'SELECT number FROM search_gone LIMIT 1',
    numberRow,
  );
  const removals = (['search_text', 'search_long'] as const).map((table) => {
    const row = table === 'search_text' ? 'rowid' : 'place';
    return database.command<[number, number, number]>(
      `DELETE FROM ${table} WHERE ${row} IN
         (SELECT ${row} FROM ${table} WHERE ${row} BETWEEN ? AND ? LIMIT ?)`,
    );
  });
  const forget = database.command<[number]>('DELETE FROM search_gone WHERE number = ?');

  /** Newest first: those are looked for most. */
  function fill(sessionId: string, below: number): void {
    const rows = itemsBelow.all(sessionId, below, maxItems);
    let characters = 0;
    let next = 0;
    for (const [at, { id, item_index, is_open, body }] of rows.entries()) {
      const item = is_open === 0 && json.read(body, spokenSchema, { table: 'items', id });
      if (item) index.indexItem(sessionId, item_index, item);
      characters += body.length;
      next = at === maxItems - 1 || characters >= maxCharacters ? item_index : 0;
      if (next > 0) break;
    }
    setFilled.run(sessionId, next);
  }

  function removeSome(number: number): void {
    const first = number * rowsOfSession;
    const removed = removals.map((remove) => remove.run(first, first + rowsOfSession - 1, maxItems));
    if (removed.every((count) => count < maxItems)) forget.run(number);
  }

  function tendSearch(): boolean {
    const [left, session] = [gone.get(), unfilled.get()];
    if (!left && !session) return false;
    database.transaction(() => {
      if (left) removeSome(left.number);
      else if (session) fill(session.session_id, session.unfilled_below);
    });
    return true;
  }

  return {
    tendSearch,
    cleanSearch() {
      for (let left = gone.get(); left; left = gone.get()) removeSome(left.number);
      database.exec("INSERT INTO search_text (search_text) VALUES ('optimize')");
    },
  };
}
