/** Copies of sessions: forked here, written to a file, read from one. A fork is an import of an export (2.1, L2). */
import type { Clock, NewId } from '../../platform/clock.ts';
import { AndironError } from '../../protocol/errors.ts';
import type { Item, SessionSummary, Turn } from '../../protocol/model.ts';
import { countTurns } from '../../protocol/session-tokens.ts';
import type { Store } from '../store/store.ts';
import type { Attachments } from '../attachments/attachments.ts';
import { visibleName } from '../../rules/visible-text/visible-text.ts';
import { repairHistory } from './history.ts';
import { toMarkdown } from './markdown.ts';
import { filesOf, packFiles, unpackFiles, withPlacesHere } from './packed-files.ts';
import { keptResults, offeringOnly, packResults, unpackResults, type KeptResults } from './packed-results.ts';
import { snapshotsIn } from './imported-file.ts';
import { nothingImported, readSnapshot, takeSnapshot, type SessionSnapshotFile } from './snapshot.ts';
import { inFolder } from './opening-folder.ts';
import { markOrigin } from './taint.ts';

const longestTitle = 200;

export interface ForkFrom {
  /** The last turn of the copy; all of them without it. */
  turnId?: string | undefined;
  /** The folder of the copy; without it that of the session. */
  workspace?: string | undefined;
}

export interface Archive {
  /** Up to and including that turn; without one up to now, from a running session too. */
  fork(sessionId: string, from: ForkFrom): Promise<SessionSummary>;
  export(sessionId: string): Promise<SessionSnapshotFile>;
  exportMarkdown(sessionId: string): string;
  /** Throws `snapshot_invalid`; then nothing was changed. `notices`: what is not as it was, in words for the person. */
  import(raw: unknown): Promise<{ session: SessionSummary; notices: string[] }>;
  /** One file at a time, session by session. Rejects where no session of it could be imported, or the signal fired. */
  importFile(chunks: () => AsyncIterable<Uint8Array>, signal: AbortSignal): Promise<ImportedFile>;
}

export interface ArchiveDeps {
  store: Store;
  clock: Clock;
  newId: NewId;
  attachments: Pick<Attachments, 'read' | 'restore' | 'pathOf'>;
  platform: string;
  resolveWorkspace(path: string): Promise<string>;
  /** Makes a new and empty folder for an imported session. Returns its real path. */
  emptyFolder(sessionId: string): Promise<string>;
  /** What the session has not written yet is written. */
  settle(sessionId: string): void;
  onCreated(session: SessionSummary): void;
}

export interface ImportedFile {
  sessions: SessionSummary[];
  notices: string[];
  /** Why the rest of the file was not imported; null = all of it was. */
  failed: { message: string; advice: string } | null;
}

interface Target {
  id: string;
  workspace: string;
  workspaceReal: string;
  importedFrom: string | null;
}

