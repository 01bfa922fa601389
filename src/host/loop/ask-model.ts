/** One model request: the log goes out as it is, the reply comes in as items, its counters as usage. */
import type { RequestUsage } from '../../protocol/model.ts';
import { estimatePrompt } from '../prompt/token-estimate.ts';
import { historyPolicy, mayHalveCalls } from '../prompt/template-policy.ts';
import { AndironError } from '../../protocol/errors.ts';
import type { ModelRequest, ReplyCounters } from '../providers/provider.ts';
import { emitNote } from './note-item.ts';
import type { ReplyWriter } from './reply-writer.ts';
import { settingOf, type Run } from './run.ts';

export interface Asked {
  iteration: number;
  /** Another seed for a step that is asked again (design 4). */
  seed: number | undefined;
}

/** Tokens per second that a prompt is read with, as long as nothing was measured: slow, so that nobody is cut off. */
const assumedReadingRate = 50;
/** Seconds without a first token, beyond the reading time, after which a suspected slot counts as lost. */
const suspectSilenceS = 20;
/** A model that is in memory needs a tenth of this; where it took longer, it was loaded for this very request. */
const reloadMs = 1_000;
/** A reply may use at most this share of the window (output reserve, design 5.6). */
const outputShare = 0.5;

/** Returns why the reply ended. Throws what the provider throws; `writer` then holds what came so far. */
export async function askModel(asked: Asked, writer: ReplyWriter, run: Run): Promise<'stop' | 'length'> {
  const { deps, emit, signal } = run;
  const request = buildRequest(asked, run);
  emit({ type: 'turn/phase', phase: 'prefill' });
  const sentAt = deps.clock.monotonic();
  let waitedMs = 0;
  for await (const event of deps.provider.stream(request, signal)) {
    switch (event.type) {
      case 'opened':
        waitedMs = deps.clock.monotonic() - sentAt;
        deps.slots.answered(request.model);
        break;
      case 'done': {
        writer.finish();
        const usage = toUsage(asked, event.counters, waitedMs, run);
        emit({ type: 'usage/measured', usage });
        noteReload(usage, run);
        writer.noteMissing(event.counters);
        measureContext(request, usage, run);
        return event.reason;
      }
      case 'thinking':
      case 'text':
      case 'call':
        writer.write(event);
        break;
    }
  }
  throw new AndironError(
    'stream_cut',
    'The answer ended without saying that it was done.',
    'Send again to go on.',
  );
}

function buildRequest(asked: Asked, run: Run): ModelRequest {
  const { deps } = run;
  const { active, lease } = settingOf(run);
  const { profile, head } = active;
  const messages = [...deps.log.messages()];
  const promptTokens = estimatePrompt(head, messages, deps.log.measured());
  const window = lease.plan.options.num_ctx;
  if (promptTokens >= window) {
    throw new AndironError(
      'context_overflow',
      `The conversation has about ${promptTokens} tokens, the window holds ${window}.`,
      'Start a new session, or give the profile a larger window.',
    );
  }
  const readingRate = deps.readingRate(lease.model.name) ?? assumedReadingRate;
  // A slot that may be lost is not waited for as long as a slow prompt is.
  const silenceS = deps.slots.suspect(lease.model.name)
    ? Math.min(profile.firstTokenTimeoutS, suspectSilenceS)
    : profile.firstTokenTimeoutS;
  return {
    url: lease.url,
    model: lease.model.name,
    history: historyPolicy(lease.model),
    mayHalveCalls: mayHalveCalls(lease.model),
    head,
    messages,
    plan: lease.plan,
    think: active.think,
    sampling: { ...profile.sampling, ...(asked.seed !== undefined && { seed: asked.seed }) },
    maxOutputTokens: Math.floor(window * outputShare),
    timeouts: {
      firstTokenMs: silenceS * 1000 + (promptTokens / readingRate) * 1000,
      idleMs: profile.idleTokenTimeoutS * 1000,
    },
  };
}

function toUsage(asked: Asked, counters: ReplyCounters, waitedMs: number, run: Run): RequestUsage {
  const { active, lease } = settingOf(run);
  const { promptTokens, cachedTokens } = counters;
  return {
    requestId: run.deps.newId('req_'),
    iteration: asked.iteration,
    model: lease.model.name,
    profileId: active.profile.id,
    promptTokens,
    cachedTokens,
    evaluatedTokens: promptTokens === null || cachedTokens === null ? null : promptTokens - cachedTokens,
    outputTokens: counters.outputTokens,
    promptMs: counters.promptMs,
    outputMs: counters.outputMs,
    loadMs: counters.loadMs,
    waitedMs,
  };
}

/** Andiron loads before it asks, so a load inside of a request is somebody else's doing (design 7: an incident). */
function noteReload({ model, loadMs }: RequestUsage, run: Run): void {
  if (loadMs === null || loadMs < reloadMs) return;
  const seconds = (loadMs / 1000).toFixed(0);
  const text = `${model} was loaded anew in the middle of the work (${seconds} s), and the conversation was read again: another program had loaded it differently, or its process had ended.`;
  emitNote('reload', text, run);
}

/** The engine's own count replaces the guess. The reply it wrote will be the next message of the log. */
function measureContext(request: ModelRequest, usage: RequestUsage, { deps, emit }: Run): void {
  if (usage.promptTokens === null) return;
  const tokens = usage.promptTokens + (usage.outputTokens ?? 0);
  deps.log.setMeasured({ tokens, messages: request.messages.length + 1 });
  emit({
    type: 'context/measured',
    context: { usedTokens: tokens, windowTokens: request.plan.options.num_ctx, estimated: false },
  });
}
