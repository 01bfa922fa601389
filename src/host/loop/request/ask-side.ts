/**
 * A question beside the conversation, on its live prefix: same head, same tools, same load plan, the instruction at the
 * end, so that only the instruction is read. Nothing of it is an item, and no call in it is run. It always ends:
 * at its bound of tokens or time, or where it runs in circles, and what stood before is its answer.
 */
import type { Grammar } from '../../../rules/grammar/schema.ts';
import type { Timer } from '../../../platform/clock.ts';
import type { TurnPhase } from '../../../protocol/model.ts';
import type { RequestPurpose } from '../../../protocol/usage-methods.ts';
import type { ContextMessage, ExtraFields, ModelRequest, ReplyEvent } from '../../providers/provider.ts';
import { proveCut } from '../prove-stop.ts';
import { circleAtEnd, circleOfCalls, keyOfCall, runAtEnd, watchForCircles } from '../repetition.ts';
import type { RequestScope } from '../ports.ts';
import type { Screened } from '../screen/reply-screen.ts';
import { screenFor, type RunScreen } from '../screen/screen-for-run.ts';
import { asSent } from './as-sent.ts';
import { buildRequest, learnTokens, toUsage } from './model-request.ts';
import { streamCut, streamReply, type StreamedEvent } from './stream-reply.ts';

export interface SideQuestion {
  purpose: Exclude<RequestPurpose, 'main'>;
  /** What is sent: the log and what is asked. */
  messages: readonly ContextMessage[];
  /** Of its text; a model that thinks has room for that besides. */
  maxTextTokens: number;
  /** What a thought may take before the text begins; left out = as much as any may. */
  maxThinkingTokens?: number;
  temperature: number;
  /** Of its dice; left out = the engine's. */
  seed?: number | undefined;
  /** What the whole answer must follow; left out = free. */
  format?: Grammar | undefined;
  /** What the person sees while it is answered; undefined = the phases of an answer. */
  phase?: TurnPhase;
  /** All of the text so far, whenever there may be more of it. Shorter again where it turned out to be a thought. */
  onText?: (text: string) => void;
}

export interface SideReply {
  text: string;
  thinking: string;
  calls: Omit<Extract<ReplyEvent, { type: 'call' }>, 'type'>[];
  /** `length`: it came to its bound. `repeated`: it ran in circles; its first round is the last that is here. */
  reason: 'stop' | 'length' | 'repeated';
  /** Fields that the provider wants back with it (Q22). */
  extra?: ExtraFields | undefined;
}

/** For writing the answer, once its text has begun (R: completion calls). A thought is bounded by its tokens. */
const maxWritingMs = 120_000;

/** For most thoughts. */
const usualThinkingTokens = 4_000;

/** Prose has four of them to a token: only an engine that does not count its tokens comes this far. */
const maxCharsPerToken = 8;

/** Throws what the provider throws, and `stream_cut` for an answer that broke off. */
export async function askSide(
  question: SideQuestion,
  scope: RequestScope,
  signal: AbortSignal,
): Promise<SideReply> {
  const request = sideRequest(question, scope);
  const writer = new SideWriter(question, scope);
  const runsInCircles = watchForCircles();
  const cut = new AbortController();
  let why: 'length' | 'repeated' = 'length';
  let timer: Timer | undefined;
  try {
    for await (const event of streamReply(request, scope, signal, cut.signal)) {
      if (event.type === 'done') return writer.end(event, request);
      if (event.type === 'repeated') return writer.cut('repeated');
      writer.write(event);
      if (writer.hasBegun) timer ??= scope.out.clock.after(maxWritingMs, () => cut.abort(streamCut()));
      const isCircle = runsInCircles(event);
      if (!isCircle && !writer.isBeyondBounds) continue;
      if (isCircle) why = 'repeated';
      // Closed in a quiet moment, as by Stop, and leaving the loop waits for that.
      cut.abort();
      break;
    }
  } catch (error) {
    if (!cut.signal.aborted || signal.aborted) throw error;
  } finally {
    timer?.cancel();
  }
  if (!cut.signal.aborted) throw streamCut();
  await proveCut(scope, signal);
  return writer.cut(why);
}

