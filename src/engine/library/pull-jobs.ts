/** Downloads of models: begun, paused, gone on with, told in the state. */
import { AndironError, toWireError, type ErrorCode } from '../../protocol/errors.ts';
import type { Pull } from '../../protocol/engine-room.ts';
import type { EngineDeps } from '../base/engine-deps.ts';
import { canonicalName } from '../models/catalogue.ts';
import type { StateStore } from '../base/state.ts';
import { pause } from '../base/timing.ts';
import { listedBytes } from './catalogue-entries.ts';
import { hasRoom, noRoom, type Disk } from './disk.ts';
import { followPull } from './follow-pull.ts';
import { createPullProgress, type PullProgress } from './pull-progress.ts';
import type { WantedPulls } from './wanted-pulls.ts';

/** Of Andiron's own Ollama, whose port may be another one after a start. */
export const ownHost = 'own';

export interface PullHost {
  url: string;
  /** The same as long as it is the same Ollama: `ownHost`, or its address. */
  id: string;
}

export interface PullsOptions {
  /** The Ollama that answers now; null = none. */
  host: () => PullHost | null;
  disk: Disk;
  wanted: WantedPulls;
  /** A model has come. */
  onDone: () => Promise<void>;
}

/** In bytes; what is free where Ollama keeps its models. */
export interface LackingRoom {
  model: string;
  neededBytes: number;
  freeBytes: number;
}

interface Job {
  pull: Pull;
  /** Which Ollama it was begun at, and goes on at; null = the next one that it is begun at. */
  host: string | null;
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

export class Pulls {
  readonly #deps: EngineDeps;
  readonly #state: StateStore;
  readonly #options: PullsOptions;
  readonly #jobs: Map<string, Job>;
  /** What forgotten downloads left on the disk, as long as Ollama keeps it: a later pull does not need that room again. */
  readonly #leftBytes = new Map<string, number>();
  #stopped = false;

  constructor(deps: EngineDeps, state: StateStore, options: PullsOptions) {
    this.#deps = deps;
    this.#state = state;
    this.#options = options;
    this.#jobs = new Map(
      options.wanted
        .read()
        .map((wanted) => [canonicalName(wanted.pull.model), { ...wanted, run: null, progress: null }]),
    );
    this.#publish();
  }

  /** Begins or goes on; nothing happens while it runs. Rejects where the disk has no room, or at another Ollama. */
  async begin(model: string): Promise<void> {
    const host = this.#options.host();
    if (host === null) throw notRunning();
    const found = this.#job(model);
    if (found?.run) return;
    // What came at another Ollama is not here.
    const known = found?.pull.phase === 'done' && found.host !== host.id ? undefined : found;
    const job = known ?? newJob(model, this.#deps.clock.now(), host.id);
    job.host ??= host.id;
    if (job.host !== host.id) throw elsewhere(model, job.host);
    const controller = new AbortController();
    job.run = controller;
    this.#jobs.set(canonicalName(model), job);
    try {
      await this.#assertRoom(job, this.#expectedBytes(job));
    } catch (error) {
      if (job.run === controller) job.run = null;
      if (!known && this.#job(model) === job) this.#remove(job);
      throw error;
    }
    // Paused or forgotten in the meantime.
    if (job.run !== controller) return;
    this.#report(job, { phase: 'waiting', problem: null, bytesPerSecond: null });
    this.#keep();
    void this.#carryOut(job, controller);
  }

  pause(model: string): void {
    const job = this.#job(model);
    if (!job?.run) return;
    leave(job);
    this.#report(job, { phase: 'paused', bytesPerSecond: null, problem: null });
  }

  forget(model: string): void {
    const job = this.#job(model);
    if (!job) return;
    this.#leftBytes.set(leftAt(job.host, canonicalName(model)), job.pull.completedBytes);
    this.#remove(job);
  }

  isRunning(model: string): boolean {
    return Boolean(this.#job(model)?.run);
  }

  /** Those for which there is no room, by the same count that a pull is refused by; what is being pulled has its room. */
  async lackingRoom(models: readonly string[]): Promise<LackingRoom[]> {
    const freeBytes = await this.#options.disk.freeBytes();
    if (freeBytes === null) return [];
    const here = this.#options.host()?.id ?? null;
    return models.flatMap((model): LackingRoom[] => {
      const known = this.#job(model);
      const isHere = known && (known.host ?? here) === here;
      const job = isHere ? known : newJob(model, this.#deps.clock.now(), here);
      const neededBytes = job.run ? null : this.#missingWith(job, this.#expectedBytes(job));
      return neededBytes === null || hasRoom(neededBytes, freeBytes)
        ? []
        : [{ model, neededBytes, freeBytes }];
    });
  }

  /** Everything that runs is left as paused, for the next start. */
  async stop(): Promise<void> {
    this.#stopped = true;
    for (const job of this.#jobs.values()) {
      if (!job.run) continue;
      leave(job);
      job.pull = { ...job.pull, phase: 'paused', bytesPerSecond: null, problem: null };
    }
    this.#keep();
    await this.#options.wanted.flushed();
  }

  #job(model: string): Job | undefined {
    return this.#jobs.get(canonicalName(model));
  }

  #publish(): void {
    this.#state.update({ pulls: [...this.#jobs.values()].map(({ pull }) => pull) });
  }

  #keep(): void {
    this.#options.wanted.keep([...this.#jobs.values()]);
  }

  #report(job: Job, changes: Partial<Pull>): void {
    const before = job.pull.phase;
    job.pull = { ...job.pull, ...changes };
    this.#publish();
    if (job.pull.phase !== before) this.#keep();
  }

