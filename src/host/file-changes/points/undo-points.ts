/**
 * What stood in a session's folder before each command, so that what it did can be told and taken back. A point is written
 * down before its command begins: a host that dies meanwhile reads it when it starts again.
 */
import { join } from 'node:path';
import { z } from 'zod';
import type { NewId, Timer } from '../../../platform/clock.ts';
import type { Files, FileWriter } from '../../../platform/files.ts';
import type { Log } from '../../../platform/log.ts';
import { parseJson } from '../../../protocol/json.ts';
import { lazyObject } from '../../../protocol/lazy-object.ts';
import { manifestSchema, plainManifest, type Manifest } from './manifest.ts';
import { readManifest, type ManifestDeps, type ManifestLimits } from './read-manifest.ts';
import type { ScanProblem } from './scan-folder.ts';

export interface PointDeps extends ManifestDeps {
  files: Files;
  newId: NewId;
  log: Log;
  /** Its own: one file for each command that runs. */
  folder: string;
  /** Only tests name others. */
  limits?: Partial<ManifestLimits> | undefined;
}

export interface PointOwner {
  sessionId: string;
  callId: string;
  /** Real path. */
  workspace: string;
  /** The newest step of any session as the command began: later ones were recorded meanwhile. */
  lastStep: number;
}

/** A command that ended, or whose host died. */
export interface EndedPoint extends PointOwner {
  before: Manifest;
  /** A word = it cannot be told what stands there now. */
  after: Manifest | ScanProblem;
  /** Unix milliseconds: the command was seen to run until then; null = it ended just now. */
  aliveUntil: number | null;
}

export interface RunningPoint {
  /** Again, where what it found could not be recorded: then it is known when the command was over. */
  ended(): Promise<EndedPoint>;
  /** Once what it found is recorded. */
  close(): Promise<void>;
}

const limits: ManifestLimits = {
  entries: 20_000,
  uncovered: 5_000,
  ms: 2_000,
  keptBytes: 256 * 1024 * 1024,
  readMs: 5_000,
};
/** What a command did must be found, also where it made much. */
const limitsAfter: ManifestLimits = { ...limits, entries: 3 * limits.entries, ms: 10_000, readMs: 10_000 };
/** Of folders that were looked at last, what is known of them. */
const maxFolders = 4;
/** A folder that is too large to be covered is not tried again before. */
const retryMs = 5 * 60_000;
const beatMs = 1_000;

const pointSchema = lazyObject(() => ({
  sessionId: z.string(),
  callId: z.string(),
  workspace: z.string(),
  lastStep: z.number(),
  before: manifestSchema,
}));

export class UndoPoints {
  readonly #deps: PointDeps;
  /** The one looked at last stands last. */
  readonly #known = new Map<string, Manifest | { problem: ScanProblem; at: number }>();
  /** One look at a folder at a time: two would read the same. */
  readonly #looks = new Map<string, Promise<unknown>>();

  constructor(deps: PointDeps) {
    this.#deps = deps;
  }

  /** What undo would cover of the folder now; a word = nothing, and why. Rejects where the disk of the data folder does. */
  look(workspace: string): Promise<Manifest | ScanProblem> {
    return this.#look(workspace, [], { ...limits, ...this.#deps.limits });
  }