function sideRequest(
  {
    purpose,
    messages,
    temperature,
    seed,
    maxTextTokens,
    maxThinkingTokens = usualThinkingTokens,
    format,
  }: SideQuestion,
  scope: RequestScope,
): ModelRequest {
  const { active, lease } = scope.setting;
  // Thinking is never switched off for a side call: that would be another prompt.
  const thinks = active.think !== false && lease.model.capabilities?.includes('thinking') !== false;
  const maxOutputTokens = thinks ? maxTextTokens + maxThinkingTokens : maxTextTokens;
  return buildRequest(
    {
      purpose,
      messages: asSent(messages, lease.model, scope.setting),
      sampling: { temperature, ...(seed !== undefined && { seed }) },
      maxOutputTokens,
      format,
    },
    scope,
  );
}

class SideWriter {
  readonly #reply: SideReply = { text: '', thinking: '', calls: [], reason: 'stop' };
  readonly #question: SideQuestion;
  readonly #scope: RequestScope;
  readonly #screened: RunScreen;
  #shown: TurnPhase | undefined;

  constructor(question: SideQuestion, scope: RequestScope) {
    this.#question = question;
    this.#scope = scope;
    this.#screened = screenFor('user', scope.setting, scope.model.models);
    this.#show('prefill');
  }

  /** More than a thought has come. */
  get hasBegun(): boolean {
    return this.#reply.text !== '' || this.#reply.calls.length > 0;
  }

  get isBeyondBounds(): boolean {
    const { text, thinking } = this.#reply;
    const { maxTextTokens, maxThinkingTokens = usualThinkingTokens } = this.#question;
    return (
      text.length > maxTextTokens * maxCharsPerToken || thinking.length > maxThinkingTokens * maxCharsPerToken
    );
  }

  write(event: Exclude<StreamedEvent, { type: 'done' | 'repeated' }>): void {
    if (event.type === 'opened') return;
    this.#show(event.type);
    if (event.type === 'call') {
      const { type: _, ...call } = event;
      this.#reply.calls.push(call);
    } else this.#take(this.#screened.screen.push(event.type, event.text));
  }

  end(event: Extract<StreamedEvent, { type: 'done' }>, request: ModelRequest): SideReply {
    this.#take(this.#screened.screen.flush());
    this.#screened.learn();
    const { text: content, thinking } = this.#reply;
    const reading = event.settle({ content, thinking, calls: [] });
    const { setting, model, out } = this.#scope;
    const usage = toUsage(0, event, setting, out.newId('req_'));
    out.emit({ type: 'usage/measured', usage: { ...usage, reading } });
    learnTokens(request, event.counters.promptTokens, setting.lease.model, model.models);
    return { ...this.#reply, reason: event.reason, extra: event.extra };
  }

  /** What stands before the circle, with its first round; all of it where it ran in none. */
  cut(reason: 'length' | 'repeated'): SideReply {
    this.#take(this.#screened.screen.flush());
    const { text, thinking, calls } = this.#reply;
    const keys = calls.map(keyOfCall);
    this.#reply.text = beforeCircle(text);
    this.#question.onText?.(this.#reply.text);
    return {
      text: this.#reply.text,
      thinking: beforeCircle(thinking),
      calls: calls.slice(0, circleOfCalls(keys)?.keep),
      reason,
    };
  }

  #take(pieces: readonly Screened[]): void {
    const reply = this.#reply;
    for (const piece of pieces) {
      if (piece.type !== 'moved') reply[piece.type] += piece.text;
      else if (piece.to === 'thinking')
        [reply.thinking, reply.text] = [reply.thinking + reply.text.trim(), ''];
      else [reply.thinking, reply.text] = ['', reply.text + reply.thinking];
    }
    this.#question.onText?.(reply.text);
  }

  #show(phase: TurnPhase): void {
    const next = this.#question.phase ?? phase;
    if (next !== this.#shown) this.#scope.out.emit({ type: 'turn/phase', phase: next });
    this.#shown = next;
  }
}

function beforeCircle(text: string): string {
  const circle = circleAtEnd(text) ?? runAtEnd(text);
  return circle ? text.slice(0, circle.keep).trimEnd() : text;
}
