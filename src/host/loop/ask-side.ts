/**
 * A question beside the conversation, on its live prefix: same head, same tools, same load plan, the instruction at the
 * end, so that only the instruction is read (design 5.5). Nothing of it is an item, and no call in it is run.
 */
import type { Timer } from '../../platform/clock.ts';
import { AndironError } from '../../protocol/errors.ts';
import type { TurnPhase } from '../../protocol/model.ts';
import type { ContextMessage } from '../providers/provider.ts';
import { asSent } from './ask-model.ts';
import { buildRequest, learnTokens, toUsage } from './model-request.ts';
import { settingOf, type Run } from './run.ts';
import type { Screened } from './screen/reply-screen.ts';
import { screenForRun } from './screen/screen-for-run.ts';
import { streamReply } from './stream-reply.ts';

export interface SideQuestion {
  /** What is sent: the log and what is asked. */
  messages: readonly ContextMessage[];
  /** Of its text; a model that thinks has room for that besides. */
  maxTextTokens?: number;
  temperature: number;
  /** What the person sees while it is answered; undefined = the phases of an answer. */
  phase?: TurnPhase;
  /** All of the text so far, whenever there may be more of it. Shorter again where it turned out to be a thought. */
  onText?: (text: string) => void;
}

export interface SideReply {
  text: string;
  thinking: string;
  calls: { name: string; args: Record<string, unknown>; id: string | undefined }[];
  reason: 'stop' | 'length';
}

/** For writing the answer, once its text has begun (R: completion calls). A thought is bounded by its tokens. */
const longestWritingMs = 120_000;

/** What a thought may take before the text begins. */
const thinkingTokens = 4_000;

/** Thinking is never switched off for a side call: that would be another prompt. */
function outputTokens({ maxTextTokens }: SideQuestion, run: Run): number | undefined {
  const { active, lease } = settingOf(run);
  const thinks = active.think !== false && lease.model.capabilities?.includes('thinking') !== false;
  return maxTextTokens === undefined || !thinks ? maxTextTokens : maxTextTokens + thinkingTokens;
}

/** Throws what the provider throws, and `stream_cut` for an answer without an end, or without an end in sight. */
export async function askSide(question: SideQuestion, run: Run): Promise<SideReply> {
  const timeUp = new AbortController();
  const signal = AbortSignal.any([run.signal, timeUp.signal]);
  let timer: Timer | undefined;
  const begun = (): void => {
    timer ??= run.deps.clock.after(longestWritingMs, () => {
      run.deps.slots.closedWhileLinesCame(settingOf(run).lease.model.name);
      timeUp.abort(unended());
    });
  };
  try {
    return await ask(question, run, signal, begun);
  } finally {
    timer?.cancel();
  }
}

async function ask(
  question: SideQuestion,
  run: Run,
  signal: AbortSignal,
  begun: () => void,
): Promise<SideReply> {
  const { emit } = run;
  const { temperature } = question;
  const messages = asSent(question.messages, settingOf(run).lease.model);
  const maxOutputTokens = outputTokens(question, run);
  const request = buildRequest({ messages, sampling: { temperature }, maxOutputTokens }, run);
  const reply: SideReply = { text: '', thinking: '', calls: [], reason: 'stop' };
  const screened = screenForRun('user', run);
  const take = (pieces: readonly Screened[]): void => {
    for (const piece of pieces) {
      if (piece.type !== 'moved') reply[piece.type] += piece.text;
      else if (piece.to === 'thinking')
        [reply.thinking, reply.text] = [reply.thinking + reply.text.trim(), ''];
      else [reply.thinking, reply.text] = ['', reply.text + reply.thinking];
    }
    question.onText?.(reply.text);
  };
  let shown: TurnPhase | undefined;
  const show = (phase: TurnPhase): void => {
    const next = question.phase ?? phase;
    if (next !== shown) emit({ type: 'turn/phase', phase: next });
    shown = next;
  };
  show('prefill');
  for await (const event of streamReply(request, 'side', run, signal)) {
    switch (event.type) {
      case 'opened':
        break;
      case 'thinking':
      case 'text':
        show(event.type);
        if (event.type === 'text') begun();
        take(screened.screen.push(event.type, event.text));
        break;
      case 'call':
        begun();
        show('call');
        reply.calls.push({ name: event.name, args: event.args, id: event.id });
        break;
      case 'done':
        take(screened.screen.flush());
        screened.learn();
        emit({
          type: 'usage/measured',
          usage: {
            ...toUsage(0, event, run),
            reading: event.settle({ content: reply.text, thinking: reply.thinking, calls: [] }),
          },
        });
        learnTokens(request, event.counters.promptTokens, run);
        return { ...reply, reason: event.reason };
    }
  }
  throw unended();
}

const unended = (): AndironError =>
  new AndironError('stream_cut', 'The answer ended without saying that it was done.', 'Send again to go on.');
