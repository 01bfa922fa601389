/** Copies of sessions: forked here, written to a file, read from one. A fork is an import of an export (L2). */
import type { Clock, NewId } from '../../platform/clock.ts';
import { inSlices, type Pace } from '../../platform/event-loop.ts';
import type { Log } from '../../platform/log.ts';
import { AndironError } from '../../protocol/errors.ts';
import type { SessionSummary } from '../../protocol/model.ts';
import type { FrozenHead } from '../store/sessions.ts';
import type { Store, StoreView } from '../store/store.ts';
import type { Attachments } from '../attachments/attachments.ts';
import { visibleName } from '../../rules/visible-text/visible-text.ts';
import { repairHistory } from './history.ts';
import { toMarkdown } from './markdown.ts';
import { filesOf, packFiles, unpackFiles, withFilesOf, withPlacesHere } from './packed-files.ts';
import { keptResults, packResults, unpackResults, type KeptResults } from './packed-results.ts';
import { snapshotsIn } from './imported-file.ts';
import { cancelled, createLongWork, type LongWork } from './long-work.ts';
import {
  nothingImported,
  readSnapshot,
  takeSnapshot,
  type SessionSnapshotFile,
  type SnapshotSource,
} from './snapshot.ts';
import { inFolder } from './opening-folder.ts';
import { fromFile, originOf, type Origin } from '../approvals/taint.ts';
import { writeCopy } from './write-copy.ts';

const maxTitleLength = 200;

interface ForkFrom {
  /** The last turn of the copy; all of them without it. */
  turnId?: string | undefined;
  /** The folder of the copy; without it that of the session. */
  workspace?: string | undefined;
}

export interface ArchiveDeps {
  store: Store;
  clock: Clock;
  log: Log;
  newId: NewId;
  attachments: Pick<Attachments, 'read' | 'restore' | 'pathOf'>;
  platform: string;
  resolveWorkspace(path: string): Promise<string>;
  /** Makes a new and empty folder for an imported session. Returns its real path. */
  emptyFolder(sessionId: string): Promise<string>;
  /** What the session has not written yet is written. */
  flush(sessionId: string): void;
  onCreated(session: SessionSummary): void;
}

interface ImportedFile {
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
  /** null = it comes from a file. */
  source: { id: string; head: FrozenHead | null; titledBy: SessionSummary['titledBy'] } | null;
  origin: Origin;
}

export class Archive {
  readonly #deps: ArchiveDeps;
  readonly #store: Store;
  #importing: Promise<unknown> = Promise.resolve();
  readonly #long: LongWork;

  constructor(deps: ArchiveDeps) {
    this.#deps = deps;
    this.#store = deps.store;
    this.#long = createLongWork(deps.clock);
  }

  /** Up to and including that turn; without one up to now, from a running session too. */
  fork(sessionId: string, from: ForkFrom): Promise<SessionSummary> {
    return this.#long.run((slices) => this.#fork(sessionId, from, slices));
  }

