/** Exams as windows know them: one at a time, begun and cancelled by a person, their results kept for the model's bytes. */
import { AndironError, toWireError } from '../../../protocol/errors.ts';
import type { HostEvent } from '../../../protocol/events.ts';
import { examResultSchema, type ExamProgress, type ExamResult } from '../../../protocol/exam.ts';
import type { EngineState, Fit, ModelInfo, RequestUsage } from '../../../protocol/model.ts';
import type { Log } from '../../../platform/log.ts';
import type { ActiveProfile, Lease, LeaseRequest } from '../../loop/deps.ts';
import type { Store } from '../../store/store.ts';
import { limitMs, maxQuestions, questionCount, takeExam, type Findings } from './exam.ts';
import type { ExamParts } from './exam-run.ts';
import { shareGpu, type GpuShare } from './gpu-share.ts';
import { maxThatFits, windowsUpTo } from './context-sizes.ts';

/** What an exam asks of the engine beside what turns ask. */
interface ExamEngine {
  /** undefined = not connected. */
  state(): EngineState | undefined;
  onState(listener: () => void): void;
  /** Behind every turn. */
  acquireToWarm(request: LeaseRequest, signal: AbortSignal): Promise<Lease>;
  /** null = it could not say. */
  fits(model: string, contextTokens: number[]): Promise<readonly Fit[] | null>;
}

export interface ExamsDeps extends ExamParts {
  gpu: ExamEngine;
  store: Pick<Store, 'listModelFacts' | 'writeModelFact'>;
  /** As a new session of that profile begins; undefined = there is no such profile. */
  fresh(profileId: string): Omit<ActiveProfile, 'pinnedModel'> | undefined;
  publish(change: Extract<HostEvent, { type: 'exam/changed' }>): void;
  /** The counters of a request, for whoever learns from them. */
  onUsage(usage: RequestUsage): void;
  /** It wants the GPU before whatever only prepares. */
  onBegin(): void;
  /** The engine now holds what was asked here. */
  onEnd(): void;
  log: Log;
}

const factKey = 'exam';

export class Exams {
  readonly #deps: ExamsDeps;
  #progress: ExamProgress | null = null;
  #running: { calledOff: AbortController; share: GpuShare; done: Promise<void> } | undefined;

