/** The loop itself, for a turn and for a subagent: ask the model → run its calls → until it answers. */
import { AndironError, type ErrorCode } from '../../protocol/errors.ts';
import { maxCallsPerReply } from '../../protocol/limits.ts';
import type { NoteKind } from '../../protocol/model.ts';
import { createSteering, type Steering } from '../planning/steering.ts';
import { note } from '../prompt/notes.ts';
import { askAgain, isWorthAsking } from './ask-again.ts';
import { askModel } from './ask-model.ts';
import { createCalling, gaveUp, type AskFor, type Calling, type Reply } from './calling.ts';
import type { CallMode } from './calls/ladder.ts';
import { compactByRules, makeRoom } from './compact.ts';
import { learnOverflow } from './model-request.ts';
import { emitNote } from './note-item.ts';
import { ReplyWriter } from './reply-writer.ts';
import { settingOf, type Run } from './run.ts';
import { followProfile } from './setting.ts';
import { refuseCutCalls, runCalls, type AroundCalls } from './tool-calls.ts';
import { trackSteps } from './track-steps.ts';

/** What came was of no use, or did not fit; another reply may be. */
const curable: ReadonlySet<ErrorCode> = new Set(['context_overflow', 'reply_unusable']);

/** `cut`: the output limit ended it, so there may be more to say (F7). */
export interface Answer {
  text: string;
  cut: boolean;
}

/**
 * `goal`: the message or task in the words of whoever gave it. `first`: a reply that is there already, from planning.
 * Resolves with null when the iterations ended before an answer came. Throws what ends the run early: a stop, a failure
 * that asking again did not cure.
 */
export async function work(run: Run, goal: string, first?: Reply): Promise<Answer | null> {
  const { deps, signal } = run;
  const calling = createCalling(goal);
  const steering = createSteering(goal);
  let overflowed = false;
  for (let iteration = 1; iteration <= settingOf(run).active.profile.maxIterations; iteration += 1) {
    signal.throwIfAborted();
    await followProfile(run);
    makeRoom(run);

    const reply = iteration === 1 && first ? first : await ask(iteration, await calling.next(run), run);
    if (reply instanceof AndironError) {
      if (reply.code === 'grammar_refused') noteRefused(reply, calling.narrow(run), run);
      else if (reply.code === 'reply_unusable') noteUnreadable(reply, calling.unreadable(run), run);
      else if (reply.code === 'context_overflow') {
        if (overflowed || !correctAndCompact(run)) throw reply;
        overflowed = true;
      } else if (calling.mayRepeat()) await askAgain(reply, run);
      else throw reply;
      continue;
    }

    const action = calling.judge(reply, run);
    const { writer } = reply;
    switch (action.do) {
      case 'ask_again':
        writer.cut('interrupted');
        emitNote(reasonOf(reply, action.mode), action.why, run);
        continue;
      case 'give_up':
        writer.cut('interrupted');
        throw gaveUp(action, settingOf(run).policy.marks);
      case 'run_text':
        writer.takeFromText(action.calls, action.prose, action.dropped);
        writer.addReceipts(action.receipts);
        break;
      case 'run':
        writer.addReceipts(action.receipts);
        break;
      case 'answer':
      case 'explain':
      case 'cut':
        break;
    }

    const { text, thinking, calls, extra } = writer;
    const made = calls.map(({ call }) => call);
    deps.log.append([{ role: 'assistant', content: text, thinking, calls: made, ...(extra && { extra }) }]);
    run.writer = undefined;
    if (calls.length === 0) return { text, cut: action.do === 'cut' };
    const around = aroundCalls(iteration, reply, calling, steering, run);
    if (action.do === 'cut') refuseCutCalls(calls, around.lastNote, run);
    else await runCalls(calls, around, run);
  }
  signal.throwIfAborted();
  return null;
}

/** An error = it broke off or did not fit, and the same may be asked once more. */
async function ask(iteration: number, wanted: AskFor, run: Run): Promise<Reply | AndironError> {
  const writer = new ReplyWriter(run, wanted.format === undefined);
  run.writer = writer;
  try {
    return await askModel(iteration, wanted, writer, run);
  } catch (error) {
    writer.cut(run.signal.aborted ? 'stopped' : 'interrupted');
    if (run.signal.aborted || !(error instanceof AndironError)) throw error;
    const refusedGrammar = error.code === 'grammar_refused' && wanted.format !== undefined;
    if (refusedGrammar || curable.has(error.code) || isWorthAsking(error, run)) return error;
    throw error;
  }
}

/** Told as an incident too: a refusal of a grammar is a fault of Andiron or of the engine, never of the model. */
function noteRefused({ message }: AndironError, narrower: string, run: Run): void {
  run.deps.reportRefusedGrammar(settingOf(run).lease.model.name, message);
  emitNote('reask', `${message} Asked again ${narrower}.`, run);
}

function noteUnreadable(error: AndironError, underGrammar: boolean | null, run: Run): void {
  if (underGrammar === null) throw error;
  const { message } = error;
  const how = underGrammar ? 'Asked again with a grammar.' : 'Asked again.';
  emitNote(underGrammar ? 'constrained' : 'reask', `${message} ${how}`, run);
}

function reasonOf({ missingTokens }: Reply, mode: CallMode): NoteKind {
  if (missingTokens !== null) return 'lost_call';
  return mode === 'constrained' ? 'constrained' : 'reask';
}

/** What is checked after each call, and what the newest result says beside its own. */
function aroundCalls(
  iteration: number,
  { asked, writer }: Reply,
  { discipline }: Calling,
  steering: Steering,
  run: Run,
): AroundCalls {
  const { data } = run.deps;
  const todoBefore = data.todo();
  return {
    discipline,
    settle: asked === 'constrained',
    dropped: writer.dropped,
    ended: (written, outcome) => trackSteps(written, outcome, run),
    lastNote: () => {
      const { profile } = settingOf(run).active;
      const notes = steering.afterIteration(profile, {
        iteration,
        left: profile.maxIterations - iteration,
        calls: writer.calls.slice(0, maxCallsPerReply).map(({ item, args }) => ({ tool: item.tool, args })),
        todoBefore,
        todoAfter: data.todo(),
      });
      for (const { kind, text } of notes) emitNote(kind, text, run);
      return notes.map(({ text }) => note(text)).join('');
    },
  };
}

/** The engine counted more than was estimated. False = nothing can be made smaller. */
function correctAndCompact(run: Run): boolean {
  learnOverflow(run);
  return compactByRules(run);
}