  export(sessionId: string): Promise<SessionSnapshotFile> {
    return this.#long.run((slices) =>
      this.#view(sessionId, async (now) => {
        const file = await takeSnapshot(sessionId, undefined, this.#source(now, slices));
        const packed = await packFiles(file, this.#deps.attachments, slices);
        const results = await packResults(sessionId, file.items, now);
        return {
          ...file,
          ...(packed.length > 0 && { attachments: packed }),
          ...(results.length > 0 && { results }),
        };
      }),
    );
  }

  exportMarkdown(sessionId: string): Promise<string> {
    return this.#long.run((slices) =>
      this.#view(sessionId, async (now) =>
        toMarkdown(await takeSnapshot(sessionId, undefined, this.#source(now, slices))),
      ),
    );
  }

  /**
   * Rejects with `snapshot_invalid`, or where the signal fired; then nothing was changed. `notices`: what is not as it
   * was, in words for the person.
   */
  import(raw: unknown, signal: AbortSignal): Promise<{ session: SessionSummary; notices: string[] }> {
    return this.#long.run((slices) => this.#importOne(raw, slices), signal);
  }

  /** One file at a time, session by session. Rejects where no session of it could be imported, or the signal fired. */
  importFile(chunks: () => AsyncIterable<Uint8Array>, signal: AbortSignal): Promise<ImportedFile> {
    // Two at once would be held at once.
    const done = this.#importing.then(() =>
      this.#long.run((slices) => this.#importAll(chunks, signal, slices), signal),
    );
    this.#importing = done.catch(() => undefined);
    return done;
  }

  /** What is being copied is given up; resolves when nothing of it is read or written any more. */
  close(): Promise<void> {
    return this.#long.close();
  }

  #source(view: StoreView, slices: Pace): SnapshotSource {
    return {
      store: view,
      platform: this.#deps.platform,
      now: this.#deps.clock.now(),
      pace: slices,
    };
  }

  /** As it is now, with all that happens to it while it is read. */
  #view<T>(sessionId: string, read: (view: StoreView) => Promise<T>): Promise<T> {
    this.#deps.flush(sessionId);
    return this.#store.view(read);
  }

  /** All of it or nothing. */
  async #write(
    file: SessionSnapshotFile,
    target: Target,
    results: KeptResults,
    slices: Pace,
  ): Promise<{ session: SessionSummary; repairs: string[]; missing: string[] }> {
    const now = this.#deps.clock.now();
    const { contextUsage, title, profileId, model } = file.session;
    const session: SessionSummary = {
      id: target.id,
      title,
      workspace: target.workspace,
      ...(target.importedFrom !== null && { importedFrom: target.importedFrom }),
      ...(target.source && { titledBy: target.source.titledBy, forkedFrom: target.source.id }),
      profileId,
      model,
      pinned: false,
      status: 'idle',
      createdAt: now,
      updatedAt: now,
    };
    const { messages, repairs } = repairHistory(file.context);
    const files = filesOf(file);
    const known = await inSlices(files, slices, ({ id }) => this.#store.attachments([id]));
    const here = new Map(known.flat().map((each) => [each.id, each]));
    const facts = { path: target.workspaceReal, platform: this.#deps.platform };
    const context = await inSlices(messages, slices, (owned) =>
      inFolder(target.source ? owned : withPlacesHere(owned, here, this.#deps.attachments.pathOf), facts),
    );
    const copy = {
      session: { summary: session, workspaceReal: target.workspaceReal, contextUsage },
      forkedFrom: target.source?.id,
      from: file,
      context,
      results,
      attachmentIds: [...here.keys()],
      origin: target.origin,
      head: target.source?.head ?? null,
    };
    const onLeft = (error: unknown): void =>
      this.#deps.log.error('A part of a copy is left until the next start', error, { sessionId: target.id });
    await writeCopy(copy, { store: this.#store, newId: this.#deps.newId, pace: slices, onLeft });
    this.#deps.onCreated(session);
    return { session, repairs, missing: describeMissing(files.length - here.size) };
  }

  async #importOne(raw: unknown, slices: Pace): Promise<{ session: SessionSummary; notices: string[] }> {
    const packed = await readSnapshot(raw, slices);
    const id = this.#deps.newId('ses_');
    const workspace = await this.#deps.emptyFolder(id);
    const own = await unpackFiles(packed.attachments ?? [], this.#deps.attachments);
    const file = await withFilesOf(packed, own, { newId: this.#deps.newId, pace: slices });
    const results = await unpackResults(file.results ?? []);
    const named = file.session.workspace;
    // A folder whose name hides something is not offered: what is confirmed is what is seen.
    const importedFrom = visibleName(named) === named ? named : '';
    const target = { id, workspace, workspaceReal: workspace, importedFrom, source: null, origin: fromFile };
    const { session, repairs, missing } = await this.#write(file, target, results, slices);
    return {
      session,
      notices: [...missing, ...repairs.map((repair) => `Repaired: ${repair}.`)],
    };
  }

  async #importAll(
    chunks: () => AsyncIterable<Uint8Array>,
    signal: AbortSignal,
    slices: Pace,
  ): Promise<ImportedFile> {
    const imported: ImportedFile = { sessions: [], notices: [], failed: null };
    const { sessions, notices } = imported;
    try {
      for await (const raw of snapshotsIn(untilAborted(chunks(), signal))) {
        const { session, notices: more } = await this.#importOne(raw, slices);
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
  }

  async #fork(sessionId: string, { turnId, workspace }: ForkFrom, slices: Pace): Promise<SessionSummary> {
    const elsewhere = workspace && { workspace, workspaceReal: await this.#deps.resolveWorkspace(workspace) };
    const { file, target, results } = await this.#view(sessionId, async (before) => {
      const file = await takeSnapshot(sessionId, turnId, this.#source(before, slices));
      const { workspace, workspaceReal } = file.session;
      const { importedFrom = null, titledBy } = before.getSession(sessionId)?.summary ?? {};
      const target: Target = {
        id: this.#deps.newId('ses_'),
        ...(elsewhere ? { ...elsewhere, importedFrom: null } : { workspace, workspaceReal, importedFrom }),
        source: { id: sessionId, head: before.getHead(sessionId), titledBy },
        origin: await originOf(sessionId, before, slices),
      };
      return { file, target, results: await keptResults(sessionId, file.items, before, slices) };
    });
    const copy = { ...file, session: { ...file.session, title: nextTitle(file.session.title) } };
    return (await this.#write(copy, target, results, slices)).session;
  }
}

async function* untilAborted(
  chunks: AsyncIterable<Uint8Array>,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) {
    if (signal.aborted) throw cancelled();
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
  return stem.slice(0, maxTitleLength - ending.length) + ending;
}
