/**
 * What the tools of a session did to files, and the way back. A step is recorded with what stands there, then the file
 * is replaced in one move, then the record is settled: a host that dies in between finds out by looking at the file.
 * Nothing is overwritten that is not what was written last.
 */
import { dirname } from 'node:path';
import { FileRefusedError, removeDrafts, type ReadableFiles, type Files } from '../../platform/files.ts';
import type { FileView, TurnFile, UndoOutcome, UndoRefusal } from '../../protocol/changed-files.ts';
import { AndironError } from '../../protocol/errors.ts';
import { foldSteps, toChangedFile, type FileHistory, type FileStep } from '../store/file-steps.ts';
import type { Store } from '../store/store.ts';
import type { ChangeRecorder } from '../tools/change-recorder.ts';
import { fingerprint } from '../tools/read-ledger.ts';
import { writeOver } from '../tools/write-over.ts';
import { hashOf, maxKeptFileBytes, lookAt, standingOf, type Seen } from './look.ts';
import { closeStep, createRecorder, type RecorderDeps } from './recorder.ts';
import { wholeChange } from './whole-change.ts';

export interface FileChangesDeps extends RecorderDeps {
  files: Files;
  isRunning: (sessionId: string) => boolean;
}

/** A step back or forth: to which state, and what the record says of it. */
interface Move extends Pick<FileStep, 'undoes' | 'mode' | 'added' | 'removed'> {
  kind: 'undo' | 'redo';
  /** null = no file. */
  to: string | null;
}

/** Nothing stands in its way: what is there now, and what it becomes. */
interface Ready extends Move {
  seen: Extract<Seen, { kind: 'file' | 'none' }>;
  content: Uint8Array | null;
}

type Refused = Omit<UndoOutcome, 'path'>;
const refuse = (refused: UndoRefusal, detail = ''): Refused => ({ refused, detail });
const done: Refused = { refused: null, detail: '' };

export class FileChanges {
  readonly recorder: ChangeRecorder;
  readonly #deps: FileChangesDeps;
  readonly #store: Store;
  readonly #files: Files;
  /** One at a time: the second click finds what the first has done. */
  #before: Promise<unknown> = Promise.resolve();

  constructor(deps: FileChangesDeps) {
    this.recorder = createRecorder(deps);
    this.#deps = deps;
    this.#store = deps.store;
    this.#files = deps.files;
  }