  /** The command runs once this resolves. @param before what was just found there */
  async begin(owner: PointOwner, before: Manifest): Promise<RunningPoint> {
    const { files, folder, newId, clock } = this.#deps;
    const id = newId('point_');
    const path = join(folder, `${id}.json`);
    const beat = join(folder, `${id}.beat`);
    await files.makeFolder(folder);
    await files.writeAtomic(path, JSON.stringify({ ...owner, before: plainManifest(before) }), {
      mode: 0o600,
    });
    const heart = await startBeating(await files.createFile(beat), this.#deps);
    let aliveUntil: number | null = null;
    return {
      ended: async () => {
        const isFirst = aliveUntil === null;
        const until = (aliveUntil ??= clock.now());
        if (isFirst) await heart.stop();
        const after = await this.#after(owner.workspace, before);
        return { ...owner, before, after, aliveUntil: isFirst ? null : until };
      },
      close: async () => {
        await files.remove(path);
        await files.remove(beat);
      },
    };
  }

  /** What a host that died left. `record` keeps it; what cannot be read now waits for the next start. */
  async recover(record: (point: EndedPoint) => Promise<void>): Promise<void> {
    const { files, folder, log } = this.#deps;
    for (const { name } of await files.readFolder(folder).catch(() => [])) {
      if (!name.endsWith('.json')) continue;
      const path = join(folder, name);
      const beat = path.replace(/json$/, 'beat');
      try {
        const point = await this.#left(path, beat);
        if (typeof point?.after === 'string') continue;
        if (point) await record(point);
        await files.remove(path);
        await files.remove(beat);
      } catch (error) {
        log.error('What a command changed could not be read after a crash', error, { path });
      }
    }
  }

  /** Contents that are needed for what is known of folders, beside those that are recorded. */
  keptHashes(): ReadonlySet<string> {
    const manifests = [...this.#known.values()].filter((known) => 'entries' in known);
    return new Set(manifests.flatMap(({ entries }) => [...entries.values()].map(({ state }) => state)));
  }

  /** null = it is no point. */
  async #left(path: string, beat: string): Promise<EndedPoint | null> {
    const { files } = this.#deps;
    const text = new TextDecoder().decode(await files.readBytes(path, maxPointBytes));
    const point = pointSchema.safeParse(parsed(text));
    if (!point.success) return null;
    const { before } = point.data;
    const lastBeat = (await files.lstat(beat))?.modifiedMs ?? before.at;
    const after = await this.#after(point.data.workspace, before);
    return { ...point.data, after, aliveUntil: lastBeat + beatMs };
  }

  #after(workspace: string, before: Manifest): Promise<Manifest | ScanProblem> {
    return this.#look(workspace, before.entries.keys(), limitsAfter, before);
  }

  #look(
    workspace: string,
    covered: Iterable<string>,
    within: ManifestLimits,
    known?: Manifest,
  ): Promise<Manifest | ScanProblem> {
    const work = async (): Promise<Manifest | ScanProblem> => {
      const last = this.#known.get(workspace);
      const { clock } = this.#deps;
      const isLarge = !known && last && 'problem' in last && last.problem !== 'unreadable';
      if (isLarge && clock.monotonic() - last.at < retryMs) return last.problem;
      const from = known ?? (last && 'entries' in last ? last : null);
      const found = await readManifest(this.#deps, workspace, from, covered, within);
      this.#known.delete(workspace);
      this.#known.set(
        workspace,
        typeof found === 'string' ? { problem: found, at: clock.monotonic() } : found,
      );
      for (const oldest of [...this.#known.keys()].slice(0, -maxFolders)) this.#known.delete(oldest);
      return found;
    };
    const result = (this.#looks.get(workspace) ?? Promise.resolve()).then(work);
    const looked = result.catch(() => undefined);
    this.#looks.set(workspace, looked);
    void looked.then(() => this.#looks.get(workspace) === looked && this.#looks.delete(workspace));
    return result;
  }
}

const maxPointBytes = 64 * 1024 * 1024;

function parsed(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    // Cut off: its command never began.
    return null;
  }
}

/** Its file is as old as the last moment at which this process is known to have lived. */
async function startBeating(file: FileWriter, { clock, log }: Pick<PointDeps, 'clock' | 'log'>) {
  let timer: Timer | undefined;
  let written: Promise<unknown> = Promise.resolve();
  const beat = (): void => {
    written = file.append(new Uint8Array([46])).catch((error: unknown) => {
      log.warn('A command’s point could not be brought up to date', { error: String(error) });
    });
    timer = clock.after(beatMs, beat);
  };
  beat();
  await written;
  return {
    async stop(): Promise<void> {
      timer?.cancel();
      await written;
      await file.close();
    },
  };
}
