/** Exams as windows know them: one at a time, begun and cancelled by a person, their results kept for the model's bytes. */
import { AndironError, toWireError } from '../../protocol/errors.ts';
import type { HostEvent } from '../../protocol/events.ts';
import { examResultSchema, type ExamProgress, type ExamResult } from '../../protocol/exam.ts';
import type { EngineState, Fit, ModelInfo, RequestUsage } from '../../protocol/model.ts';
import type { Log } from '../../platform/log.ts';
import type { ActiveProfile, Lease, LeaseRequest } from '../loop/deps.ts';
import type { Store } from '../store/store.ts';
import { limitMs, maxQuestions, questionCount, takeExam, type Findings } from './exam.ts';
import type { ExamParts } from './exam-run.ts';
import { shareGpu, type GpuShare } from './gpu-share.ts';
import { maxThatFits, windowsUpTo } from './windows.ts';

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
  tell(change: Extract<HostEvent, { type: 'exam/changed' }>): void;
  /** The counters of a request, for whoever learns from them. */
  onUsage(usage: RequestUsage): void;
  /** It wants the GPU before whatever only prepares. */
  onBegin(): void;
  /** The engine now holds what was asked here. */
  onEnd(): void;
  log: Log;
}

export interface Exams {
  current(): ExamProgress | null;
  /** One for each model that ever had one. */
  results(): ExamResult[];
  price(model: string): { questions: number; expectedMs: number | null; limitMs: number };
  /** Throws `busy`, `model_missing` and `not_found`. */
  begin(model: string, profileId: string): void;
  cancel(): void;
  close(): Promise<void>;
}

const factKey = 'exam';
export function createExams(deps: ExamsDeps): Exams {
  const { gpu, store, clock, log } = deps;
  let progress: ExamProgress | null = null;
  let running: { calledOff: AbortController; share: GpuShare; done: Promise<void> } | undefined;

  const show = (changes: Partial<ExamProgress>): void => {
    if (!progress) return;
    progress = { ...progress, ...changes };
    deps.tell({ type: 'exam/changed', exam: progress });
  };

  const results = (): ExamResult[] => store.listModelFacts(factKey, examResultSchema);

  const installed = (name: string): ModelInfo => {
    const model = gpu.state()?.models.find((each) => each.name.toLowerCase() === name.toLowerCase());
    if (model) return model;
    throw new AndironError('model_missing', `${name} is not installed.`, 'Download it, then try again.');
  };

  const conduct = async (model: ModelInfo, active: ActiveProfile, signal: AbortSignal): Promise<void> => {
    const began = clock.monotonic();
    const parts: ExamParts = deps;
    const findings = await takeExam({ model, active }, shareOf(), parts, {
      step: show,
      usage: (usage) => deps.onUsage(usage),
    });
    signal.throwIfAborted();
    if (isEmpty(findings)) throw tooSlow(model.name);
    const result: ExamResult = {
      ...findings,
      model: model.name,
      digest: model.digest,
      at: clock.now(),
      tookMs: clock.monotonic() - began,
      gpu: gpu.state()?.gpus?.[0]?.name ?? null,
      largestWindow: await largestWindow(model, findings.contextTokens),
    };
    store.writeModelFact(model.digest, factKey, result);
    progress = null;
    deps.tell({ type: 'exam/changed', exam: null, result });
  };

  const shareOf = (): GpuShare => {
    if (running) return running.share;
    throw new Error('No exam runs.');
  };

  const largestWindow = async (
    { name, trainedContext }: ModelInfo,
    inForce: number,
  ): Promise<number | null> =>
    maxThatFits((await gpu.fits(name, windowsUpTo(trainedContext ?? inForce))) ?? []);

  const ended = (error: unknown, model: string, signal: AbortSignal): void => {
    if (signal.aborted) {
      progress = null;
      deps.tell({ type: 'exam/changed', exam: null });
      return;
    }
    if (!(error instanceof AndironError)) log.error('An exam failed inside Andiron', error, { model });
    const { message, advice = '' } = toWireError(error);
    show({ phase: 'failed', problem: { message, advice } });
  };

  gpu.onState(() => {
    const state = gpu.state();
    running?.share.look();
    if (progress?.phase === 'waiting' && state?.loading?.model === progress.model) show({ phase: 'loading' });
  });

  return {
    current: () => progress,
    results,
    price(name) {
      const model = installed(name);
      const before = results().find(({ digest }) => digest === model.digest);
      return { questions: maxQuestions(model), expectedMs: before?.tookMs ?? null, limitMs };
    },
    begin(name, profileId) {
      if (running)
        throw new AndironError('busy', 'An exam is running already.', 'Wait for it, or cancel it.');
      const model = installed(name);
      const fresh = deps.fresh(profileId);
      if (!fresh)
        throw new AndironError(
          'not_found',
          'This profile does not exist any more.',
          'Choose another profile.',
        );
      const active: ActiveProfile = { ...fresh, pinnedModel: model.name };
      const total = Math.max(1, questionCount(active, model));
      progress = {
        model: model.name,
        phase: 'waiting',
        asked: 0,
        total,
        since: clock.now(),
        problem: null,
      };
      deps.tell({ type: 'exam/changed', exam: progress });
      const calledOff = new AbortController();
      const { signal } = calledOff;
      const request = {
        model: model.name,
        contextTokens: active.profile.contextTokens,
        label: `Exam of ${model.name}`,
      };
      const share = shareGpu({
        acquire: async (aborted) => {
          show({ phase: 'waiting' });
          return gpu.acquireToWarm(request, aborted);
        },
        turnWaits: () => gpu.state()?.queue.some(({ purpose }) => purpose === 'turn') ?? false,
        signal,
        clock,
      });
      const done = Promise.resolve()
        .then(() => conduct(model, active, signal))
        .catch((error: unknown) => ended(error, model.name, signal))
        .finally(() => {
          share.close(false);
          running = undefined;
          deps.onEnd();
        });
      running = { calledOff, share, done };
      deps.onBegin();
    },
    cancel() {
      if (running) running.calledOff.abort(cancelled());
      else if (progress) {
        progress = null;
        deps.tell({ type: 'exam/changed', exam: null });
      }
    },
    async close() {
      running?.calledOff.abort(cancelled());
      await running?.done;
    },
  };
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

const cancelled = (): AndironError => new AndironError('cancelled', 'The exam was cancelled.');
