/** What a person sees of a session: turns and their items, read in pages from the newest backwards. */
import { z } from 'zod';
import type { Item, Turn, TurnStatus } from '../../protocol/model.ts';
import { itemSchema, turnSchema, turnStatusSchema } from '../../protocol/model.ts';
import { lazyObject } from '../../protocol/lazy-object.ts';
import type { JsonReader } from './json.ts';
import { createResultFileStore } from './result-file-store.ts';
import { createSearchIndex } from './search-index.ts';
import type { Database } from './sqlite.ts';

interface ItemPage {
  items: Item[];
  /** Items with a smaller index exist. */
  hasOlder: boolean;
}

export type TranscriptStore = ReturnType<typeof createTranscriptStore>;

const itemRow = lazyObject(() => ({
  id: z.string(),
  item_index: z.number(),
  turn_id: z.string(),
  body: z.string(),
}));
type ItemRow = z.infer<typeof itemRow>;
const turnRow = lazyObject(() => ({
  id: z.string(),
  session_id: z.string(),
  status: z.string(),
  body: z.string(),
}));
type TurnRow = z.infer<typeof turnRow>;

/** Turns shown when there is no item yet. */
const turnsWithoutItems = 50;

function statementsOf(database: Database) {
  return {
    upsertTurn: database.command<[string, string, string, string]>(`
      INSERT INTO turns (session_id, position, id, status, body)
      VALUES (?1, (SELECT coalesce(max(position) + 1, 0) FROM turns WHERE session_id = ?1), ?2, ?3, ?4)
      ON CONFLICT (id) DO UPDATE SET status = excluded.status, body = excluded.body`),
    deleteTurn: database.command<[string]>('DELETE FROM turns WHERE id = ?'),
    moveLast: database.command<[string, string]>(
      `UPDATE turns SET position = (SELECT max(position) + 1 FROM turns WHERE session_id = ?1)
       WHERE session_id = ?1 AND id = ?2`,
    ),
    replace: database.command<[string, string | null]>(
      `UPDATE turns SET body = json_set(json_remove(body, '$.switchable'), '$.replaced', json('true'))
       WHERE session_id = ?1 AND json_valid(body)
         AND position >= coalesce((SELECT position FROM turns WHERE id = ?2), 0)`,
    ),
    replaceForNow: database.command<[string, string]>(
      `UPDATE turns SET body = json_set(body, '$.replaced', json('true'), '$.switchable', json('true'))
       WHERE session_id = ?1 AND CASE WHEN json_valid(body) THEN json_extract(body, '$.replaced') IS NOT 1 ELSE 0 END
         AND position >= coalesce((SELECT position FROM turns WHERE id = ?2), 0)`,
    ),
    upsertItem: database.command<[string, number, string, string, 0 | 1, string]>(`
      INSERT INTO items (session_id, item_index, id, turn_id, is_open, body) VALUES (?, ?, ?, ?, ?, ?)
      ON CONFLICT (id) DO UPDATE SET is_open = excluded.is_open, body = excluded.body`),
    itemsBefore: database.query<[string, number, number], ItemRow>(
      `SELECT id, item_index, turn_id, body FROM items WHERE session_id = ? AND item_index < ?
       ORDER BY item_index DESC LIMIT ?`,
      itemRow,
    ),
    everyItem: database.query<[string], ItemRow>(
      'SELECT id, item_index, turn_id, body FROM items WHERE session_id = ? ORDER BY item_index',
      itemRow,
    ),
    open: database.query<[string], ItemRow>(
      'SELECT id, item_index, turn_id, body FROM items WHERE turn_id = ? AND is_open = 1 ORDER BY item_index',
      itemRow,
    ),
    lastIndex: database.query<[string], { last: number | null }>(
      'SELECT max(item_index) AS last FROM items WHERE session_id = ?',
      z.object({ last: z.number().nullable() }),
    ),
    turnsSince: database.query<[string, string], TurnRow>(
      `SELECT id, session_id, status, body FROM turns WHERE session_id = ?1 AND position >=
         coalesce((SELECT min(position) FROM turns WHERE id IN (SELECT value FROM json_each(?2))), 0)
       ORDER BY position`,
      turnRow,
    ),
    everyTurn: database.query<[string], TurnRow>(
      'SELECT id, session_id, status, body FROM turns WHERE session_id = ? ORDER BY position',
      turnRow,
    ),
    oneItem: database.query<[string, string], ItemRow>(
      'SELECT id, item_index, turn_id, body FROM items WHERE session_id = ? AND id = ?',
      itemRow,
    ),
    oneTurn: database.query<[string], TurnRow>(
      'SELECT id, session_id, status, body FROM turns WHERE id = ?',
      turnRow,
    ),
    newestTurns: database.query<[string, number], TurnRow>(
      'SELECT id, session_id, status, body FROM turns WHERE session_id = ? ORDER BY position DESC LIMIT ?',
      turnRow,
    ),
    running: database.query<[], TurnRow>(
      "SELECT id, session_id, status, body FROM turns WHERE status = 'running' ORDER BY session_id, position",
      turnRow,
    ),
    queued: database.query<[], { session_id: string }>(
      "SELECT DISTINCT session_id FROM turns WHERE status = 'queued'",
      z.object({ session_id: z.string() }),
    ),
  };
}

