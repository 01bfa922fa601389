/**
 * Keeps the systeminformation process alive and asks it, one question at a time. It is killed when it stays silent and
 * started again with growing pauses; after three failures in a row it is left alone until `retry`.
 */
import type { Clock, Timer } from '../../platform/clock.ts';
import type { Log } from '../../platform/log.ts';
import type { EngineProcesses, Machine, SamplerProcess } from '../base/engine-deps.ts';
import type { Sampled } from './merge-samples.ts';
import { createBackOff } from '../base/timing.ts';
import { readSystemSample, type SystemReadings } from './system-sample.ts';

export interface SystemSamplerDeps {
  clock: Clock;
  log: Log;
  machine: Machine;
  processes: Pick<EngineProcesses, 'startSampler'>;
}

/** Starting its programs for the first time takes seconds on Windows. */
const firstAnswerMs = 20_000;
const answerMs = 5_000;
const maxFailures = 3;
/** It rests this many times as long as it has worked, so that it never takes more than a tenth of a core. */
const restPerWork = 9;

/** @param onNews the first sample came, or the process was given up. */
export function createSystemSampler(
  { clock, log, machine, processes }: SystemSamplerDeps,
  onNews: () => void,
) {
  const backOff = createBackOff(clock);
  let settled = Promise.withResolvers<void>();
  let latest: Sampled<SystemReadings> | null = null;
  let child: SamplerProcess | null = null;
  let question: { askedAt: number; timer: Timer } | null = null;
  let failures = 0;
  let isStopped = false;

  const news = (): void => {
    settled.resolve();
    onNews();
  };

  const fail = (reason: string): void => {
    question?.timer.cancel();
    question = null;
    const ended = child;
    child = null;
    ended?.kill();
    latest = null;
    failures += 1;
    backOff.failed();
    log.warn('the system readings failed', { reason, failures });
    if (failures === maxFailures) news();
  };

  const take = (answer: unknown): void => {
    if (!question) return;
    const tookMs = clock.monotonic() - question.askedAt;
    question.timer.cancel();
    question = null;
    const isFirst = latest === null;
    try {
      latest = { value: readSystemSample(answer, machine), at: clock.monotonic() };
    } catch (error) {
      fail(String(error));
      return;
    }
    failures = 0;
    backOff.succeeded();
    backOff.rest(tookMs * restPerWork);
    if (isFirst) news();
  };

  const start = (): SamplerProcess => {
    const started = processes.startSampler();
    started.onSample((answer) => {
      if (child === started) take(answer);
    });
    started.onExit(() => {
      if (child === started) fail('its process ended');
    });
    return started;
  };

  return {
    /** null = nothing was ever answered, or the process does not answer any more. */
    latest: (): Sampled<SystemReadings> | null => latest,
    /** Three processes in a row have failed: the figures come from elsewhere alone. */
    hasFailed: (): boolean => failures >= maxFailures,
    /** Asks for the next sample, unless one is under way or the last one was too dear. Never waits. */
    ask(): void {
      if (isStopped || question || failures >= maxFailures || !backOff.isDue()) return;
      const isFirst = child === null;
      child ??= start();
      const limitMs = isFirst ? firstAnswerMs : answerMs;
      question = {
        askedAt: clock.monotonic(),
        timer: clock.after(limitMs, () => fail(`no answer within ${String(limitMs)} ms`)),
      };
      child.ask();
    },
    retry(): void {
      if (failures < maxFailures) return;
      failures = 0;
      settled = Promise.withResolvers();
      backOff.succeeded();
    },
    /** Resolves with the first answer, and when there will be none. */
    settled: (): Promise<void> => settled.promise,
    stop(): void {
      isStopped = true;
      question?.timer.cancel();
      question = null;
      const ended = child;
      child = null;
      ended?.kill();
      settled.resolve();
    },
  };
}
