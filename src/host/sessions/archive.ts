/** Copies of sessions: forked here, written to a file, read from one. A fork is an import of an export (2.1, L2). */
import type { Clock, NewId } from '../../platform/clock.ts';
import { AndironError } from '../../protocol/errors.ts';
import type { Item, SessionSummary, Turn } from '../../protocol/model.ts';
import { countTurns } from '../../protocol/session-tokens.ts';
import { opening } from '../prompt/opening.ts';
import type { OwnedMessage } from '../store/context.ts';
import type { Store } from '../store/store.ts';
import type { Attachments } from '../attachments/attachments.ts';
import { repairHistory } from './history.ts';
import { toMarkdown } from './markdown.ts';
import { filesOf, packFiles, unpackFiles, withPlacesHere } from './packed-files.ts';
import { keptResults, offeringOnly, packResults, unpackResults, type KeptResults } from './packed-results.ts';
import { readSnapshot, takeSnapshot, type SessionSnapshotFile } from './snapshot.ts';
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
}

export interface ArchiveDeps {
  store: Store;
  clock: Clock;
  newId: NewId;
  attachments: Pick<Attachments, 'read' | 'restore' | 'pathOf'>;
  platform: string;
  defaultWorkspace: string;
  resolveWorkspace(path: string): Promise<string>;
  /** What the session has not written yet is written. */
  settle(sessionId: string): void;
  onCreated(session: SessionSummary): void;
}

interface Folder {
  workspace: string;
  workspaceReal: string;
}

export function createArchive(deps: ArchiveDeps): Archive {
  const { store, clock, newId, platform, attachments } = deps;

  const take = (sessionId: string, upTo?: string): SessionSnapshotFile => {
    deps.settle(sessionId);
    return takeSnapshot(sessionId, upTo, { store, platform, now: clock.now() });
  };

  /** All of it or nothing. */
  const write = (
    file: SessionSnapshotFile,
    folder: Folder,
    results: KeptResults,
    forkedFrom?: string,
  ): { session: SessionSummary; repairs: string[]; missing: string[] } => {
    const now = clock.now();
    const { contextUsage, title, profileId, model } = file.session;
    const session: SessionSummary = {
      id: newId('ses_'),
      title,
      workspace: folder.workspace,
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
    const context = inFolder(placed, file, { path: folder.workspaceReal, platform });
    store.transaction(() => {
      store.createSession(
        { summary: session, workspaceReal: folder.workspaceReal, contextUsage },
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

  const folderFor = async (path: string): Promise<Folder & { notices: string[] }> => {
    try {
      return { workspace: path, workspaceReal: await deps.resolveWorkspace(path), notices: [] };
    } catch (error) {
      if (!(error instanceof AndironError)) throw error;
      const workspace = deps.defaultWorkspace;
      const notices = [`${error.message} The session works in ${workspace}.`];
      return { workspace, workspaceReal: await deps.resolveWorkspace(workspace), notices };
    }
  };

  return {
    async fork(sessionId, { turnId, workspace }) {
      const elsewhere = workspace && { workspace, workspaceReal: await deps.resolveWorkspace(workspace) };
      const file = take(sessionId, turnId);
      const copy = { ...file, session: { ...file.session, title: nextTitle(file.session.title) } };
      const results = keptResults(sessionId, file.items, store);
      return write(copy, elsewhere || file.session, results, sessionId).session;
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
    async import(raw) {
      const file = readSnapshot(raw);
      const { notices, ...folder } = await folderFor(file.session.workspace);
      await unpackFiles(file.attachments ?? [], attachments);
      const { session, repairs, missing } = write(file, folder, await unpackResults(file.results ?? []));
      return {
        session,
        notices: [...notices, ...missing, ...repairs.map((repair) => `Repaired: ${repair}.`)],
      };
    },
  };
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

/** The model was told its folder in the first message: in another folder that would be wrong. */
function inFolder(
  messages: readonly OwnedMessage[],
  { session }: SessionSnapshotFile,
  here: { path: string; platform: string },
): OwnedMessage[] {
  const before = opening({ path: session.workspaceReal, platform: session.platform });
  return messages.map((owned) => {
    const { message } = owned;
    if (message.role !== 'user' || !message.content.startsWith(before)) return owned;
    return {
      ...owned,
      message: { ...message, content: opening(here) + message.content.slice(before.length) },
    };
  });
}
