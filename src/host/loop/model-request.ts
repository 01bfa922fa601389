/** What goes to the model with every request, and what is learnt from its counters. */
import type { RequestUsage } from '../../protocol/model.ts';
import { AndironError } from '../../protocol/errors.ts';
import type { Grammar } from '../../rules/grammar/schema.ts';
import { shownTo } from '../prompt/attached.ts';
import { estimateHead, estimatePrompt, estimateTokens } from '../prompt/token-estimate.ts';
import { mayHalveCalls } from '../prompt/template-policy.ts';
import type { ContextMessage, ModelRequest, ReplyEvent, Sampling } from '../providers/provider.ts';
import { settingOf, type Run } from './run.ts';

export interface Wanted {
  messages: readonly ContextMessage[];
  sampling: Sampling;
  /** undefined = the output reserve of the window. */
  maxOutputTokens?: number | undefined;
  format?: Grammar | undefined;
}

/** Tokens per second that a prompt is read with, as long as nothing was measured: slow, so that nobody is cut off. */
const assumedReadingRate = 50;
/** Seconds without a first token, beyond the reading time, after which a suspected slot counts as lost. */
const suspectSilenceS = 20;
/** A reply may use at most this share of the window. */
const outputShare = 0.5;

/** Tokens that a request with these messages would hold: counted as far as the engine counted, estimated beyond (W11). */
export function promptTokens(messages: readonly ContextMessage[], run: Run): number {
  const { active, lease } = settingOf(run);
  const { log, models } = run.deps;
  const ratio = models.tokenRatio(lease.model);
  return estimatePrompt(active.head, shownTo(lease.model, messages), log.measured(), ratio);
}

export function windowOf(run: Run): number {
  return settingOf(run).lease.plan.options.num_ctx;
}

/** A request that is believed not to fit is never sent: throws `context_overflow` with what to do. */
export function buildRequest(wanted: Wanted, run: Run): ModelRequest {
  const { deps } = run;
  const { active, lease, policy } = settingOf(run);
  const { profile, head } = active;
  const tokens = promptTokens(wanted.messages, run);
  const window = windowOf(run);
  if (tokens >= window) throw tooLong(tokens, window);
  const candidates = deps.fallbacks(lease.model, active);
  const readingRate = deps.readingSpeed(lease.model.name).rate() ?? assumedReadingRate;
  // A slot that may be lost is not waited for as long as a slow prompt is.
  const silenceS = deps.slots.suspect(lease.model.name)
    ? Math.min(profile.firstTokenTimeoutS, suspectSilenceS)
    : profile.firstTokenTimeoutS;
  return {
    url: lease.url,
    model: lease.model.name,
    history: policy,
    mayHalveCalls: mayHalveCalls(lease.model),
    head,
    messages: [...wanted.messages],
    plan: lease.plan,
    think: active.think,
    sampling: { ...profile.sampling, ...wanted.sampling },
    // Some engines count the output into the window and refuse what would not fit.
    maxOutputTokens: Math.min(
      wanted.maxOutputTokens ?? Infinity,
      Math.floor(window * outputShare),
      window - tokens,
    ),
    timeouts: {
      firstTokenMs: silenceS * 1000 + (tokens / readingRate) * 1000,
      idleMs: profile.idleTokenTimeoutS * 1000,
    },
    ...(wanted.format && { format: wanted.format }),
    ...(candidates && { candidates }),
  };
}

/** ContextLimitExceeded (I1), in words for the person. */
export function tooLong(tokens: number, window: number): AndironError {
  return new AndironError(
    'context_overflow',
    `The conversation has about ${tokens.toLocaleString('en')} tokens, the window holds ${window.toLocaleString('en')}.`,
    'Summarise it, start a new session, or give the profile a larger window.',
  );
}

type ReplyEnd = Extract<ReplyEvent, { type: 'done' }>;

/** `iteration` 0 = a side call, which is none. */
export function toUsage(
  iteration: number,
  { counters, waitedMs, model }: Pick<ReplyEnd, 'counters' | 'model'> & { waitedMs: number },
  run: Run,
): RequestUsage {
  const { active, lease } = settingOf(run);
  const { promptTokens: prompt, cachedTokens } = counters;
  return {
    requestId: run.deps.newId('req_'),
    iteration,
    model: model ?? lease.model.name,
    profileId: active.profile.id,
    promptTokens: prompt,
    cachedTokens,
    evaluatedTokens: prompt === null || cachedTokens === null ? null : prompt - cachedTokens,
    outputTokens: counters.outputTokens,
    promptMs: counters.promptMs,
    outputMs: counters.outputMs,
    loadMs: counters.loadMs,
    waitedMs,
  };
}

/** The engine's own count teaches the estimate of its model. */
export function learnTokens(request: ModelRequest, counted: number | null, run: Run): void {
  if (counted === null) return;
  const estimated = estimateHead(request.head) + estimateTokens(request.messages);
  run.deps.models.learnTokens(settingOf(run).lease.model, estimated, counted);
}

/** The engine refused what was believed to fit: it counts at least a whole window for this log. */
export function learnOverflow(run: Run): void {
  const { active, lease } = settingOf(run);
  const estimated = estimateHead(active.head) + estimateTokens(shownTo(lease.model, run.deps.log.messages()));
  run.deps.models.learnTokens(lease.model, estimated, windowOf(run));
}