  #remove(job: Job): void {
    leave(job);
    if (this.#job(job.pull.model) !== job) return;
    this.#jobs.delete(canonicalName(job.pull.model));
    this.#publish();
    this.#keep();
  }

  /** @param own what is missing of this model; whatever else is coming at the same time needs its room too. */
  async #assertRoom(job: Job, own: number | null): Promise<void> {
    const missing = this.#missingWith(job, own);
    const free = missing === null ? null : await this.#options.disk.freeBytes();
    const refusal = noRoom(job.pull.model, missing, free);
    if (refusal) throw refusal;
  }

  #missingWith(job: Job, own: number | null): number | null {
    const others = [...this.#jobs.values()].filter((other) => other !== job && other.run !== null);
    return own === null
      ? null
      : others.reduce((sum, { progress }) => sum + (progress?.missingBytes() ?? 0), own);
  }

  /** Before Ollama says how much is to come. null = not a model of the list, or one that is brought up to date. */
  #expectedBytes({ pull, host }: Job): number | null {
    const name = canonicalName(pull.model);
    const listed = listedBytes(name);
    const { models } = this.#state.current();
    if (listed === null || models.some((model) => canonicalName(model.name) === name)) return null;
    const left = this.#leftBytes.get(leftAt(host, name)) ?? 0;
    return Math.max(0, listed - Math.max(pull.completedBytes, left));
  }

  /** Never rejects: what it came to is told. */
  async #carryOut(job: Job, controller: AbortController): Promise<void> {
    const { clock, log } = this.#deps;
    try {
      await this.#persist(job, controller.signal);
      await this.#options.onDone();
      if (job.run !== controller) return;
      job.run = null;
      const { completedBytes } = job.pull;
      this.#report(job, { phase: 'done', totalBytes: completedBytes, bytesPerSecond: null, problem: null });
      clock.after(doneShownMs, () => {
        if (job.pull.phase === 'done' && !this.#stopped) this.#remove(job);
      });
    } catch (error) {
      // Paused or forgotten: that was told when it was asked for.
      if (job.run !== controller) return;
      if (!(error instanceof AndironError)) log.error('a pull', error);
      job.run = null;
      this.#report(job, { phase: 'failed', bytesPerSecond: null, problem: problemOf(error) });
    }
  }

  /** Connects again and again, as long as that is worth another try. */
  async #persist(job: Job, signal: AbortSignal): Promise<void> {
    let failedTries = 0;
    for (let tries = 1; ; tries += 1) {
      try {
        await this.#connectOnce(job, signal);
        return;
      } catch (error) {
        if (signal.aborted || !(error instanceof AndironError)) throw error;
        failedTries = (job.progress?.receivedBytes() ?? 0) > 0 ? 1 : failedTries + 1;
        const again = worthAnotherTry.has(error.code) && failedTries < maxFailedTries && tries < maxTries;
        if (!again) throw error;
        this.#report(job, { phase: 'waiting', problem: problemOf(error), bytesPerSecond: null });
        await pause(this.#deps.clock, Math.min(maxWaitMs, 1_000 * 2 ** (failedTries - 1)), signal);
        signal.throwIfAborted();
      }
    }
  }

  async #connectOnce(job: Job, signal: AbortSignal): Promise<void> {
    const { clock, ollama } = this.#deps;
    job.progress = null;
    const host = this.#options.host();
    if (host === null) throw notRunning();
    if (job.host !== null && job.host !== host.id) throw elsewhere(job.pull.model, job.host);
    const progress = createPullProgress(() => clock.monotonic());
    job.progress = progress;
    await followPull({
      clock,
      ollama,
      url: host.url,
      model: job.pull.model,
      progress,
      signal,
      onTick: () => {
        if (signal.aborted || progress.totalBytes() === null) return;
        this.#report(job, {
          phase: progress.phase(),
          completedBytes: progress.completedBytes(),
          totalBytes: progress.totalBytes(),
          bytesPerSecond: progress.bytesPerSecond(),
          problem: null,
        });
      },
      assertRoom: () => this.#assertRoom(job, progress.missingBytes()),
    });
  }
}

function leave(job: Job): void {
  const { run } = job;
  job.run = null;
  run?.abort(new AndironError('cancelled', 'The download was paused.'));
}

const newJob = (model: string, now: number, host: string | null): Job => ({
  pull: newPull(model, now),
  host,
  run: null,
  progress: null,
});

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

function problemOf(error: unknown): NonNullable<Pull['problem']> {
  const { code, message, advice = '' } = toWireError(error);
  return { code, message, advice };
}

function notRunning(): AndironError {
  return new AndironError(
    'engine_unavailable',
    'Ollama does not run.',
    'Start Ollama, then resume the download.',
  );
}

/** What one Ollama has on its disk is of no use to another. */
const leftAt = (host: string | null, name: string): string => `${host ?? ''} ${name}`;

function elsewhere(model: string, host: string): AndironError {
  const where = host === ownHost ? "Andiron's own Ollama" : host;
  return new AndironError(
    'engine_unavailable',
    `The download of ${model} was begun at ${where}, and Andiron uses another Ollama now.`,
    'Resume it when that one is used again, or forget it and get the model here.',
  );
}