export function createArchive(deps: ArchiveDeps): Archive {
  const { store, clock, newId, platform, attachments } = deps;

  let importing: Promise<unknown> = Promise.resolve();

  const take = (sessionId: string, upTo?: string): SessionSnapshotFile => {
    deps.settle(sessionId);
    return takeSnapshot(sessionId, upTo, { store, platform, now: clock.now() });
  };

  /** All of it or nothing. */
  const write = (
    file: SessionSnapshotFile,
    target: Target,
    results: KeptResults,
    forkedFrom?: string,
  ): { session: SessionSummary; repairs: string[]; missing: string[] } => {
    const now = clock.now();
    const { contextUsage, title, profileId, model } = file.session;
    const session: SessionSummary = {
      id: target.id,
      title,
      workspace: target.workspace,
      ...(target.importedFrom !== null && { importedFrom: target.importedFrom }),
      profileId,
      model,
      pinned: false,
      status: 'idle',
      createdAt: now,
      updatedAt: now,
    };
    const turnIds = new Map(file.turns.map(({ id }) => [id, newId('turn_')]));
    const turns = file.turns.map((turn): Turn => ({ ...turn, id: turnIds.get(turn.id) ?? newId('turn_') }));
    const itemIds = new Map(file.items.map(({ id }) => [id, newId('item_')]));
    const items = file.items
      .toSorted((a, b) => a.index - b.index)
      .map((item, index): Item => ({
        ...offeringOnly(results, item),
        id: itemIds.get(item.id) ?? newId('item_'),
        turnId: turnIds.get(item.turnId) ?? '',
        index,
        // No compaction begins the first one: what was summarised elsewhere is not here to return to.
        ...(item.kind === 'summary' && { generation: 1 }),
      }));
    const { messages, repairs } = repairHistory(
      file.context.map(({ message, turnId }) => ({ message, turnId: turnIds.get(turnId ?? '') ?? null })),
    );
    const files = filesOf(file);
    const here = new Map(store.attachments(files.map(({ id }) => id)).map((known) => [known.id, known]));
    const placed = forkedFrom === undefined ? withPlacesHere(messages, here, attachments.pathOf) : messages;
    const context = inFolder(placed, { path: target.workspaceReal, platform });
    store.transaction(() => {
      store.createSession(
        { summary: session, workspaceReal: target.workspaceReal, contextUsage },
        forkedFrom,
      );
      const tokens = countTurns(turns, contextUsage?.windowTokens ?? null);
      if (tokens) store.setTokens(session.id, tokens);
      for (const turn of turns) store.saveTurn(session.id, turn);
      for (const item of items) store.saveItem(session.id, item);
      for (const [before, packed] of results) {
        const itemId = itemIds.get(before);
        if (itemId !== undefined) store.keepResult(session.id, itemId, packed);
      }
      store.claimAttachments(session.id, [...here.keys()]);
      store.beginGeneration(session.id, context);
      store.writeSessionData(session.id, 'todo', file.todo);
      store.writeSessionData(session.id, 'scratchpad', file.scratchpad);
      markOrigin(store, session.id, forkedFrom, turnIds);
      const head = forkedFrom === undefined ? null : store.getHead(forkedFrom);
      if (head) store.setHead(session.id, head);
    });
    deps.onCreated(session);
    return { session, repairs, missing: describeMissing(files.length - here.size) };
  };

  const importOne = async (raw: unknown): Promise<{ session: SessionSummary; notices: string[] }> => {
    const file = readSnapshot(raw);
    const id = newId('ses_');
    const workspace = await deps.emptyFolder(id);
    await unpackFiles(file.attachments ?? [], attachments);
    const results = await unpackResults(file.results ?? []);
    const named = file.session.workspace;
    // A folder whose name hides something is not offered: what is confirmed is what is seen.
    const importedFrom = visibleName(named) === named ? named : '';
    const target = { id, workspace, workspaceReal: workspace, importedFrom };
    const { session, repairs, missing } = write(file, target, results);
    return {
      session,
      notices: [...missing, ...repairs.map((repair) => `Repaired: ${repair}.`)],
    };
  };

  const importAll = async (
    chunks: () => AsyncIterable<Uint8Array>,
    signal: AbortSignal,
  ): Promise<ImportedFile> => {
    const imported: ImportedFile = { sessions: [], notices: [], failed: null };
    const { sessions, notices } = imported;
    try {
      for await (const raw of snapshotsIn(untilAborted(chunks(), signal))) {
        const { session, notices: more } = await importOne(raw);
        sessions.push(session);
        notices.push(...more);
      }
    } catch (error) {
      if (sessions.length === 0 || !(error instanceof AndironError) || signal.aborted) throw error;
      const before = sessions.length === 1 ? '1 session was' : `${String(sessions.length)} sessions were`;
      const message = `${before} imported, and then: ${error.message.replace(nothingImported, '')}`;
      imported.failed = { message, advice: error.advice };
    }
    return imported;
  };

  return {
    async fork(sessionId, { turnId, workspace }) {
      const elsewhere = workspace && { workspace, workspaceReal: await deps.resolveWorkspace(workspace) };
      const file = take(sessionId, turnId);
      const copy = { ...file, session: { ...file.session, title: nextTitle(file.session.title) } };
      const { importedFrom = null } = store.getSession(sessionId)?.summary ?? {};
      const id = newId('ses_');
      const target = elsewhere
        ? { id, ...elsewhere, importedFrom: null }
        : { id, workspace: file.session.workspace, workspaceReal: file.session.workspaceReal, importedFrom };
      return write(copy, target, keptResults(sessionId, file.items, store), sessionId).session;
    },
    async export(sessionId) {
      const file = take(sessionId);
      const packed = await packFiles(file, attachments);
      const results = await packResults(sessionId, file.items, store);
      return {
        ...file,
        ...(packed.length > 0 && { attachments: packed }),
        ...(results.length > 0 && { results }),
      };
    },
    exportMarkdown: (sessionId) => toMarkdown(take(sessionId)),
    import: importOne,
    importFile(chunks, signal) {
      // Two at once would be held at once.
      const done = importing.then(() => importAll(chunks, signal));
      importing = done.catch(() => undefined);
      return done;
    },
  };
}

async function* untilAborted(
  chunks: AsyncIterable<Uint8Array>,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) {
    if (signal.aborted) throw new AndironError('cancelled', 'The import was cancelled.');
    yield chunk;
  }
}

function describeMissing(count: number): string[] {
  if (count === 0) return [];
  const what = count === 1 ? '1 attached file is' : `${String(count)} attached files are`;
  return [`${what} not in this export: the messages name what is missing.`];
}

/** `A title` → `A title (2)` → `A title (3)`. */
function nextTitle(title: string): string {
  const [, stem = title, number = '1'] = /^(.*) \((\d{1,4})\)$/s.exec(title) ?? [];
  const ending = ` (${String(Number(number) + 1)})`;
  return stem.slice(0, longestTitle - ending.length) + ending;
}
