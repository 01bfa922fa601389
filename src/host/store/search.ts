/** Finds what was said: titles, messages and answers, newest session first; the end of each before the rest of any. */
import { z } from 'zod';
import type { JsonReader } from './json.ts';
import { rowsOfSession } from './search-index.ts';
import { candidateQuery, fold, snippetOf, spokenSchema, spokenText, withoutSigns } from './search-text.ts';
import type { Database } from './sqlite.ts';

interface SearchHit {
  sessionId: string;
  title: string;
  /** null = the title itself. */
  itemId: string | null;
  turnId: string | null;
  /** Who said it; null = the title. */
  by: 'person' | 'model' | null;
  /** The words around the find, on one line. */
  snippet: string;
  at: number;
}

export interface SearchResult {
  hits: SearchHit[];
  /** Everything was looked at. */
  complete: boolean;
}

interface SearchLimits {
  hits: number;
  /** Asked again and again: false ends the search with what was found. */
  goOn: () => boolean;
}

export interface SearchStore {
  /** Without regard to case, in any script. */
  search(query: string, limits: SearchLimits): SearchResult;
  /** In one session alone: what was said, oldest first; the oldest are left out where there are too many. */
  searchIn(sessionId: string, query: string, limits: SearchLimits): SearchResult;
}

/** So many items at the end of each session are looked at before the ones before them. */
const pageSize = 500;

const sessionRow = z.object({
  id: z.string(),
  title: z.string(),
  updated_at: z.number(),
  number: z.number(),
  unfilled_below: z.number(),
  last: z.number(),
});
type SessionRow = z.infer<typeof sessionRow>;
const itemRow = z.object({ id: z.string(), turn_id: z.string(), body: z.string() });
type ItemRow = z.infer<typeof itemRow>;
const placesRow = z.object({ places: z.string() });
const places = z.array(z.number());

const columns = 'id, turn_id, body';

export function createSearchStore(database: Database, json: JsonReader): SearchStore {
  const sessions = database.query<[], SessionRow>(
    `SELECT id, title, updated_at, number, unfilled_below,
       (SELECT coalesce(max(item_index), 0) FROM items WHERE session_id = sessions.id) AS last
     FROM sessions JOIN search_sessions ON session_id = id WHERE deleted_at IS NULL ORDER BY updated_at DESC, id`,
    sessionRow,
  );
  // The kind is looked at again: the words may stand inside another item.
  const spokenBetween = database.query<[string, number, number], ItemRow>(
    `SELECT ${columns} FROM items WHERE session_id = ? AND item_index > ? AND item_index <= ?
       AND (instr(body, '"kind":"user"') > 0 OR instr(body, '"kind":"text"') > 0)
     ORDER BY item_index DESC`,
    itemRow,
  );
  const oneItem = database.query<[string, number], ItemRow>(
    `SELECT ${columns} FROM items WHERE session_id = ? AND item_index = ?`,
    itemRow,
  );
  // As one text: tens of thousands of rows would each be checked.
  const candidates = database.query<[string, number, number], { places: string }>(
    `SELECT json_group_array(place) AS places FROM (
       SELECT rowid AS place FROM search_text WHERE search_text MATCH ?1 AND rowid BETWEEN ?2 AND ?3
       UNION ALL SELECT place FROM search_long WHERE place BETWEEN ?2 AND ?3
       UNION ALL SELECT number * ${rowsOfSession} + item_index
         FROM items JOIN search_sessions USING (session_id) WHERE is_open = 1)
     WHERE place BETWEEN ?2 AND ?3`,
    placesRow,
  );

  function hitOf({ id, title }: SessionRow, row: ItemRow | undefined, wanted: string): SearchHit | null {
    const item = row && json.read(row.body, spokenSchema, { table: 'items', id: row.id });
    const text = item ? spokenText(item) : null;
    const by = item?.kind === 'user' ? 'person' : 'model';
    // What a person wrote is shown as they wrote it.
    const snippet = text === null ? null : snippetOf(text, wanted, by === 'model' ? withoutSigns : undefined);
    if (!row || !item || snippet === null) return null;
    return { sessionId: id, title, itemId: row.id, turnId: row.turn_id, by, snippet, at: item.startedAt };
  }

  /** By the index, or where it cannot help by reading all: in the order of pages, then sessions, then newest first. */
  function* look(among: SessionRow[], wanted: string): Generator<SearchHit | null> {
    const query = candidateQuery(wanted);
    const isIndexed = query !== null && among.every((session) => session.unfilled_below === 0);
    if (isIndexed) yield* lookUp(among, wanted, query);
    else yield* readAll(among, wanted);
  }

  function* lookUp(among: SessionRow[], wanted: string, query: string): Generator<SearchHit | null> {
    const only = among.length === 1 ? among[0] : undefined;
    const [from, to] = only
      ? [only.number * rowsOfSession, (only.number + 1) * rowsOfSession - 1]
      : [0, Number.MAX_SAFE_INTEGER];
    const found = places.parse(JSON.parse(candidates.get(query, from, to)?.places ?? '[]'));
    const ranks = new Map(among.map(({ number }, rank) => [number, rank]));
    // One number for each, so that very many of them are put in order within a moment.
    const order = new Float64Array(found.length);
    let count = 0;
    for (const place of found) {
      const rank = ranks.get(Math.floor(place / rowsOfSession));
      const session = rank === undefined ? undefined : among[rank];
      if (rank === undefined || !session) continue;
      const back = session.last - (place % rowsOfSession);
      const page = Math.floor(back / pageSize);
      order[count] = (page * among.length + rank) * rowsOfSession + back;
      count += 1;
    }
    for (const key of order.subarray(0, count).toSorted()) {
      const session = among[Math.floor(key / rowsOfSession) % among.length];
      if (!session) continue;
      yield hitOf(session, oneItem.get(session.id, session.last - (key % rowsOfSession)), wanted);
    }
  }

  /** Page by page in turn: a very long session keeps none of the others out. */
  function* readAll(among: SessionRow[], wanted: string): Generator<SearchHit | null> {
    let left = among;
    for (let read = 0; left.length > 0; read += pageSize) {
      left = left.filter(({ last }) => last >= read);
      for (const session of left) {
        const rows = spokenBetween.all(session.id, session.last - read - pageSize, session.last - read);
        for (const row of rows) yield hitOf(session, row, wanted);
        yield null;
      }
    }
  }

  return {
    searchIn(sessionId, query, limits) {
      const wanted = fold(query.trim());
      const among = wanted === '' ? [] : sessions.all().filter(({ id }) => id === sessionId);
      const { hits, complete } = collect([], look(among, wanted), limits);
      return { hits: hits.toReversed(), complete };
    },
    search(query, limits) {
      const wanted = fold(query.trim());
      if (wanted === '') return { hits: [], complete: true };
      const among = sessions.all();
      const titles = among.flatMap(({ id: sessionId, title, updated_at: at }) => {
        const snippet = snippetOf(title, wanted);
        const hit = { sessionId, title, itemId: null, turnId: null, by: null, at };
        return snippet === null ? [] : [{ ...hit, snippet }];
      });
      return collect(titles, look(among, wanted), limits);
    },
  };
}

function collect(hits: SearchHit[], found: Iterable<SearchHit | null>, limits: SearchLimits): SearchResult {
  for (const hit of found) {
    if (hit) hits.push(hit);
    if (hits.length > limits.hits || !limits.goOn())
      return { hits: hits.slice(0, limits.hits), complete: false };
  }
  return { hits: hits.slice(0, limits.hits), complete: hits.length <= limits.hits };
}
