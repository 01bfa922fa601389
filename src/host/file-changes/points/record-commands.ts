/** Keeps a point before each command and records what it did after it. */
import type { CommandChanges, UndoCoverage } from '../../../protocol/changed-files.ts';
import type { CommandRecorder } from '../../tools/command-recorder.ts';
import { ToolFailure } from '../../tools/tool.ts';
import { coversAll } from '../../../rules/undo-coverage.ts';
import { contentReader } from '../content-reader.ts';
import { closeStep } from '../recorder.ts';
import type { Manifest } from './manifest.ts';
import { recordPoint, type RecordDeps } from './record-point.ts';
import type { ScanProblem } from './scan-folder.ts';
import {
  UndoPoints,
  type EndedPoint,
  type PointDeps,
  type PointOwner,
  type RunningPoint,
} from './undo-points.ts';

export interface CommandRecorderDeps extends Omit<RecordDeps, 'contentOf'>, PointDeps {
  onChange: (sessionId: string) => void;
}

interface Parts extends RecordDeps, Pick<CommandRecorderDeps, 'log' | 'onChange'> {
  points: UndoPoints;
}

/** Resolves when what commands of a host that died have done is recorded, and contents that nobody needs are removed. */
export async function openCommandRecorder(deps: CommandRecorderDeps): Promise<CommandRecorder> {
  const { store, contents } = deps;
  const points = new UndoPoints(deps);
  const parts = { ...deps, points, contentOf: contentReader(deps) };
  await recoverCommands(parts);
  const needed = store.neededContents();
  const known = points.keptHashes();
  await contents.tidy((hash) => needed.has(hash) || known.has(hash));
  return createCommandRecorder(parts);
}

function createCommandRecorder(deps: Parts): CommandRecorder {
  const { points, store, log } = deps;
  /** Of commands that are over. The disk may take it later; what it never took, the next start reads. */
  const unrecorded = new Map<RunningPoint, PointOwner>();
  const close = async (point: RunningPoint, owner: PointOwner): Promise<CommandChanges | null> => {
    unrecorded.delete(point);
    try {
      const ended = await point.ended();
      if (ended.after === 'unreadable') throw new Error('The folder cannot be read now.');
      const changes = await record(ended, deps);
      await point.close();
      return changes;
    } catch (error) {
      unrecorded.set(point, owner);
      log.error('What a command changed could not be recorded', error, { ...owner });
      return null;
    }
  };
  /** Before the next command there, whose work it would be taken for. */
  const closeEarlier = async (workspace: string): Promise<void> => {
    const earlier = [...unrecorded].filter(([, owner]) => owner.workspace === workspace);
    for (const [point, owner] of earlier) await close(point, owner);
  };
  return {
    async coverage(workspace) {
      await closeEarlier(workspace);
      const found = await points.look(workspace).catch((error: unknown) => {
        log.error('What stands in a folder could not be kept', error, { workspace });
        return 'unreadable' as const;
      });
      return coverageOf(found);
    },
    async begin(owner, promised) {
      await closeEarlier(owner.workspace);
      const point = { ...owner, lastStep: store.lastFileStep() };
      const before = await points.look(owner.workspace);
      const found = coverageOf(before);
      const lost = promised && whyLost(promised, found);
      if (lost !== undefined) throw coverageLost(lost);
      if (typeof before === 'string') return { ended: () => Promise.resolve(null) };
      const running = await points.begin(point, before);
      return { ended: () => close(running, point) };
    },
  };
}

function recoverCommands(deps: Parts): Promise<void> {
  return deps.points.recover(async (point) => void (await record(point, deps)));
}

async function record(point: EndedPoint, deps: Parts): Promise<CommandChanges | null> {
  // Deleted meanwhile.
  if (deps.store.getSession(point.sessionId) === null) return null;
  const changes = await recordPoint(deps, point);
  if (changes && changes.total > 0) closeStep(() => deps.onChange(point.sessionId), deps.log);
  return changes;
}

/** What of a promise cannot be kept now; undefined = nothing. */
function whyLost(promised: UndoCoverage, found: UndoCoverage): string | undefined {
  if (promised.kind !== 'covered') return undefined;
  if (found.kind === 'none') return problems[found.problem];
  if (!coversAll(promised) || coversAll(found)) return undefined;
  return found.notKept === 1
    ? 'a file in it cannot be kept'
    : `${String(found.notKept)} files in it cannot be kept`;
}

const problems: Record<ScanProblem, string> = {
  too_many: 'it has too many files now',
  too_slow: 'looking through it takes too long now',
  unreadable: 'it cannot be read now',
};

const coverageLost = (why: string): ToolFailure =>
  new ToolFailure(`Undo covered the folder before and no longer does, so nothing was run: ${why}.`, {
    advice: 'Call it once more: the person is then told what undo covers now.',
  });

function coverageOf(found: Manifest | ScanProblem): UndoCoverage {
  if (typeof found === 'string') return { kind: 'none', problem: found };
  const { entries, uncovered } = found;
  const files = [...entries.values()].filter(({ state }) => state !== 'folder');
  const places = [...uncovered.keys()].toSorted((a, b) => depth(a) - depth(b) || (a < b ? -1 : 1));
  return {
    kind: 'covered',
    files: files.length,
    notKept: files.filter(({ isKept }) => !isKept).length,
    uncovered: places.slice(0, maxNamed),
    moreUncovered: Math.max(0, places.length - maxNamed),
  };
}

/** On a card. */
const maxNamed = 20;
const depth = (path: string): number => path.split('/').length;
