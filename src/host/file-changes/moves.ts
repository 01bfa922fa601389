/** A step back or forth of one file: to which state, and what the record says of it. Pure. */
import type { UndoRefusal } from '../../protocol/changed-files.ts';
import { readState } from '../store/entry-state.ts';
import type { FileHistory, FileStep } from '../store/file-steps.ts';

export interface Move extends Pick<FileStep, 'undoes' | 'added' | 'removed'> {
  kind: FileStep['kind'];
  /** What stands there then; null = nothing. */
  to: string | null;
  /** What is taken back, oldest first. */
  back: readonly Pick<FileStep, 'before' | 'after' | 'mode' | 'afterMode'>[];
}

/**
 * Permission bits once `back` is taken back: those that the changes gave go, those that somebody else gave stay, unless it
 * becomes another kind of entry. null = unknown. @param present null = nothing stands there
 */
export function modeAfter({ back }: Pick<Move, 'back'>, present: number | null): number | null {
  let mode = present;
  for (const change of back.toReversed()) {
    const isOtherKind = readState(change.before).kind !== readState(change.after).kind;
    if (isOtherKind || mode === change.afterMode) mode = change.mode ?? mode;
  }
  return mode;
}

/** Whether the changes come to other permission bits than there were. */
export function changesMode(move: Pick<Move, 'back'>): boolean {
  const given = move.back.findLast(({ afterMode }) => afterMode !== null)?.afterMode ?? null;
  return given !== null && modeAfter(move, given) !== given;
}

/**
 * To before that turn; without one, as far back as nobody else was at the file in between. What came after it has to be
 * undone first.
 */
export function undoOf(file: FileHistory, turnId: string | undefined): Move | UndoRefusal {
  const { live, turns } = file;
  const joined = firstJoined(file);
  const at = turnId === undefined ? joined : live.findIndex((change) => change.turnId === turnId);
  const from = live[at];
  if (!from) {
    if (turnId === undefined) return live.length > 0 ? 'changed' : 'nothing';
    return turns.has(turnId) ? 'undone' : 'unrecorded';
  }
  const back = live.slice(at);
  if (turnId !== undefined && back.some((change) => change.turnId !== turnId)) return 'later';
  if (at < joined) return 'changed';
  return { kind: 'undo', undoes: from.id, to: from.before, back, ...linesAfter(live[at - 1]) };
}

/** Only that step, which has to be the newest in force. */
export function undoOfStep({ live, last }: FileHistory, step: number): Move | UndoRefusal {
  const newest = live.at(-1);
  if (newest?.id !== step) return live.some(({ id }) => id === step) ? 'later' : 'undone';
  if (newest.after !== last.after) return 'changed';
  return { kind: 'undo', undoes: step, to: newest.before, back: [newest], ...linesAfter(live.at(-2)) };
}

export function redoOf({ undone }: FileHistory, turnId: string | undefined): Move | UndoRefusal {
  const newest = undone.at(-1);
  if (!newest) return 'nothing';
  if (turnId !== undefined && newest.changes.some((change) => change.turnId !== turnId)) return 'nothing';
  const { step, changes } = newest;
  return { kind: 'redo', undoes: null, to: step.before, back: [step], ...linesAfter(changes.at(-1)) };
}

/** The first change from which each begins with what the one before it left, up to what stands there now. */
function firstJoined({ live, last }: FileHistory): number {
  let next = last.after;
  for (let at = live.length; at > 0; at -= 1) {
    const change = live[at - 1];
    if (change?.after !== next) return at;
    next = change.before;
  }
  return 0;
}

/** What is removed goes before the folder that it lies in, what is made comes after it. */
export function inOrder<T extends { file: FileHistory; move: Move | UndoRefusal }>(steps: readonly T[]): T[] {
  const goes = ({ file, move }: T): boolean =>
    typeof move !== 'string' && (move.to === null || (file.last.after === 'folder' && move.to !== 'folder'));
  const byPath = (a: T, b: T): number => (a.file.last.path < b.file.last.path ? -1 : 1);
  return [
    ...steps.filter(goes).toSorted((a, b) => byPath(b, a)),
    ...steps.filter((step) => !goes(step)).toSorted(byPath),
  ];
}

const linesAfter = (step: FileStep | undefined): Pick<Move, 'added' | 'removed'> => ({
  added: step?.added ?? 0,
  removed: step?.removed ?? 0,
});
