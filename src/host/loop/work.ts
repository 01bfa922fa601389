/** The loop itself, for a turn and for a subagent: ask the model → run its calls → until it answers. */
import { AndironError } from '../../protocol/errors.ts';
import { budgetText, note } from '../prompt/notes.ts';
import { askAgain, emptyReply, isWorthAsking } from './ask-again.ts';
import { askModel, type Asked } from './ask-model.ts';
import { compactByRules, makeRoom } from './compact.ts';
import { promptTokens, windowOf } from './model-request.ts';
import { ReplyWriter } from './reply-writer.ts';
import { settingOf, type Run } from './run.ts';
import { followProfile } from './setting.ts';
import { refuseCutCalls, runCalls } from './tool-calls.ts';

/** One step is asked again at most this often, for whatever reason; each counts as an iteration (design 4). */
const mostReasks = 5;

/** null = the iterations ended before an answer came. */
export type Answer = string | null;

/** Throws what ends the run early: a stop, a failure that asking again did not cure. */
export async function work(run: Run): Promise<Answer> {
  const { deps, signal } = run;
  let reasks = 0;
  let overflowed = false;
  for (let iteration = 1; iteration <= settingOf(run).active.profile.maxIterations; iteration += 1) {
    signal.throwIfAborted();
    await followProfile(run);
    makeRoom(run);

    const writer = new ReplyWriter(run);
    run.writer = writer;
    const reply = await ask({ iteration, seed: reasks || undefined }, writer, run);
    if (typeof reply !== 'string') {
      reasks += 1;
      if (reasks > mostReasks) throw reply;
      if (reply.code !== 'context_overflow') await askAgain(reply, run);
      else if (overflowed || !correctAndCompact(run)) throw reply;
      else overflowed = true;
      continue;
    }
    reasks = 0;

    const { text, thinking, calls } = writer;
    deps.log.append([{ role: 'assistant', content: text, thinking, calls: calls.map(({ call }) => call) }]);
    run.writer = undefined;
    if (calls.length === 0) {
      if (reply === 'length') throw outputLimit();
      return text;
    }
    const lastNote = (): string => {
      const budget = budgetText(settingOf(run).active.profile.maxIterations - iteration);
      return budget === null ? '' : note(budget);
    };
    if (reply === 'length') refuseCutCalls(calls, lastNote, run);
    else await runCalls(calls, lastNote, run);
  }
  signal.throwIfAborted();
  return null;
}

/** Why the reply ended; an error = it was empty or broke off, and is worth asking once more with another seed. */
async function ask(asked: Asked, writer: ReplyWriter, run: Run): Promise<'stop' | 'length' | AndironError> {
  try {
    const reason = await askModel(asked, writer, run);
    return writer.text.trim() === '' && writer.calls.length === 0 ? emptyReply() : reason;
  } catch (error) {
    writer.cut(run.signal.aborted ? 'stopped' : 'interrupted');
    if (!run.signal.aborted && (isWorthAsking(error) || isOverflow(error))) return error;
    throw error;
  }
}

const isOverflow = (error: unknown): error is AndironError =>
  error instanceof AndironError && error.code === 'context_overflow';

/** The engine counted more than was estimated (design 5.7). False = nothing can be made smaller. */
function correctAndCompact(run: Run): boolean {
  const { models, log } = run.deps;
  models.learnTokens(settingOf(run).lease.model, promptTokens(log.messages(), run), windowOf(run));
  return compactByRules(run);
}

function outputLimit(): AndironError {
  return new AndironError(
    'stream_cut',
    'The answer reached its output limit.',
    'Send "go on" to have the rest, or give the profile a larger window.',
  );
}
