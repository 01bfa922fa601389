/** Keeps a point before each command and records what it did after it. */
import type { CommandChanges, UndoCoverage } from '../../../protocol/changed-files.ts';
import type { CommandRecorder } from '../../tools/command-recorder.ts';
import { contentReader } from '../content-reader.ts';
import { closeStep } from '../recorder.ts';
import type { Manifest } from './manifest.ts';
import { recordPoint, type RecordDeps } from './record-point.ts';
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
      return typeof found === 'string' ? { kind: 'none', problem: found } : coverageOf(found);
    },
    async begin(owner) {
      await closeEarlier(owner.workspace);
      const point = { ...owner, lastStep: store.lastFileStep() };
      const running = await points.begin(point);
      if (running === null) return { ended: () => Promise.resolve(null) };
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

function coverageOf({ entries, uncovered }: Manifest): UndoCoverage {
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
