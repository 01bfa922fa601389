/** Downloads of models: begun, paused, gone on with, told in the state. */
import { AndironError, toWireError, type ErrorCode } from '../../protocol/errors.ts';
import type { Pull } from '../../protocol/engine-room.ts';
import type { EngineDeps } from '../base/engine-deps.ts';
import { canonicalName } from '../models/catalogue.ts';
import type { StateStore } from '../base/state.ts';
import { pause } from '../base/timing.ts';
import { listedBytes } from './catalogue-entries.ts';
import { noRoom, type Disk } from './disk.ts';
import { followPull } from './follow-pull.ts';
import { createPullProgress, type PullProgress } from './pull-progress.ts';
import type { WantedPulls } from './wanted-pulls.ts';

export interface Pulls {
  /** Begins or goes on; nothing happens while it runs. Rejects where the disk has no room. */
  begin(model: string): Promise<void>;
  pause(model: string): void;
  forget(model: string): void;
  isRunning(model: string): boolean;
  /** Everything that runs is left as paused, for the next start. */
  stop(): Promise<void>;
}

export interface PullsOptions {
  /** Where Ollama answers now; null = nowhere. */
  url: () => string | null;
  disk: Disk;
  wanted: WantedPulls;
  /** A model has come. */
  onDone: () => Promise<void>;
}

interface Job {
  pull: Pull;
  /** Of the run in progress; null = it does not run. */
  run: AbortController | null;
  /** Of its present connection: what has still to be written. */
  progress: PullProgress | null;
}

/** Broken connections are worth another try; what Ollama or the disk refuses is not. */
const worthAnotherTry: ReadonlySet<ErrorCode> = new Set([
  'engine_unavailable',
  'stream_cut',
  'stream_broken',
]);
const maxFailedTries = 5;
/** Also where each of them brought something. */
const maxTries = 50;
const maxWaitMs = 30_000;
/** How long a finished one stays in the list. */
const doneShownMs = 60_000;

