/** One attempt to warm a subject or to prove a slot: model, price, lease, evaluation, and when it counts as lost. */
import { AndironError } from '../../protocol/errors.ts';
import type { EngineState, ModelInfo, Warmth } from '../../protocol/model.ts';
import type { Clock } from '../../platform/clock.ts';
import type { EngineAccess, Lease, LeaseRequest } from '../loop/deps.ts';
import type { ReadingRates } from '../models/reading-rates.ts';
import { watchSilence } from '../providers/silence.ts';
import type { Usefulness } from './usefulness.ts';
import { kindOf, showsImages, type Subject, type WarmOutcome, type WarmUps } from './warm-up.ts';

/** What warm-ups ask of the engine beside what turns ask. */
export interface WarmEngine extends Pick<EngineAccess, 'residency' | 'slots'> {
  /** At the lowest priority: behind every turn. */
  acquireToWarm(request: LeaseRequest, signal: AbortSignal): Promise<Lease>;
  /** undefined = not connected. */
  state(): EngineState | undefined;
  onState(listener: () => void): void;
}

/** What may be loaded for a warm-up: nothing, a model into memory that is empty, or whatever is needed. */
export type MayLoad = 'nothing' | 'into_free' | 'anything';

interface Wanted {
  subject: Subject;
  /** Estimate of the whole prefix. */
  tokens: number;
  label: string;
  mayLoad: MayLoad;
  /** Also where the template keeps everything: the engine may not hold it. */
  always: boolean;
  /** Where the engine holds this very prompt. */
  heldIn: (model: string) => Warmed | undefined;
  report: (warmth: Warmth) => void;
}

/** Evaluated in this model, or held by it anyway. */
interface Warmed {
  model: string;
  /** Of the prefix; null = the engine did not count. */
  tokens: number | null;
}

export interface AttemptDeps {
  engine: WarmEngine;
  /** Hosts included; only the engine's own models are warmed. */
  access: Pick<EngineAccess, 'chooseModel'>;
  warmUps: WarmUps;
  usefulness: Usefulness;
  rates: Pick<ReadingRates, 'of'>;
  clock: Clock;
}

export type Attempts = ReturnType<typeof createAttempts>;

interface EvaluateWanted extends Pick<Wanted, 'subject' | 'tokens' | 'always'> {
  lease: Lease;
  deadlineMs: number;
}

/** A turn may wait for it: then the runner is asked whether it works at all. */
const deadlineMs = 20_000;
/** Milliseconds a token, as long as nothing was measured: slow, so that nobody is given up too early. */
const assumedMs = 20;

export function createAttempts(deps: AttemptDeps) {
  const { engine, access, warmUps, usefulness, rates, clock } = deps;

  /** null = not learnt yet. */
  const readingMs = (model: string, tokens: number): number | null =>
    rates.of(model).predictMs({ tokens, depth: 0 });

  const processing = async (model: string): Promise<boolean | null> => {
    const slots = await engine.slots(model);
    return slots && slots.some(({ isProcessing }) => isProcessing);
  };

  const evaluate = async (
    { subject, tokens, always, lease, deadlineMs }: EvaluateWanted,
    signal: AbortSignal,
  ): Promise<WarmOutcome> => {
    const { name } = lease.model;
    const silent = new AbortController();
    const watch = watchSilence({
      clock,
      deadlineMs,
      workMs: readingMs(name, tokens) ?? tokens * assumedMs,
      isProcessing: () => processing(name),
      onSilent: () => silent.abort(slotLost(name)),
    });
    try {
      return await warmUps.run(subject, lease, always, AbortSignal.any([signal, silent.signal]));
    } finally {
      watch.cancel();
    }
  };

  const mayUse = async ({ name }: ModelInfo, mayLoad: MayLoad): Promise<boolean> => {
    if (mayLoad === 'anything') return true;
    // What only makes vectors has no place on the GPU to lose.
    if (mayLoad === 'into_free' && engine.state()?.loaded.every(({ makesVectors }) => makesVectors))
      return true;
    return (await engine.residency(name))?.loaded ?? false;
  };

  return {
    /** null = not now, and why was told. Throws what the engine throws, or the signal's reason. */
    async warm(wanted: Wanted, signal: AbortSignal): Promise<Warmed | null> {
      const { subject, tokens, label, report, heldIn, always } = wanted;
      const { profile, pinnedModel } = subject.active;
      const model = await access.chooseModel(profile, pinnedModel, signal);
      // On a host that is not the engine's nothing is warmed: its models have no digest of their own.
      if (model.digest === model.name) return null;
      // At the end of a turn the engine holds most of it: nobody knows how much.
      const price = always
        ? { tokens, expectedMs: readingMs(model.name, tokens) }
        : { tokens: null, expectedMs: null };
      const isCold = always && showsImages(subject, model);
      if (isCold || !(await mayUse(model, wanted.mayLoad))) {
        report({ state: 'cold', ...price });
        return null;
      }
      const held = heldIn(model.name);
      if (held) {
        report({ state: 'hot', tokens: held.tokens, expectedMs: null });
        return held;
      }
      if (usefulness.isOff(model.digest, kindOf(subject))) {
        report({ state: 'off', ...price });
        return null;
      }
      report({ state: 'waiting', ...price });
      const request = { model: model.name, contextTokens: profile.contextTokens, label };
      const lease = await engine.acquireToWarm(request, signal);
      let failed = true;
      try {
        if (tokens >= lease.plan.options.num_ctx) {
          failed = false;
          report({ state: 'cold', ...price });
          return null;
        }
        report({ state: 'warming', ...price });
        const outcome = await evaluate({ ...wanted, lease, deadlineMs }, signal);
        failed = false;
        const warmed: Warmed = { model: model.name, tokens: outcome?.promptTokens ?? null };
        const { digest } = model;
        if (outcome)
          usefulness.evaluated({ ...warmed, digest, sessionId: subject.id, kind: kindOf(subject) });
        report({ state: 'hot', tokens: warmed.tokens, expectedMs: null });
        return warmed;
      } finally {
        lease.release(failed && !signal.aborted);
      }
    },
    /** Throws `slot_lost` when nothing came in time. */
    evaluate,
  };
}

function slotLost(model: string): AndironError {
  return new AndironError(
    'slot_lost',
    `${model} does not answer: Ollama has most likely lost its slot.`,
    'Unload the model in the settings, then send again.',
  );
}