  /** What a host that died left open: happened or not, the file tells. Once, before any turn. */
  async recover(): Promise<void> {
    for (const open of this.#store.openFileSteps()) {
      const now = await fingerprintAt(this.#files, open.path);
      const never = now === open.before && now !== open.after;
      closeStep(
        () => (never ? this.#store.dropFileStep(open.id) : this.#store.settleFileStep(open.id)),
        this.#deps.log,
      );
      // A folder that is gone holds none.
      await removeDrafts(this.#files, dirname(open.path)).catch(() => undefined);
    }
  }

  async view(sessionId: string, path: string): Promise<FileView> {
    const file = this.#historiesOf(sessionId).find(({ last }) => last.shown === path);
    if (!file)
      throw new AndironError(
        'not_found',
        `Nothing is recorded of ${path} in this session.`,
        'Open the file itself in its folder.',
      );
    const seen = await lookAt(this.#files, this.#workspaceOf(sessionId), file);
    const standing = standingOf(seen, file);
    const asLeft = standing === 'written' || standing === 'undone';
    const { first, live, undone } = file;
    const isKept = first.before === null || this.#store.isContentKept(sessionId, first.before);
    return {
      file: toChangedFile(file),
      standing,
      by: asLeft ? null : this.#otherWriter(sessionId, file, seen),
      whole: wholeChange(
        path,
        seen,
        isKept && first.before !== null ? this.#store.fileContent(sessionId, first.before) : null,
        isKept,
      ),
      commandsRan: this.#store.ranCommands(sessionId),
      canUndo: asLeft && live.length > 0 && isKept,
      canRedo: asLeft && undone.length > 0,
    };
  }

  /** What `undo` of that turn would say now, without doing it. */
  async ofTurn(sessionId: string, paths: readonly string[], turnId: string): Promise<TurnFile[]> {
    const histories = this.#historiesOf(sessionId);
    const files: TurnFile[] = [];
    for (const path of new Set(paths)) {
      const file = histories.find(({ last }) => last.shown === path);
      const would = file
        ? await this.#wouldDo(sessionId, file, turnId)
        : { ...refuse('unrecorded'), canRedo: false };
      files.push({ path, ...would });
    }
    return files;
  }

  /** To before the session, or to before that turn. Each file is done or left as it is; `busy` while a turn runs. */
  undo(sessionId: string, paths: readonly string[], turnId: string | undefined): Promise<UndoOutcome[]> {
    return this.#each(sessionId, paths, (file) => undoOf(file, turnId));
  }

  redo(sessionId: string, paths: readonly string[], turnId: string | undefined): Promise<UndoOutcome[]> {
    return this.#each(sessionId, paths, (file) => redoOf(file, turnId));
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
    return seen.kind === 'file' ? this.#store.otherWriter(sessionId, last.path, seen.hash) : null;
  }

  async #prepare(sessionId: string, file: FileHistory, move: Move | UndoRefusal): Promise<Refused | Ready> {
    if (typeof move === 'string') return refuse(move);
    const seen = await lookAt(this.#files, this.#workspaceOf(sessionId), file);
    if (seen.kind === 'unreachable') return refuse('unreachable', seen.why);
    if (seen.kind === 'too_large') return refuse('too_large');
    if (hashOf(seen) !== file.last.after) {
      const standing = seen.kind === 'none' ? 'gone' : 'changed';
      return refuse(standing, this.#otherWriter(sessionId, file, seen) ?? '');
    }
    const content = move.to === null ? null : this.#store.fileContent(sessionId, move.to);
    if (move.to !== null && content === null) return refuse('not_kept');
    return { ...move, seen, content };
  }

  async #step(sessionId: string, file: FileHistory, move: Move | UndoRefusal): Promise<Refused> {
    const ready = await this.#prepare(sessionId, file, move);
    return 'seen' in ready ? this.#replace(sessionId, file, ready) : ready;
  }

  async #wouldDo(sessionId: string, file: FileHistory, turnId: string): Promise<Omit<TurnFile, 'path'>> {
    const undo = await this.#prepare(sessionId, file, undoOf(file, turnId));
    if ('seen' in undo) return { ...done, canRedo: false };
    if (undo.refused !== 'undone') return { ...undo, canRedo: false };
    return { ...undo, canRedo: 'seen' in (await this.#prepare(sessionId, file, redoOf(file, turnId))) };
  }

  async #replace(
    sessionId: string,
    { last: { path, shown } }: FileHistory,
    { seen, content, to, mode, ...record }: Ready,
  ): Promise<Refused> {
    const present = seen.kind === 'file' ? seen : null;
    const id = this.#store.beginFileStep(
      sessionId,
      {
        ...record,
        callId: null,
        path,
        shown,
        before: present?.hash ?? null,
        after: to,
        mode: present?.stat.mode ?? null,
        at: this.#deps.clock.now(),
      },
      present?.bytes ?? null,
    );
    try {
      const stat = present?.stat ?? null;
      if (content !== null) {
        await writeOver(this.#files, {
          workspace: this.#workspaceOf(sessionId),
          path,
          content,
          stat,
          mode,
        });
      } else if (stat) {
        const now = await this.#files.lstat(path);
        const same = now?.identity === stat.identity && now.modifiedMs === stat.modifiedMs;
        if (!same || now.size !== stat.size) throw new FileRefusedError('changed', path);
        await this.#files.remove(path);
      }
    } catch (error) {
      closeStep(() => this.#store.dropFileStep(id), this.#deps.log);
      if (error instanceof FileRefusedError && error.refusal === 'changed') return refuse('changed');
      return refuse('failed', error instanceof Error ? error.message : String(error));
    }
    closeStep(() => this.#store.settleFileStep(id), this.#deps.log);
    return done;
  }

  #each(
    sessionId: string,
    paths: readonly string[],
    moveOf: (file: FileHistory) => Move | UndoRefusal,
  ): Promise<UndoOutcome[]> {
    const work = async (): Promise<UndoOutcome[]> => {
      if (this.#deps.isRunning(sessionId)) {
        throw new AndironError('busy', 'This session is still working.', 'Wait for it, or stop it first.');
      }
      const histories = this.#historiesOf(sessionId);
      const outcomes: UndoOutcome[] = [];
      try {
        for (const path of new Set(paths)) {
          const file = histories.find(({ last }) => last.shown === path);
          const outcome = file ? await this.#step(sessionId, file, moveOf(file)) : refuse('unrecorded');
          outcomes.push({ path, ...outcome });
        }
      } finally {
        closeStep(() => this.#deps.onChange(sessionId), this.#deps.log);
      }
      return outcomes;
    };
    const result = this.#before.then(work);
    this.#before = result.catch(() => undefined);
    return result;
  }
}

/** To before the first change in force, or to before that turn: what came after it has to be undone first. */
function undoOf({ live, turns }: FileHistory, turnId: string | undefined): Move | UndoRefusal {
  const at = turnId === undefined ? 0 : live.findIndex((change) => change.turnId === turnId);
  const from = live[at];
  if (!from) return turnId === undefined ? 'nothing' : turns.has(turnId) ? 'undone' : 'unrecorded';
  if (turnId !== undefined && live.slice(at).some((change) => change.turnId !== turnId)) return 'later';
  return { kind: 'undo', undoes: from.id, to: from.before, mode: from.mode, ...linesAfter(live[at - 1]) };
}

function redoOf({ undone }: FileHistory, turnId: string | undefined): Move | UndoRefusal {
  const newest = undone.at(-1);
  if (!newest) return 'nothing';
  if (turnId !== undefined && newest.changes.some((change) => change.turnId !== turnId)) return 'nothing';
  const { step, changes } = newest;
  return { kind: 'redo', undoes: null, to: step.before, mode: step.mode, ...linesAfter(changes.at(-1)) };
}

const linesAfter = (step: FileStep | undefined): Pick<Move, 'added' | 'removed'> => ({
  added: step?.added ?? 0,
  removed: step?.removed ?? 0,
});

/** null = no file; undefined = it cannot be told. */
async function fingerprintAt(files: ReadableFiles, path: string): Promise<string | null | undefined> {
  try {
    if ((await files.lstat(path)) === null) return null;
    return fingerprint(await files.readBytes(path, maxKeptFileBytes));
  } catch {
    // A drive that is not there, a link in its place: the step counts, and the file is looked at when it is asked about.
    return undefined;
  }
}
