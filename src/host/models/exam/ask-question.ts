/** One question of an exam: asked as a turn asks, judged by the repair ladder, and never carried out. */
import { AndironError, type ErrorCode } from '../../../protocol/errors.ts';
import { Calling, type Reply } from '../../loop/calling.ts';
import type { NextAction } from '../../loop/calls/ladder.ts';
import { offeredTools, readCall } from '../../loop/offered.ts';
import { askModel } from '../../loop/request/ask-model.ts';
import { ReplyWriter } from '../../loop/request/reply-writer.ts';
import type { Run } from '../../loop/ports.ts';
import { personMessage } from '../../prompt/person-message.ts';
import type { Tool } from '../../tools/tool.ts';
import { isRight, type Question } from './exam-questions.ts';

/** `text`: it wrote the right call where calls do not belong. `refused`: the engine does not take what this way to call needs. */
export type Verdict = 'right' | 'mended' | 'text' | 'wrong' | 'refused';

/** The engine's answer is one of the model's faults; anything else ends the exam. */
const modelsFault: ReadonlySet<ErrorCode> = new Set([
  'reply_unusable',
  'empty_reply',
  'stream_broken',
  'context_overflow',
]);

/** The engine does not take what this way to call needs. */
const refusals: ReadonlySet<ErrorCode> = new Set([
  'engine_refused',
  'grammar_refused',
  'model_without_tools',
]);

/** A call takes a few dozen tokens; a model that thinks gets room for it. */
const maxTokens = 400;

/** Only the first reply counts. Throws what the engine throws, and the signal's reason. */
export async function askQuestion(question: Question, run: Run, signal: AbortSignal): Promise<Verdict> {
  const calling = new Calling(personMessage(question.text), run);
  const wanted = await calling.next(run.setting);
  const offered = offeredBy(run);
  const writer = new ReplyWriter(run, offered, wanted.format === undefined);
  try {
    const reply = await askModel(1, { ...wanted, maxOutputTokens: maxTokens }, writer, run, signal);
    return verdictOf(question, reply, calling.judge(reply, run.setting), offered);
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof AndironError)) throw error;
    if (refusals.has(error.code)) return 'refused';
    if (modelsFault.has(error.code)) return 'wrong';
    throw error;
  }
}

const offeredBy = ({ setting, tools }: Run): Tool[] => offeredTools(setting.active.head, tools.tools);

function verdictOf(
  question: Question,
  { writer }: Reply,
  action: NextAction,
  offered: readonly Tool[],
): Verdict {
  const [call] =
    action.do === 'run'
      ? writer.calls.map((written) => ({ ...written, mended: written.repairs.length > 0 }))
      : action.do === 'run_text'
        ? action.calls.map(({ name, args }) => ({
            ...readCall(name, args, undefined, offered),
            mended: true,
          }))
        : [];
  if (!call?.tool || !call.parsed.ok || !isRight(question, call.tool.name, call.args)) return 'wrong';
  if (action.do === 'run_text') return 'text';
  return call.mended ? 'mended' : 'right';
}

/** Enough to tell how fast it writes. */
const speedTokens = 96;

/** Has the text of the run read and a few lines written; what it took is told as usage. */
export async function askForSpeed(run: Run, signal: AbortSignal): Promise<void> {
  const wanted = { way: 'native', sampling: {}, format: undefined, maxOutputTokens: speedTokens } as const;
  await askModel(0, wanted, new ReplyWriter(run, offeredBy(run), true), run, signal);
}