export function createTranscriptStore(database: Database, json: JsonReader) {
  const sql = statementsOf(database);
  const searchIndex = createSearchIndex(database);
  const resultFiles = createResultFileStore(database);

  const toItem = (row: ItemRow): Item =>
    json.read(row.body, itemSchema, { table: 'items', id: row.id }) ?? unreadableItem(row);
  const toTurn = (row: TurnRow): Turn =>
    json.read(row.body, turnSchema, { table: 'turns', id: row.id }) ?? unreadableTurn(row);

  return {
    /** Inserts or replaces. */
    saveTurn(sessionId: string, turn: Turn): void {
      database.transaction(() => {
        sql.upsertTurn.run(sessionId, turn.id, columnOf(turn), JSON.stringify(turn));
        if (turn.files) resultFiles.saveFiles(sessionId, turn.files);
      });
    },
    /** Inserts or replaces; an open item is a draft that a crash may leave behind. */
    saveItem(sessionId: string, item: Item): void {
      const isOpen = item.completedAt === null ? 1 : 0;
      database.transaction(() => {
        sql.upsertItem.run(sessionId, item.index, item.id, item.turnId, isOpen, JSON.stringify(item));
        if (isOpen === 0) searchIndex.indexItem(sessionId, item.index, item);
      });
    },
    removeTurn: (turnId: string): void => void sql.deleteTurn.run(turnId),
    /** These turns become the last ones of their session, in this order. */
    placeLast(sessionId: string, turnIds: readonly string[]): void {
      for (const turnId of turnIds) sql.moveLast.run(sessionId, turnId);
    },
    /** This turn and all after it (null = all) make room for another version. */
    replaceTurns: (sessionId: string, fromTurnId: string | null): void =>
      void sql.replace.run(sessionId, fromTurnId),
    /** The same, and their version can be chosen again. */
    replaceForNow: (sessionId: string, fromTurnId: string): void =>
      void sql.replaceForNow.run(sessionId, fromTurnId),
    allTurns: (sessionId: string): Turn[] => sql.everyTurn.all(sessionId).map(toTurn),
    /** All of them, one after the other, in their order; of a view alone. */
    *eachTurn(sessionId: string): Iterable<Turn> {
      for (const row of sql.everyTurn.each(sessionId)) yield toTurn(row);
    },
    *eachItem(sessionId: string): Iterable<Item> {
      for (const row of sql.everyItem.each(sessionId)) yield toItem(row);
    },
    /** Sessions in which a message waits. */
    queuedSessions: (): string[] => sql.queued.all().map((row) => row.session_id),
    item(sessionId: string, itemId: string): Item | null {
      const row = sql.oneItem.get(sessionId, itemId);
      return row ? toItem(row) : null;
    },
    /** The newest `limit` items, or those before `beforeIndex`; in ascending order. */
    pageItems(
      sessionId: string,
      { beforeIndex = Number.MAX_SAFE_INTEGER, limit }: { beforeIndex?: number; limit: number },
    ): ItemPage {
      // One more than asked tells whether there are older ones.
      const rows = sql.itemsBefore.all(sessionId, beforeIndex, limit + 1);
      return { items: rows.slice(0, limit).toReversed().map(toItem), hasOlder: rows.length > limit };
    },
    /** The turns that these items belong to and all later ones; one that was chosen again is later than its items. */
    turnsFor(sessionId: string, items: readonly Item[]): Turn[] {
      const owners = [...new Set(items.map(({ turnId }) => turnId))];
      const rows = items[0]
        ? sql.turnsSince.all(sessionId, JSON.stringify(owners))
        : sql.newestTurns.all(sessionId, turnsWithoutItems).toReversed();
      return rows.map(toTurn);
    },
    /** With the session that it belongs to; null = nobody knows it. */
    turn(turnId: string): { sessionId: string; turn: Turn } | null {
      const row = sql.oneTurn.get(turnId);
      return row ? { sessionId: row.session_id, turn: toTurn(row) } : null;
    },
    /** The turns of these items alone, in their order. */
    turnsOf(items: readonly Item[]): Turn[] {
      const rows = [...new Set(items.map(({ turnId }) => turnId))].map((turnId) => sql.oneTurn.get(turnId));
      return rows.flatMap((row) => (row ? [toTurn(row)] : []));
    },
    nextItemIndex: (sessionId: string): number => (sql.lastIndex.get(sessionId)?.last ?? -1) + 1,
    newestItem: (sessionId: string): Item | undefined =>
      sql.itemsBefore.all(sessionId, Number.MAX_SAFE_INTEGER, 1).map(toItem)[0],
    /** Turns that began and whose close was never written; their end may have been. */
    unclosedTurns: (): { sessionId: string; turn: Turn }[] =>
      sql.running.all().map((row) => ({ sessionId: row.session_id, turn: toTurn(row) })),
    openItems: (turnId: string): Item[] => sql.open.all(turnId).map(toItem),
  };
}

/** In its column a turn runs until it is closed, so that those which a crash left are found without reading all. */
function columnOf({ status, closed }: Turn): TurnStatus {
  return status === 'queued' || closed ? status : 'running';
}

/** Stands where the damaged item stood, so that the person sees that something is missing. */
function unreadableItem(row: ItemRow): Item {
  return {
    kind: 'error',
    id: row.id,
    turnId: row.turn_id,
    index: row.item_index,
    startedAt: 0,
    completedAt: 0,
    cut: false,
    code: 'storage',
    message: 'This part of the conversation is damaged and cannot be shown.',
    advice: '',
  };
}

function unreadableTurn(row: TurnRow): Turn {
  return {
    id: row.id,
    status: turnStatusSchema.catch('failed').parse(row.status),
    text: '',
    profileId: '',
    model: null,
    phase: null,
    phaseSince: null,
    queuedAt: 0,
    startedAt: null,
    endedAt: null,
    closed: true,
    iterations: 0,
    usage: [],
  };
}
