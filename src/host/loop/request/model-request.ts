/** What goes to the model with every request, and what is learnt from its counters. */
import type { ModelInfo, RequestUsage } from '../../../protocol/model.ts';
import { AndironError } from '../../../protocol/errors.ts';
import type { RequestPurpose } from '../../../protocol/usage-methods.ts';
import type { Grammar } from '../../../rules/grammar/schema.ts';
import { shownTo } from '../../prompt/attached.ts';
import {
  estimateHead,
  estimatePrompt,
  estimateTokens,
  type PromptMeasure,
} from '../../prompt/token-estimate.ts';
import { mayHalveCalls } from '../../prompt/template-policy.ts';
import type { ContextMessage, ModelRequest, ReplyEvent, Sampling } from '../../providers/provider.ts';
import type { ModelKnowledge, Setting } from '../deps.ts';
import type { RequestScope } from '../ports.ts';

export interface Wanted {
  purpose: RequestPurpose;
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

/**
 * Tokens that a request with these messages would hold: counted as far as the engine counted, estimated beyond (W11).
 * `measured` null = it counted nothing of them.
 */
export function promptTokens(
  messages: readonly ContextMessage[],
  measured: PromptMeasure | null,
  { active, lease }: Setting,
  models: ModelKnowledge,
): number {
  return estimatePrompt(
    active.head,
    shownTo(lease.model, messages),
    measured,
    models.tokenRatio(lease.model),
  );
}

/** Of the log as it is. */
export const usedTokens = ({ setting, history: { log }, model }: RequestScope): number =>
  promptTokens(log.messages(), log.measured(), setting, model.models);

export const windowOf = ({ lease }: Setting): number => lease.plan.options.num_ctx;

/** A request that is believed not to fit is never sent: throws `context_overflow` with what to do. */
export function buildRequest(wanted: Wanted, scope: RequestScope): ModelRequest {
  const { setting, history, model } = scope;
  const { active, lease, policy } = setting;
  const { profile, head } = active;
  const tokens = promptTokens(wanted.messages, history.log.measured(), setting, model.models);
  const window = windowOf(setting);
  if (tokens >= window) throw wanted.purpose === 'main' ? overflow(tokens, scope) : tooLong(tokens, window);
  const candidates = model.fallbacks(lease.model, active);
  const readingRate = model.readingSpeed(lease.model.name).rate() ?? assumedReadingRate;
  // A slot that may be lost is not waited for as long as a slow prompt is.
  const silenceS = model.slots.suspect(lease.model.name)
    ? Math.min(profile.firstTokenTimeoutS, suspectSilenceS)
    : profile.firstTokenTimeoutS;
  return {
    purpose: wanted.purpose,
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
      // A plan or a summary is no answer, and has a limit of its own.
      (wanted.purpose === 'main' ? active.maxOutputTokens : null) ?? Infinity,
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

/** Of the conversation itself: what it would take is told, so that whoever shows the failure has the figures. */
export function overflow(
  usedTokens: number,
  { setting, out }: Pick<RequestScope, 'setting' | 'out'>,
): AndironError {
  const windowTokens = windowOf(setting);
  out.emit({ type: 'context/measured', context: { usedTokens, windowTokens, estimated: true } });
  return tooLong(usedTokens, windowTokens);
}

/** ContextLimitExceeded (I1), in words for the person. */
function tooLong(tokens: number, window: number): AndironError {
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
  { active, lease }: Setting,
  requestId: string,
): RequestUsage {
  const { promptTokens: prompt, cachedTokens } = counters;
  return {
    requestId,
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
export function learnTokens(
  request: Pick<ModelRequest, 'head' | 'messages'>,
  counted: number | null,
  model: ModelInfo,
  models: ModelKnowledge,
): void {
  if (counted === null) return;
  models.learnTokens(model, estimateHead(request.head) + estimateTokens(request.messages), counted);
}

/** The engine refused what was believed to fit: it counts at least a whole window for this log. */
export function learnOverflow({ setting, history, model: { models } }: RequestScope): void {
  const { active, lease } = setting;
  const messages = [...shownTo(lease.model, history.log.messages())];
  learnTokens({ head: active.head, messages }, windowOf(setting), lease.model, models);
}