export function createPulls(deps: EngineDeps, state: StateStore, options: PullsOptions): Pulls {
  const { clock, log } = deps;
  const jobs = new Map<string, Job>(
    options.wanted.read().map((pull) => [canonicalName(pull.model), { pull, run: null, progress: null }]),
  );

  /** What forgotten downloads left on the disk, as long as Ollama keeps it: a later pull does not need that room again. */
  const leftBytes = new Map<string, number>();
  let stopped = false;

  const publish = (): void => state.update({ pulls: [...jobs.values()].map(({ pull }) => pull) });
  const report = (job: Job, changes: Partial<Pull>): void => {
    const before = job.pull.phase;
    job.pull = { ...job.pull, ...changes };
    publish();
    if (job.pull.phase !== before) keep();
  };
  const keep = (): void => options.wanted.keep([...jobs.values()].map(({ pull }) => pull));

  /** Of this model, and of every other that is coming at the same time. */
  const missingBytes = (job: Job, own: number | null): number | null => {
    if (own === null) return null;
    const others = [...jobs.values()].filter((other) => other !== job && other.run !== null);
    return others.reduce((sum, { progress }) => sum + (progress?.missingBytes() ?? 0), own);
  };
  const assertRoom = async (job: Job, own: number | null): Promise<void> => {
    const missing = missingBytes(job, own);
    const refusal = noRoom(job.pull.model, missing, missing === null ? null : await options.disk.freeBytes());
    if (refusal) throw refusal;
  };

  /** Before Ollama says how much is to come. null = not a model of the list, or one that is brought up to date. */
  const expectedBytes = ({ pull }: Job): number | null => {
    const name = canonicalName(pull.model);
    const listed = listedBytes(name);
    if (listed === null || state.current().models.some((model) => canonicalName(model.name) === name))
      return null;
    return Math.max(0, listed - Math.max(pull.completedBytes, leftBytes.get(name) ?? 0));
  };

  const connectOnce = async (job: Job, signal: AbortSignal): Promise<void> => {
    job.progress = null;
    const url = options.url();
    if (url === null) throw notRunning();
    const progress = createPullProgress(() => clock.monotonic());
    job.progress = progress;
    await followPull({
      clock,
      ollama: deps.ollama,
      url,
      model: job.pull.model,
      progress,
      signal,
      onTick() {
        if (signal.aborted || progress.totalBytes() === null) return;
        report(job, { ...figuresOf(progress), phase: progress.phase(), problem: null });
      },
      assertRoom: () => assertRoom(job, progress.missingBytes()),
    });
  };

  const run = async (job: Job, signal: AbortSignal): Promise<void> => {
    let failedTries = 0;
    for (let tries = 1; ; tries += 1) {
      try {
        await connectOnce(job, signal);
        return;
      } catch (error) {
        if (signal.aborted || !(error instanceof AndironError)) throw error;
        failedTries = (job.progress?.receivedBytes() ?? 0) > 0 ? 1 : failedTries + 1;
        const again = worthAnotherTry.has(error.code) && failedTries < maxFailedTries && tries < maxTries;
        if (!again) throw error;
        report(job, { phase: 'waiting', problem: problemOf(error), bytesPerSecond: null });
        await pause(clock, Math.min(maxWaitMs, 1_000 * 2 ** (failedTries - 1)), signal);
        signal.throwIfAborted();
      }
    }
  };

  /** Never rejects: what it came to is told. */
  const carryOut = async (job: Job, controller: AbortController): Promise<void> => {
    const { signal } = controller;
    try {
      await run(job, signal);
      await options.onDone();
      if (job.run !== controller) return;
      job.run = null;
      const { completedBytes } = job.pull;
      report(job, { phase: 'done', totalBytes: completedBytes, bytesPerSecond: null, problem: null });
      clock.after(doneShownMs, () => {
        if (job.pull.phase === 'done' && !stopped) remove(job);
      });
    } catch (error) {
      // Paused or forgotten: that was told when it was asked for.
      if (job.run !== controller) return;
      if (!(error instanceof AndironError)) log.error('a pull', error);
      job.run = null;
      report(job, { phase: 'failed', bytesPerSecond: null, problem: problemOf(error) });
    }
  };

  const leave = (job: Job): void => {
    const { run: running } = job;
    job.run = null;
    running?.abort(new AndironError('cancelled', 'The download was paused.'));
  };

  const remove = (job: Job): void => {
    leave(job);
    const name = canonicalName(job.pull.model);
    if (jobs.get(name) !== job) return;
    jobs.delete(name);
    publish();
    keep();
  };

  publish();
  return {
    async begin(model) {
      if (options.url() === null) throw notRunning();
      const name = canonicalName(model);
      const known = jobs.get(name);
      if (known?.run) return;
      const job = known ?? { pull: newPull(model, clock.now()), run: null, progress: null };
      const controller = new AbortController();
      job.run = controller;
      jobs.set(name, job);
      try {
        await assertRoom(job, expectedBytes(job));
      } catch (error) {
        if (job.run === controller) job.run = null;
        if (!known && jobs.get(name) === job) remove(job);
        throw error;
      }
      // Paused or forgotten in the meantime.
      if (job.run !== controller) return;
      report(job, { phase: 'waiting', problem: null, bytesPerSecond: null });
      keep();
      void carryOut(job, controller);
    },
    pause(model) {
      const job = jobs.get(canonicalName(model));
      if (!job?.run) return;
      leave(job);
      report(job, { phase: 'paused', bytesPerSecond: null, problem: null });
    },
    forget(model) {
      const job = jobs.get(canonicalName(model));
      if (!job) return;
      leftBytes.set(canonicalName(model), job.pull.completedBytes);
      remove(job);
    },
    isRunning: (model) => Boolean(jobs.get(canonicalName(model))?.run),
    async stop() {
      stopped = true;
      for (const job of jobs.values()) {
        if (!job.run) continue;
        leave(job);
        job.pull = { ...job.pull, phase: 'paused', bytesPerSecond: null, problem: null };
      }
      keep();
      await options.wanted.flushed();
    },
  };
}

function newPull(model: string, now: number): Pull {
  return {
    model,
    phase: 'waiting',
    completedBytes: 0,
    totalBytes: null,
    bytesPerSecond: null,
    startedAt: now,
    problem: null,
  };
}

function figuresOf(progress: PullProgress): Pick<Pull, 'completedBytes' | 'totalBytes' | 'bytesPerSecond'> {
  return {
    completedBytes: progress.completedBytes(),
    totalBytes: progress.totalBytes(),
    bytesPerSecond: progress.bytesPerSecond(),
  };
}

function problemOf(error: unknown): NonNullable<Pull['problem']> {
  const { code, message, advice = '' } = toWireError(error);
  return { code, message, advice };
}

function notRunning(): AndironError {
  return new AndironError('engine_unavailable', 'Ollama does not run.', 'Start Ollama, then go on.');
}
