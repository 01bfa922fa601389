/**
 * What a session did to files, by its tools and its commands, and the way back. A step is recorded with what stands there,
 * then the file is replaced in one move, then the record is settled: a host that dies in between finds out by looking at the
 * file. Nothing is overwritten that is not what was left last.
 */
import { FileRefusedError, type Files } from '../../platform/files.ts';
import type { EntryPlaces } from '../../platform/place-entry.ts';
import type {
  FileView,
  RestoredChange,
  ShownChange,
  TurnFile,
  UndoOutcome,
  UndoRefusal,
} from '../../protocol/changed-files.ts';
import { AndironError } from '../../protocol/errors.ts';
import { readState } from '../store/entry-state.ts';
import { foldSteps, toChangedFile, type FileHistory } from '../store/file-steps.ts';
import type { Store } from '../store/store.ts';
import type { ChangeRecorder } from '../tools/change-recorder.ts';
import { fingerprint } from '../tools/read-ledger.ts';
import { previewUndo } from './undo-preview.ts';
import { lookAt, standingOf, type Seen } from './look.ts';
import { changesMode, inOrder, modeAfter, redoOf, undoOf, undoOfStep, type Move } from './moves.ts';
import { contentReader } from './content-reader.ts';
import type { KeptContents } from './points/kept-contents.ts';
import { closeStep, createRecorder, type RecorderDeps } from './recorder.ts';
import { readPicture } from './read-picture.ts';
import { readResultFile, type ReadFile } from './read-result-file.ts';
import { recoverSteps } from './recover-steps.ts';
import { replaceEntry } from './replace-entry.ts';
import { contentWithout, wholeChange } from './whole-change.ts';

export interface FileChangesDeps extends RecorderDeps {
  files: Files;
  places: EntryPlaces;
  contents: KeptContents;
  isRunning: (sessionId: string) => boolean;
}

/** Nothing stands in its way: what is there now, and what it becomes. */
interface Ready extends Move {
  seen: Exclude<Seen, { kind: 'unreachable' | 'too_large' }>;
  content: Uint8Array | null;
  /** Permission bits to be given; null = as they are, or the platform's default. */
  mode: number | null;
  /** Its other names (hard links) are to have what they have. */
  ofItsOwn: boolean;
}

/** By the identity of a file: what it was given under one of its names (hard links). */
type WrittenNames = Map<string, string>;

type Refused = Omit<UndoOutcome, 'path'>;
const refuse = (refused: UndoRefusal, detail = ''): Refused => ({ refused, detail });
const done: Refused = { refused: null, detail: '' };

export class FileChanges {
  readonly recorder: ChangeRecorder;
  readonly #deps: FileChangesDeps;
  readonly #store: Store;
  readonly #files: Files;
  readonly #contentOf: ReturnType<typeof contentReader>;
  /** One at a time: the second click finds what the first has done. */
  #before: Promise<unknown> = Promise.resolve();

  constructor(deps: FileChangesDeps) {
    this.recorder = createRecorder(deps);
    this.#deps = deps;
    this.#store = deps.store;
    this.#files = deps.files;
    this.#contentOf = contentReader(deps);
  }