  constructor(deps: ExamsDeps) {
    this.#deps = deps;
    deps.gpu.onState(() => {
      const state = deps.gpu.state();
      this.#running?.share.look();
      if (this.#progress?.phase === 'waiting' && state?.loading?.model === this.#progress.model)
        this.#show({ phase: 'loading' });
    });
  }

  /** One for each model that ever had one. */
  results(): ExamResult[] {
    return this.#deps.store.listModelFacts(factKey, examResultSchema);
  }

  current(): ExamProgress | null {
    return this.#progress;
  }

  price(name: string): { questions: number; expectedMs: number | null; limitMs: number } {
    const model = this.#installed(name);
    const before = this.results().find(({ digest }) => digest === model.digest);
    return { questions: maxQuestions(model), expectedMs: before?.tookMs ?? null, limitMs };
  }

  /** Throws `busy`, `model_missing` and `not_found`. */
  begin(name: string, profileId: string): void {
    if (this.#running)
      throw new AndironError('busy', 'A model test is already running.', 'Wait for it, or cancel it.');
    const model = this.#installed(name);
    const fresh = this.#deps.fresh(profileId);
    if (!fresh)
      throw new AndironError('not_found', 'This profile does not exist any more.', 'Choose another profile.');
    const active: ActiveProfile = { ...fresh, pinnedModel: model.name };
    const total = Math.max(1, questionCount(active, model));
    this.#progress = {
      model: model.name,
      phase: 'waiting',
      asked: 0,
      total,
      since: this.#deps.clock.now(),
      problem: null,
    };
    this.#deps.publish({ type: 'exam/changed', exam: this.#progress });
    const calledOff = new AbortController();
    const { signal } = calledOff;
    const request = {
      model: model.name,
      contextTokens: active.profile.contextTokens,
      label: `Test of ${model.name}`,
    };
    const share = shareGpu({
      acquire: async (aborted) => {
        this.#show({ phase: 'waiting' });
        return this.#deps.gpu.acquireToWarm(request, aborted);
      },
      turnWaits: () => this.#deps.gpu.state()?.queue.some(({ purpose }) => purpose === 'turn') ?? false,
      signal,
      clock: this.#deps.clock,
    });
    const done = Promise.resolve()
      .then(() => this.#conduct(model, active, signal))
      .catch((error: unknown) => this.#ended(error, model.name, signal))
      .finally(() => {
        share.close(false);
        this.#running = undefined;
        this.#deps.onEnd();
      });
    this.#running = { calledOff, share, done };
    this.#deps.onBegin();
  }

  cancel(): void {
    if (this.#running) this.#running.calledOff.abort(cancelled());
    else if (this.#progress) {
      this.#progress = null;
      this.#deps.publish({ type: 'exam/changed', exam: null });
    }
  }

  async close(): Promise<void> {
    this.#running?.calledOff.abort(cancelled());
    await this.#running?.done;
  }

  #show(changes: Partial<ExamProgress>): void {
    if (!this.#progress) return;
    this.#progress = { ...this.#progress, ...changes };
    this.#deps.publish({ type: 'exam/changed', exam: this.#progress });
  }

  #installed(name: string): ModelInfo {
    const model = this.#deps.gpu
      .state()
      ?.models.find((each) => each.name.toLowerCase() === name.toLowerCase());
    if (model) return model;
    throw new AndironError('model_missing', `${name} is not installed.`, 'Download it, then try again.');
  }

  async #conduct(model: ModelInfo, active: ActiveProfile, signal: AbortSignal): Promise<void> {
    const began = this.#deps.clock.monotonic();
    const findings = await takeExam({ model, active }, this.#shareOf(), this.#deps, {
      step: (changes) => this.#show(changes),
      usage: (usage) => this.#deps.onUsage(usage),
    });
    signal.throwIfAborted();
    if (isEmpty(findings)) throw tooSlow(model.name);
    const result: ExamResult = {
      ...findings,
      model: model.name,
      digest: model.digest,
      at: this.#deps.clock.now(),
      tookMs: this.#deps.clock.monotonic() - began,
      gpu: this.#deps.gpu.state()?.gpus?.[0]?.name ?? null,
      largestWindow: await this.#maxWindow(model, findings.contextTokens),
    };
    this.#deps.store.writeModelFact(model.digest, factKey, result);
    this.#progress = null;
    this.#deps.publish({ type: 'exam/changed', exam: null, result });
  }

  #shareOf(): GpuShare {
    if (this.#running) return this.#running.share;
    throw new Error('No exam runs.');
  }

  async #maxWindow({ name, trainedContext }: ModelInfo, inForce: number): Promise<number | null> {
    return maxThatFits((await this.#deps.gpu.fits(name, windowsUpTo(trainedContext ?? inForce))) ?? []);
  }

  #ended(error: unknown, model: string, signal: AbortSignal): void {
    if (signal.aborted) {
      this.#progress = null;
      this.#deps.publish({ type: 'exam/changed', exam: null });
      return;
    }
    if (!(error instanceof AndironError))
      this.#deps.log.error('An exam failed inside Andiron', error, { model });
    const { message, advice = '' } = toWireError(error);
    this.#show({ phase: 'failed', problem: { message, advice } });
  }
}

/** Nothing came of it in all its time: that is no result to keep. */
function isEmpty({ native, constrained, readsPerSecond, writesPerSecond }: Findings): boolean {
  return native === null && constrained === null && readsPerSecond === null && writesPerSecond === null;
}

function tooSlow(model: string): AndironError {
  return new AndironError(
    'busy',
    `${model} answered nothing in ${String(limitMs / 60_000)} minutes.`,
    'Something else keeps this computer busy, or the model is too large for it. Try again later, or with a smaller one.',
  );
}

const cancelled = (): AndironError => new AndironError('cancelled', 'The model test was cancelled.');
