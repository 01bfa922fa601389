/**
 * Makes the vectors of facts while nobody wants the GPU, a handful at a time, and keeps their model in main memory while
 * somebody talks or opens sessions: for a message that waits it is never loaded.
 */
import type { Clock, Timer } from '../../../platform/clock.ts';
import type { Log } from '../../../platform/log.ts';
import { throttled } from '../../../platform/throttle.ts';
import { AndironError } from '../../../protocol/errors.ts';
import type { EngineState } from '../../../protocol/model.ts';
import { nobodyWaits } from '../../../rules/nobody-waits.ts';
import type { EmbeddingModel, VectorEngine } from './embedding-model.ts';
import { toVector } from './nearest.ts';
import { createVectorBatches, type MoreTexts, type VectorBatchesDeps } from './vector-batches.ts';

export interface VectorWorkDeps {
  store: VectorBatchesDeps['store'];
  more: MoreTexts;
  engine: Pick<VectorEngine, 'state' | 'embed'>;
  /** The model in use; null = there is none. */
  model: () => EmbeddingModel | null;
  countTokens: (model: string, tokens: number | null) => void;
  /** There are more vectors than before, or another reason why there are not. */
  onChange: () => void;
  clock: Clock;
  log: Log;
}

interface VectorProblem {
  kind: 'no_place' | 'failed';
  /** For a person; empty where the kind says it all. */
  text: string;
}

const restMs = 2_000;
/** Twice as long after each further failure: a model that cannot be loaded is not loaded every minute. */
const afterFailureMs = 60_000;
const maxAfterFailureMs = 60 * 60_000;
const afterNoPlaceMs = 10 * 60_000;
/** The model stays five minutes after each request. */
const renewMs = 2 * 60_000;
/** Somebody talks: so long after the last message, after a session was opened, and after the start. */
const talkMs = 30 * 60_000;
/** A window reads all facts again at each. */
const reportMs = 2_000;
/** How much the newest batch counts for how long one takes. */
const newestShare = 0.2;

export function createVectorWork(deps: VectorWorkDeps) {
  const { engine, clock, log } = deps;
  let running: AbortController | null = null;
  let work: Promise<void> = Promise.resolve();
  let timer: Timer | null = null;
  let isClosed = false;
  let turns = 0;
  let failures = 0;
  let retryAt = -Infinity;
  let usedAt = clock.monotonic();
  const reports = createReports(deps);
  const pace = createTiming();
  const batches = createVectorBatches(deps);

  const lookIn = (ms: number): void => {
    timer?.cancel();
    timer = isClosed ? null : clock.after(ms, look);
  };

  function look(): void {
    const wait = retryAt - clock.monotonic();
    if (wait > 0) {
      lookIn(wait);
      return;
    }
    const model = deps.model();
    if (isClosed || running || turns > 0 || !model || !isIdle(engine.state())) return;
    const own = new AbortController();
    running = own;
    work = step(model, own.signal)
      .catch((error: unknown) => afterFailure(error, own.signal))
      .then(rest);
  }

  function rest(ms: number | null): void {
    running = null;
    if (ms !== null) lookIn(ms);
  }

  /** Resolves with when the next one is due; null = when something changes. */
  async function step(model: EmbeddingModel, signal: AbortSignal): Promise<number | null> {
    const { digest } = model;
    const batch = batches.next(digest) ?? (await deps.more.next(digest));
    const isTalking = clock.monotonic() - usedAt < talkMs;
    if (!batch && !(isTalking && (batches.hasFacts(digest) || deps.more.hasAny()))) return null;
    signal.throwIfAborted();
    const begun = clock.monotonic();
    // Without a text the model is only kept in memory.
    const texts = batch?.texts ?? [];
    const { vectors, why, tokens } = await engine.embed(model.name, texts, false, signal);
    if (why === 'no_place') reports.report({ kind: 'no_place', text: '' });
    if (!vectors) return why === 'no_place' ? afterNoPlaceMs : null;
    reports.report(null);
    failures = 0;
    if (!batch) return renewMs;
    deps.countTokens(model.name, tokens);
    pace.note(clock.monotonic() - begun, texts);
    await batch.keep(vectors.map((vector) => toVector(vector) ?? unusable(model.name)));
    reports.progress(batch.isLast);
    return 0;
  }

  function afterFailure(error: unknown, signal: AbortSignal): number | null {
    if (signal.aborted) return null;
    log.warn('Vectors of facts could not be made', { error: String(error) });
    reports.report({ kind: 'failed', text: error instanceof AndironError ? error.message : '' });
    failures += 1;
    const ms = Math.min(maxAfterFailureMs, afterFailureMs * 2 ** (failures - 1));
    retryAt = clock.monotonic() + ms;
    return ms;
  }

  const callOff = (): void =>
    running?.abort(new AndironError('cancelled', 'Something more urgent needs the GPU.'));

  return {
    problem: reports.problem,
    /** Two texts of that model that are less far apart mean the same; null = that was not measured yet. */
    boundFor: (digest: string): number | null => batches.boundFor(digest),
    /** About; null = it was not timed yet. */
    msFor: pace.msFor,
    /** What there is to do may have changed. */
    lookSoon: (): void => lookIn(restMs),
    /** A message may come soon. */
    useExpected(): void {
      usedAt = clock.monotonic();
      lookIn(restMs);
    },
    /** What went wrong was with another model. */
    forgetProblem(): void {
      reports.forget();
      pace.forget();
      failures = 0;
      retryAt = -Infinity;
    },
    /** So many turns run now: any of them calls the work off. */
    turns(count: number): void {
      turns = count;
      usedAt = clock.monotonic();
      if (count > 0) callOff();
      else lookIn(restMs);
    },
    async close(): Promise<void> {
      isClosed = true;
      timer?.cancel();
      callOff();
      await work;
    },
  };
}

/** What is told of it, not more often than that is of use. */
function createReports({ clock, onChange }: Pick<VectorWorkDeps, 'clock' | 'onChange'>) {
  let problem: VectorProblem | null = null;
  return {
    problem: (): VectorProblem | null => problem,
    forget: (): void => void (problem = null),
    report(next: VectorProblem | null): void {
      const isSame = next?.kind === problem?.kind && next?.text === problem?.text;
      problem = next;
      if (!isSame) onChange();
    },
    progress: throttled(clock, reportMs, onChange),
  };
}

/** How long texts take, as they took lately. */
function createTiming() {
  let msPerCharacter: number | null = null;
  return {
    forget: (): void => void (msPerCharacter = null),
    note(ms: number, texts: readonly string[]): void {
      const characters = texts.reduce((sum, { length }) => sum + length, 0);
      if (characters === 0) return;
      const newest = ms / characters;
      msPerCharacter =
        msPerCharacter === null ? newest : newestShare * newest + (1 - newestShare) * msPerCharacter;
    },
    msFor: (characters: number): number | null =>
      msPerCharacter === null ? null : msPerCharacter * characters,
  };
}

/** As far as this process knows: the engine looks again before it begins. */
export function isIdle(state: EngineState | undefined): boolean {
  return state?.status.kind === 'running' && nobodyWaits(state);
}

function unusable(model: string): never {
  throw new AndironError(
    'engine_refused',
    `${model} made a vector that cannot be used.`,
    'Choose another model for this in the settings, under Memory.',
  );
}
