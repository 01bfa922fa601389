/** The steps that were recorded of a file, as what they come to: changes in force, and those that were taken back. Pure. */
import type { ChangedFile } from '../../protocol/changed-files.ts';
import { readState } from './entry-state.ts';

export interface FileStep {
  id: number;
  turnId: string | null;
  kind: 'change' | 'undo' | 'redo';
  /** Of an undo: the first change that it takes back. */
  undoes: number | null;
  /** Real and absolute. */
  path: string;
  shown: string;
  /** Fingerprints of files, or what else stands there (`entry-state.ts`); null = nothing. */
  before: string | null;
  after: string | null;
  /** Permission bits before; null = nothing stood there. */
  mode: number | null;
  /** Permission bits that it gave; null = it left them as they were. */
  afterMode: number | null;
  /** Lines of the whole change, from before the session's first one to after this step. */
  added: number;
  removed: number;
}

export interface FileHistory {
  first: FileStep;
  /** What stands there unless somebody else was at it: its `after`. */
  last: FileStep;
  /** Changes in force, oldest first. */
  live: FileStep[];
  /** Newest last; a new change forgets them. */
  undone: { step: FileStep; changes: FileStep[] }[];
  /** Every turn that ever changed it. */
  turns: Set<string>;
}

/** By their paths, in the order of their first change. */
export function foldSteps(steps: readonly FileStep[]): FileHistory[] {
  const files = new Map<string, FileHistory>();
  for (const step of steps) {
    const known = files.get(step.path);
    const file = known ?? { first: step, last: step, live: [], undone: [], turns: new Set() };
    files.set(step.path, file);
    file.last = step;
    if (step.kind === 'change') {
      if (step.turnId !== null) file.turns.add(step.turnId);
      file.live.push(step);
      file.undone = [];
    } else if (step.kind === 'undo') {
      const from = file.live.findIndex(({ id }) => id === step.undoes);
      if (from !== -1) file.undone.push({ step, changes: file.live.splice(from) });
    } else {
      file.live.push(...(file.undone.pop()?.changes ?? []));
    }
  }
  return [...files.values()];
}

export function toChangedFile({ first, last, live, undone }: FileHistory): ChangedFile {
  const { kind } = readState(last.after ?? last.before);
  return {
    path: last.shown,
    added: last.added,
    removed: last.removed,
    created: first.before === null,
    isGone: last.after === null && live.length > 0,
    kind: kind === 'folder' || kind === 'link' ? kind : 'file',
    turns: [...new Set(live.flatMap(({ turnId }) => turnId ?? []))],
    undone: undone.length > 0,
  };
}
