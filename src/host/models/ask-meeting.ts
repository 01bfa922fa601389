/** One question of a first meeting: asked as a turn asks, and never carried out. */
import { AndironError, type ErrorCode } from '../../protocol/errors.ts';
import type { Ability } from '../../protocol/abilities.ts';
import { Calling, type AskFor } from '../loop/calling.ts';
import { replySchema } from '../loop/calls/constrained.ts';
import { readTextCalls } from '../loop/calls/text-calls.ts';
import type { Seen } from '../loop/calls/turn-evidence.ts';
import { offeredTools } from '../loop/offered.ts';
import { askOpening } from '../loop/opening/open-turn.ts';
import type { Run } from '../loop/ports.ts';
import { askModel } from '../loop/request/ask-model.ts';
import { ReplyWriter } from '../loop/request/reply-writer.ts';
import { personMessage } from '../prompt/person-message.ts';
import type { Tool } from '../tools/tool.ts';
import type { CallQuestion, MeetingQuestion, OpeningQuestion } from './meeting-questions.ts';

/** Of a call in the questions' words. */
const callTokens = 64;
/** Before it, where a model cannot do without. */
const thoughtTokens = 400;
/** Of an opening: a few steps in a few words, and little thought where a model cannot do without. */
const openingLimits = { maxTextTokens: 100, maxThinkingTokens: 60 };

/** The engine does not take what this way to ask needs. */
const refusals: ReadonlySet<ErrorCode> = new Set(['grammar_refused', 'model_without_tools']);
const unreadable: ReadonlySet<ErrorCode> = new Set(['reply_unusable', 'empty_reply']);

/** Their questions have an answer that is no call. */
const answerWillDo: ReadonlySet<Ability> = new Set(['settles', 'picks', 'restraint', 'notes']);

/** Throws what the engine throws, and the signal's reason. */
export async function askMeetingQuestion(
  question: MeetingQuestion,
  run: Run,
  signal: AbortSignal,
): Promise<Seen[]> {
  try {
    if (question.way === 'opening') return await askToOpen(question, run, signal);
    return await askForCall(question, run, signal);
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof AndironError)) throw error;
    const failed = [{ ability: question.ability, isGood: false }];
    if (question.way === 'smallest' && refusals.has(error.code)) return failed;
    if (question.ability === 'native' && unreadable.has(error.code)) return failed;
    // A model whose engine refuses one way is asked in another: that says nothing of anything else.
    if (refusals.has(error.code) || unreadable.has(error.code)) return [];
    throw error;
  }
}

async function askToOpen({ act }: OpeningQuestion, run: Run, signal: AbortSignal): Promise<Seen[]> {
  const { steps, isThought } = await askOpening(openingLimits, run, signal);
  return isThought ? [] : [{ ability: 'opens', isGood: steps?.[0]?.act === act }];
}

async function askForCall(question: CallQuestion, run: Run, signal: AbortSignal): Promise<Seen[]> {
  const offered = offeredTools(run.setting.active.head, run.tools.tools);
  const wanted = await requestFor(question, offered, run);
  const ask = async (maxOutputTokens: number) => {
    const writer = new ReplyWriter(run, offered, wanted.format === undefined);
    const { reason, broken } = await askModel(1, { ...wanted, maxOutputTokens }, writer, run, signal);
    return { writer, isCut: reason !== 'stop', brokenText: broken?.raw ?? null };
  };
  const { think } = run.setting.active;
  const mayThink = think !== undefined && think !== false;
  const reply = await ask(callTokens + (mayThink ? thoughtTokens : 0));
  // Some think whatever they are told.
  const isUnfinished = !mayThink && reply.isCut && isOnlyThought(reply.writer);
  const whole = isUnfinished ? await ask(callTokens + thoughtTokens) : reply;
  return judge(question, whole, offered);
}

const isOnlyThought = ({ text, calls, thinking }: ReplyWriter): boolean =>
  text.trim() === '' && calls.length === 0 && thinking.trim() !== '';

async function requestFor(
  question: CallQuestion,
  tools: readonly Tool[],
  run: Run,
): Promise<Omit<AskFor, 'maxOutputTokens'>> {
  if (question.way === 'native') return { way: 'native', sampling: {}, format: undefined };
  if (question.way === 'smallest') {
    const format = replySchema({ tools, mayCall: true, mayAnswer: false }, 'names');
    return { way: 'names', sampling: { temperature: 0 }, format };
  }
  if (question.way === 'about') {
    const answer = { tells: 'found', words: question.about ?? question.text } as const;
    const format = replySchema({ tools: [], mayCall: false, mayAnswer: true, answer });
    return { way: 'all', sampling: { temperature: 0 }, format };
  }
  return new Calling(personMessage(question.text), run).next(run.setting);
}

/**
 * Whoever only thought, or was cut before anything could be told, has said nothing about its abilities. `brokenText`: of a
 * reply that its grammar did not keep in form.
 */
function judge(
  question: CallQuestion,
  { writer, isCut, brokenText }: { writer: ReplyWriter; isCut: boolean; brokenText: string | null },
  offered: readonly Tool[],
): Seen[] {
  const hasCalls = writer.calls.length > 0;
  if ((brokenText ?? '').trim() === '' && isOnlyThought(writer)) return [];
  const needsCall = !answerWillDo.has(question.ability);
  if (isCut && !hasCalls && needsCall) return [];
  return question.judge({
    text: brokenText ?? writer.text,
    calls: writer.calls.map(({ tool, parsed, args }) => ({
      tool: tool ?? null,
      isReadable: parsed.ok,
      args,
    })),
    textCalls: hasCalls ? 0 : readTextCalls(writer.raw, offered).calls.length,
    isBroken: brokenText !== null,
  });
}