  /** What a host that died left open. Once, before any turn. */
  recover(): Promise<void> {
    return recoverSteps(this.#deps);
  }

  /** @param turnId as that turn found it, instead of the session */
  async view(sessionId: string, path: string, turnId?: string): Promise<FileView> {
    const file = this.#historyOf(sessionId, path);
    const seen = await lookAt(this.#deps, this.#workspaceOf(sessionId), file.last);
    const standing = standingOf(seen, file);
    const asLeft = standing === 'written' || standing === 'undone';
    const { first, undone } = file;
    const undo = await this.#prepare(sessionId, file, undoOf(file, turnId));
    const original = await this.#foundBy(sessionId, file, turnId);
    return {
      file: toChangedFile(file),
      standing,
      by: asLeft ? null : this.#otherWriter(sessionId, file, seen),
      whole: wholeChange(path, seen, original),
      between: { before: original.state, now: 'state' in seen ? seen.state : null },
      modes: first.mode === null ? null : modesOf(first.mode, seen),
      canUndo: 'seen' in undo,
      canRedo: asLeft && undone.length > 0,
    };
  }

  /** A file that a tool of the session brought out, as it stands now. */
  readResult(sessionId: string, fileId: string): Promise<ReadFile> {
    const file = this.#store.resultFile(sessionId, fileId);
    return readResultFile(this.#deps, this.#workspaceOf(sessionId), file);
  }

  /** A picture in the session's folder, as it stands now. */
  readPicture(sessionId: string, path: string): Promise<ReadFile> {
    return readPicture(this.#deps, this.#workspaceOf(sessionId), path);
  }

  /** What `undo` of that turn would say now, without doing it. */
  async ofTurn(sessionId: string, paths: readonly string[], turnId: string): Promise<TurnFile[]> {
    const histories = this.#historiesOf(sessionId);
    const judge = async (file: FileHistory, move: Move | UndoRefusal): Promise<Refused> => {
      const would = await this.#prepare(sessionId, file, move);
      return 'seen' in would ? done : would;
    };
    const wouldUndo = previewUndo({
      histories,
      targetOf: (file) => {
        const move = undoOf(file, turnId);
        return typeof move === 'string' ? null : move;
      },
      judge: (file) => judge(file, undoOf(file, turnId)),
      isKept: async (state) => (await this.#keptOf(sessionId, state)) !== null,
      entriesOf: (folder) => this.#files.readRealFolder(folder),
    });
    const files: TurnFile[] = [];
    for (const path of new Set(paths)) {
      const file = histories.find(({ last }) => last.shown === path);
      const would = file ? await wouldUndo(file) : refuse('unrecorded');
      const isUndone = file && would.refused === 'undone';
      const canRedo = isUndone === true && (await judge(file, redoOf(file, turnId))).refused === null;
      files.push({ path, ...would, canRedo });
    }
    return files;
  }

  /**
   * To before the session, or to before that turn; without paths everything of it. Each file is done or left as it is;
   * `busy` while a turn runs.
   */
  undo(sessionId: string, paths?: readonly string[], turnId?: string, step?: number): Promise<UndoOutcome[]> {
    const isMeant = ({ live }: FileHistory): boolean =>
      live.some(
        (change) =>
          (turnId === undefined || change.turnId === turnId) && (step === undefined || change.id === step),
      );
    const moveOf = (file: FileHistory): Move | UndoRefusal =>
      step === undefined ? undoOf(file, turnId) : undoOfStep(file, step);
    return this.#each(sessionId, paths, isMeant, moveOf);
  }

  /** One change of what `view` showed; it joins the newest turn that was at the file, which takes it back with the rest. */
  restoreChange(
    sessionId: string,
    path: string,
    { turnId, between, change }: ShownChange,
  ): Promise<RestoredChange> {
    return this.#inTurn(sessionId, async () => {
      const file = this.#historyOf(sessionId, path);
      const seen = await lookAt(this.#deps, this.#workspaceOf(sessionId), file.last);
      const original = await this.#foundBy(sessionId, file, turnId);
      const isShown = 'state' in seen && seen.state === between.now && original.state === between.before;
      if (seen.kind !== 'file' || !isShown || seen.state !== file.last.after) {
        const refusal = seen.kind === 'none' ? 'gone' : 'changed';
        return { path, ...refuse(refusal, this.#otherWriter(sessionId, file, seen) ?? ''), step: null };
      }
      const content = contentWithout(path, seen, original, change);
      if (content === null) return { path, ...refuse('nothing'), step: null };
      const { bytes, added, removed } = content;
      const move = {
        kind: 'change',
        undoes: null,
        back: [],
        to: fingerprint(bytes),
        added,
        removed,
      } as const;
      const owner = file.live.at(-1)?.turnId ?? null;
      const ready = { ...move, mode: null, seen, content: bytes, ofItsOwn: false };
      const outcome = await this.#replace(sessionId, file, ready, owner);
      const step =
        outcome.refused === null ? (this.#historyOf(sessionId, path).live.at(-1)?.id ?? null) : null;
      return { path, ...outcome, step };
    });
  }

  redo(sessionId: string, paths?: readonly string[], turnId?: string): Promise<UndoOutcome[]> {
    const isMeant = (file: FileHistory): boolean => typeof redoOf(file, turnId) !== 'string';
    return this.#each(sessionId, paths, isMeant, (file) => redoOf(file, turnId));
  }

  #historyOf(sessionId: string, path: string): FileHistory {
    const file = this.#historiesOf(sessionId).find(({ last }) => last.shown === path);
    if (file) return file;
    throw new AndironError(
      'not_found',
      `Nothing is recorded of ${path} in this session.`,
      'Open the file itself in its folder.',
    );
  }

  /** What stood there before that turn's first change in force, or the session's. */
  async #foundBy(
    sessionId: string,
    { first, live }: FileHistory,
    turnId: string | undefined,
  ): Promise<{ state: string | null; bytes: Uint8Array | null }> {
    const { before: state } = live.find((change) => change.turnId === turnId) ?? first;
    return { state, bytes: await this.#contentOf(sessionId, state) };
  }

  #historiesOf(sessionId: string): FileHistory[] {
    return foldSteps(this.#store.fileSteps(sessionId));
  }

  #workspaceOf(sessionId: string): string {
    const session = this.#store.getSession(sessionId);
    if (session) return session.workspaceReal;
    throw new AndironError(
      'not_found',
      'This session does not exist any more.',
      'Choose another session, or begin one.',
    );
  }

  #otherWriter(sessionId: string, { last }: FileHistory, seen: Seen): string | null {
    return 'stat' in seen ? this.#store.otherWriter(sessionId, last.path, seen.state) : null;
  }

  async #prepare(
    sessionId: string,
    file: FileHistory,
    move: Move | UndoRefusal,
    written: WrittenNames = new Map(),
  ): Promise<Refused | Ready> {
    if (typeof move === 'string') return refuse(move);
    const there = await lookAt(this.#deps, this.#workspaceOf(sessionId), file.last);
    // Where something else stands in the place of its folder, what was made and removed again is not there.
    const isNothing = move.to === null && file.last.after === null;
    const seen: Seen = there.kind === 'unreachable' && isNothing ? { kind: 'none', state: null } : there;
    if (seen.kind === 'unreachable') return refuse('unreachable', seen.why);
    if (seen.kind === 'too_large') return refuse('too_large');
    const { kind } = readState(move.to);
    const present = seen.kind === 'file' || seen.kind === 'folder' ? seen.stat.mode : null;
    const hasMode = kind === 'file' || kind === 'folder';
    const mode = hasMode ? modeAfter(move, present) : present;
    // It has another name, which was taken back a moment ago.
    const isOther = 'stat' in seen && written.get(seen.stat.identity) === seen.state;
    // All that it did was to give permissions, and it has others by now.
    const hasOthers = hasMode && seen.state === move.to && mode === present && changesMode(move);
    if ((seen.state !== file.last.after || hasOthers) && !isOther) {
      const standing = seen.kind === 'none' ? 'gone' : 'changed';
      return refuse(standing, this.#otherWriter(sessionId, file, seen) ?? '');
    }
    const kept = await this.#keptOf(sessionId, move.to);
    if (!kept) return refuse('not_kept');
    return {
      ...move,
      ...kept,
      mode: mode === present && seen.kind === kind ? null : mode,
      seen,
      ofItsOwn: isOther,
    };
  }

  async #step(
    sessionId: string,
    file: FileHistory,
    move: Move | UndoRefusal,
    written: WrittenNames,
  ): Promise<Refused> {
    const ready = await this.#prepare(sessionId, file, move, written);
    if (!('seen' in ready)) return ready;
    const outcome = await this.#replace(sessionId, file, ready);
    if (outcome.refused === null && ready.seen.kind === 'file' && ready.to !== null)
      written.set(ready.seen.stat.identity, ready.to);
    return outcome;
  }

  /** What the state has in it, if it is a file; null = it cannot be made again. */
  async #keptOf(sessionId: string, state: string | null): Promise<Pick<Ready, 'content'> | null> {
    const { kind } = readState(state);
    const content = await this.#contentOf(sessionId, state);
    return kind === 'unread' || kind === 'other' || (kind === 'file' && content === null)
      ? null
      : { content };
  }

  async #replace(
    sessionId: string,
    { last: { path, shown, after: left } }: FileHistory,
    { seen, content, ...move }: Ready,
    turnId: string | null = null,
  ): Promise<Refused> {
    const { contents, clock, log } = this.#deps;
    const { to, mode, ofItsOwn, kind, undoes, added, removed } = move;
    const workspace = this.#workspaceOf(sessionId);
    try {
      if (seen.kind === 'file' && seen.state === left && left !== to)
        await contents.keep(seen.state, seen.bytes);
    } catch (error) {
      return refuse('failed', error instanceof Error ? error.message : String(error));
    }
    const id = this.#store.beginFileStep(
      sessionId,
      {
        kind,
        undoes,
        added,
        removed,
        callId: null,
        turnId,
        path,
        shown,
        before: left,
        after: to,
        mode: 'stat' in seen ? seen.stat.mode : null,
        afterMode: to === null ? null : mode,
        at: clock.now(),
      },
      null,
    );
    try {
      await replaceEntry(this.#deps, { workspace, path, seen, to, content, mode, ofItsOwn });
    } catch (error) {
      closeStep(() => this.#store.dropFileStep(id), log);
      if (error instanceof FileRefusedError && error.refusal === 'changed') return refuse('changed');
      return refuse('failed', error instanceof Error ? error.message : String(error));
    }
    closeStep(() => this.#store.settleFileStep(id), log);
    return done;
  }

  #each(
    sessionId: string,
    paths: readonly string[] | undefined,
    isMeant: (file: FileHistory) => boolean,
    moveOf: (file: FileHistory) => Move | UndoRefusal,
  ): Promise<UndoOutcome[]> {
    return this.#inTurn(sessionId, async () => {
      const named = paths && new Set(paths);
      const histories = this.#historiesOf(sessionId).filter((file) =>
        named ? named.has(file.last.shown) : isMeant(file),
      );
      const known = new Set(histories.map(({ last }) => last.shown));
      const unknown = [...(named ?? [])].filter((path) => !known.has(path));
      const outcomes = unknown.map((path): UndoOutcome => ({ path, ...refuse('unrecorded') }));
      const written: WrittenNames = new Map();
      for (const { file, move } of inOrder(histories.map((file) => ({ file, move: moveOf(file) }))))
        outcomes.push({ path: file.last.shown, ...(await this.#step(sessionId, file, move, written)) });
      if (!named) return outcomes;
      const asked = [...named];
      return outcomes.toSorted((a, b) => asked.indexOf(a.path) - asked.indexOf(b.path));
    });
  }

  /** One after the other, and none while a turn runs; what the files are now is told after each. */
  #inTurn<T>(sessionId: string, work: () => Promise<T>): Promise<T> {
    const result = this.#before.then(async () => {
      if (this.#deps.isRunning(sessionId))
        throw new AndironError('busy', 'This session is still working.', 'Wait for it, or stop it first.');
      try {
        return await work();
      } finally {
        closeStep(() => this.#deps.onChange(sessionId), this.#deps.log);
      }
    });
    this.#before = result.catch(() => undefined);
    return result;
  }
}

/** Permission bits before the session's first change and now; null = they are the same. */
function modesOf(before: number, seen: Seen): FileView['modes'] {
  if (!('stat' in seen) || seen.kind === 'link' || seen.stat.mode === before) return null;
  return { before, now: seen.stat.mode };
}
