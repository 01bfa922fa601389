/** Finds what was said: titles, messages and answers, newest session first; the end of each before the rest of any. */
import { z } from 'zod';
import type { JsonReader } from './json.ts';
import type { Database } from './sqlite.ts';

interface SearchHit {
  sessionId: string;
  title: string;
  /** null = the title itself. */
  itemId: string | null;
  turnId: string | null;
  /** The words around the find, on one line. */
  snippet: string;
  at: number;
}

interface SearchLimits {
  hits: number;
  /** Asked between pages of items: false ends the search with what was found. */
  goOn: () => boolean;
}

export interface SearchStore {
  /** Without regard to case, in any script. `complete` = everything was looked at. */
  search(query: string, limits: SearchLimits): { hits: SearchHit[]; complete: boolean };
  /** In one session alone: what was said, oldest first; the oldest are left out where there are too many. */
  searchIn(sessionId: string, query: string, limits: SearchLimits): { hits: SearchHit[]; complete: boolean };
}

const pageSize = 500;
/** Characters before and after a find. */
const [before, after] = [40, 120];

const sessionRow = z.object({ id: z.string(), title: z.string(), updated_at: z.number() });
type SessionRow = z.infer<typeof sessionRow>;
const itemRow = z.object({ id: z.string(), item_index: z.number(), turn_id: z.string(), body: z.string() });
type ItemRow = z.infer<typeof itemRow>;

/** As much of an item as is searched. */
const spokenSchema = z.object({
  kind: z.string(),
  text: z.string().optional(),
  startedAt: z.number(),
  parentCallId: z.string().optional(),
});

export function createSearchStore(database: Database, json: JsonReader): SearchStore {
  const sessions = database.query<[], SessionRow>(
    'SELECT id, title, updated_at FROM sessions WHERE deleted_at IS NULL ORDER BY updated_at DESC, id',
    sessionRow,
  );
  // The kind is looked at again: the words may stand inside another item.
  const spokenBefore = database.query<[string, number, number], ItemRow>(
    `SELECT id, item_index, turn_id, body FROM items WHERE session_id = ? AND item_index < ?
       AND (instr(body, '"kind":"user"') > 0 OR instr(body, '"kind":"text"') > 0)
     ORDER BY item_index DESC LIMIT ?`,
    itemRow,
  );

  /** What person and agent said to each other; a subagent's words are its own. */
  function spokenText(row: ItemRow): { text: string; at: number } | null {
    const item = json.read(row.body, spokenSchema, { table: 'items', id: row.id });
    const isSpoken = item?.kind === 'user' || item?.kind === 'text';
    if (!item || !isSpoken || item.text === undefined || item.parentCallId !== undefined) return null;
    return { text: item.text, at: item.startedAt };
  }

  function* pagesOf(sessionId: string): Generator<ItemRow[]> {
    let beforeIndex = Number.MAX_SAFE_INTEGER;
    for (;;) {
      const page = spokenBefore.all(sessionId, beforeIndex, pageSize);
      if (page.length > 0) yield page;
      const last = page.at(-1);
      if (!last || page.length < pageSize) return;
      beforeIndex = last.item_index;
    }
  }

  function hitsOf(
    { sessionId, title }: { sessionId: string; title: string },
    rows: ItemRow[],
    wanted: string,
  ) {
    return rows.flatMap((row): SearchHit[] => {
      const spoken = spokenText(row);
      const snippet = spoken && find(spoken.text, wanted);
      if (!spoken || snippet === null) return [];
      return [{ sessionId, title, itemId: row.id, turnId: row.turn_id, snippet, at: spoken.at }];
    });
  }

  return {
    searchIn(sessionId, query, { hits: most, goOn }) {
      const wanted = fold(query.trim());
      const session = sessions.all().find(({ id }) => id === sessionId);
      const hits: SearchHit[] = [];
      if (wanted === '' || !session) return { hits, complete: true };
      let complete = true;
      for (const rows of pagesOf(sessionId)) {
        hits.push(...hitsOf({ sessionId, title: session.title }, rows, wanted));
        complete = hits.length <= most && goOn();
        if (!complete) break;
      }
      return { hits: hits.slice(0, most).toReversed(), complete };
    },
    search(query, { hits: most, goOn }) {
      const wanted = fold(query.trim());
      const hits: SearchHit[] = [];
      if (wanted === '') return { hits, complete: true };
      const all = sessions.all();
      for (const { id: sessionId, title, updated_at: at } of all) {
        const snippet = find(title, wanted);
        if (snippet !== null) hits.push({ sessionId, title, itemId: null, turnId: null, snippet, at });
      }
      // Page by page in turn: a very long session keeps none of the others out.
      let left = all.map(({ id: sessionId, title }) => ({ sessionId, title, pages: pagesOf(sessionId) }));
      while (left.length > 0) {
        const further: typeof left = [];
        for (const session of left) {
          if (hits.length >= most || !goOn()) return { hits: hits.slice(0, most), complete: false };
          const page = session.pages.next();
          if (page.done) continue;
          hits.push(...hitsOf(session, page.value, wanted));
          further.push(session);
        }
        left = further;
      }
      return { hits: hits.slice(0, most), complete: hits.length <= most };
    },
  };
}

/** Letters that look the same are the same, whatever their case and however their accents are stored. */
const fold = (text: string): string => text.normalize('NFC').toLowerCase();

function find(text: string, wanted: string): string | null {
  const at = fold(text).indexOf(wanted);
  if (at === -1) return null;
  const [from, to] = [Math.max(0, at - before), at + wanted.length + after];
  const whole = text.normalize('NFC');
  const words = whole.slice(from, to).toWellFormed().replaceAll(/\s+/g, ' ').trim();
  return `${from > 0 ? '…' : ''}${words}${to < whole.length ? '…' : ''}`;
}
