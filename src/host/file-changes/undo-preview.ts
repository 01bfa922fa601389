/** Predicts what undoing a turn will report for each file. Files can block each other, and undo takes them in order. */
import { join } from 'node:path';
import type { FolderEntry } from '../../platform/files.ts';
import type { UndoOutcome } from '../../protocol/changed-files.ts';
import { isBeneath } from '../../rules/path-names.ts';
import { folderState, readState } from '../store/entry-state.ts';
import type { FileHistory } from '../store/file-steps.ts';

type Outcome = Omit<UndoOutcome, 'path'>;

export interface UndoPreviewDeps {
  /** Of the whole session: what the turn did not change may stand in the way. */
  histories: readonly FileHistory[];
  /** To which state the turn's undo leads; null = to none. */
  targetOf: (file: FileHistory) => { to: string | null } | null;
  /** Of that file alone, as things stand now. */
  judge: (file: FileHistory) => Promise<Outcome>;
  isKept: (state: string | null) => Promise<boolean>;
  entriesOf: (folder: string) => Promise<readonly FolderEntry[]>;
}

const refuse = (refused: Outcome['refused']): Outcome => ({ refused, detail: '' });

/** Returns a function that predicts the outcome for one file. Each file is read once. */
export function previewUndo({ histories, targetOf, judge, isKept, entriesOf }: UndoPreviewDeps) {
  const byPath = new Map(histories.map((file) => [file.last.path, file]));
  const outcomes = new Map<string, Promise<Outcome>>();

  const outcomeOf = (file: FileHistory): Promise<Outcome> => {
    const before = outcomes.get(file.last.path);
    const outcome = before ?? decide(file);
    outcomes.set(file.last.path, outcome);
    return outcome;
  };

  async function decide(file: FileHistory): Promise<Outcome> {
    const target = targetOf(file);
    const alone = await judge(file);
    if (!target) return alone;
    const { path, after } = file.last;
    if (alone.refused === 'unreachable' && after === null && (await folderComesBack(path)))
      return (await isKept(target.to)) ? refuse(null) : refuse('not_kept');
    const goes = alone.refused === null && after === folderState && target.to !== folderState;
    return goes && !(await becomesEmpty(path)) ? refuse('changed') : alone;
  }

  /** Something else stands where its folder was, and the same undo puts that folder back first. */
  async function folderComesBack(path: string): Promise<boolean> {
    for (const above of histories) {
      if (above.last.path === path || !isBeneath(above.last.path, path)) continue;
      if (above.last.after === folderState || readState(targetOf(above)?.to ?? null).kind !== 'folder')
        continue;
      if ((await outcomeOf(above)).refused === null) return true;
    }
    return false;
  }

  /** All that lies in the folder was made by the turn, and goes with it. */
  async function becomesEmpty(folder: string): Promise<boolean> {
    const entries = await entriesOf(folder).catch(() => null);
    if (entries === null) return false;
    for (const { name } of entries) {
      const inside = byPath.get(join(folder, name));
      const isGone = inside && targetOf(inside)?.to === null && (await outcomeOf(inside)).refused === null;
      if (isGone !== true) return false;
    }
    return true;
  }

  return outcomeOf;
}
