/** The loop itself, for a turn and for a subagent: ask the model → run its calls → until it answers. */
import { AndironError, type ErrorCode } from '../../protocol/errors.ts';
import { maxCallsPerReply } from '../../protocol/limits.ts';
import type { NoteKind, PlanStep, TurnPermission } from '../../protocol/model.ts';
import { createSteering, type Steering, type SteeringNote } from '../planning/steering.ts';
import type { ControlMarks } from '../prompt/card/marks.ts';
import { note } from '../prompt/notes.ts';
import type { PersonMessage } from '../prompt/person-message.ts';
import type { ContextMessage } from '../providers/provider.ts';
import { askAgain, isWorthAsking } from './ask-again.ts';
import { notMade } from './calls/found-tools.ts';
import { Calling, type Reply } from './calling.ts';
import { noNote, noteBehind } from './calls/copied-notes.ts';
import type { CallMode, NextAction } from './calls/ladder.ts';
import { compactByRules, makeRoom } from './compact.ts';
import { closeLog, stoppedByPerson, unanswered } from './endings.ts';
import { callableTools } from './offered.ts';
import { planOfOpening } from './opening/opening-plan.ts';
import { openTurn, type Opening } from './opening/open-turn.ts';
import type { Output } from './output.ts';
import { askModel } from './request/ask-model.ts';
import { learnOverflow } from './request/model-request.ts';
import { ReplyWriter } from './request/reply-writer.ts';
import type { RequestScope, Run } from './ports.ts';
import type { Written } from './run.ts';
import { withoutMarks } from './screen/reply-screen.ts';
import { followProfile, takesNotes } from './setting.ts';
import { refuseCutCalls, runCalls, type AroundCalls } from './tool-calls.ts';
import { correctedAnswer } from './steps/correct-answer.ts';
import { isMadeForThis } from './steps/made-for.ts';
import { factBefore } from './steps/step-line.ts';
import { trackSteps } from './track-steps.ts';

/** What came was of no use, or did not fit; another reply may be. */
const curable: ReadonlySet<ErrorCode> = new Set(['context_overflow', 'reply_unusable']);

/** Stands behind a reply that came twice. */
const unusable = 'That reply was neither a call that can be run nor an answer.';

/** What is worked on. */
export interface Goal {
  message: PersonMessage;
  /** That stand behind the message. */
  notes: readonly SteeringNote[];
  /** What they allowed besides. */
  allow?: readonly TurnPermission[];
  plansOnly?: boolean;
}

/** `cut`: the output limit ended it, so there may be more to say (F7). `plan`: it is what was to be planned. */
export interface Answer {
  text: string;
  cut: boolean;
  plan?: PlanStep[];
}

/**
 * `first`: a reply that is there already, from planning.
 * Resolves with null when the iterations ended before an answer came. Throws what ends the run early: a stop, a failure
 * that asking again did not cure; what was written until then is in the log.
 */
export async function work(
  goal: Goal,
  first: Reply | undefined,
  run: Run,
  signal: AbortSignal,
): Promise<Answer | null> {
  const open: { writer: Written | undefined } = { writer: first?.writer };
  try {
    return await askUntilAnswered(goal, first, open, run, signal);
  } catch (error) {
    const { out, history } = run;
    if (open.writer) closeLog(history.log, out, signal.aborted ? stoppedByPerson : unanswered, open.writer);
    throw error;
  }
}

/** @param open the reply that is written and not in the log yet. */
async function askUntilAnswered(
  goal: Goal,
  first: Reply | undefined,
  open: { writer: Written | undefined },
  run: Run,
  signal: AbortSignal,
): Promise<Answer | null> {
  const { history, tools, model, out } = run;
  const calling = new Calling(goal.message, { tools, history, model, out });
  const steering = createSteering(goal.message);
  calling.noteSent(goal.notes);
  let overflowed = false;
  for (let iteration = 1; iteration <= run.setting.active.profile.maxIterations; iteration += 1) {
    signal.throwIfAborted();
    run.setting = await followProfile(run.setting, goal.message, run, signal);
    const opening = iteration === 1 && !first ? await openIfGuided(goal, calling, run, signal) : null;
    const planned = goal.plansOnly === true && opening ? planOfOpening(opening.steps.scope.steps) : null;
    if (planned) {
      history.log.append([{ role: 'assistant', content: planned.text, thinking: '', calls: [] }]);
      return { ...planned, cut: false };
    }
    makeRoom(run);

    const reply = iteration === 1 && first ? first : await ask(iteration, calling, open, run, signal);
    if (reply instanceof AndironError) {
      if (reply.code === 'grammar_refused') noteRefused(reply, calling.narrow(run.setting), run);
      else if (reply.code === 'reply_unusable') noteUnreadable(reply, calling.unreadable(run.setting), out);
      else if (reply.code === 'context_overflow') {
        if (overflowed || !correctAndCompact(run)) throw reply;
        overflowed = true;
      } else if (calling.mayRepeat()) run.setting = await askAgain(reply, run, signal);
      else throw reply;
      continue;
    }

    const action = calling.judge(reply, run.setting);
    const { writer } = reply;
    switch (action.do) {
      case 'ask_again':
        writer.cut('interrupted');
        out.note(reasonOf(reply, action.mode), action.why);
        if (action.by === 'words') history.log.append(withCorrection(writer));
        continue;
      case 'give_up':
        writer.cut('interrupted');
        throw unusableReplyError(action, run.setting.policy.marks);
      case 'run_text':
        writer.takeFromText(action.calls, action.prose, action.dropped);
        writer.addReceipts(action.receipts);
        break;
      case 'run':
        writer.addReceipts(action.receipts);
        break;
      case 'answer':
      case 'cut':
        // What was written in another form than the one asked for has not been shown yet.
        if (reply.broken) writer.replaceText(reply.broken.raw);
        break;
      case 'explain':
        break;
    }

    if (writer.calls.length === 0) await correctAnswer(goal, reply, calling, run, signal);
    const { text, thinking, calls, extra } = writer;
    const made = calls.map(({ call }) => call);
    const remark = calls.length === 0 ? calling.remarkOn(text) : null;
    history.log.append([
      { role: 'assistant', content: text, thinking, calls: made, ...(extra && { extra }) },
    ]);
    open.writer = undefined;
    calling.sawWords({ text, calls }, run.setting.lease.model);
    if (calls.length === 0) {
      if (action.do !== 'cut') calling.finished(run.setting.lease.model);
      if (remark) out.note(remark.kind, remark.text);
      return { text, cut: action.do === 'cut' };
    }
    const around = aroundCalls(iteration, reply, calling, steering, run);
    if (action.do === 'cut') refuseCutCalls(calls, around.lastNote, run);
    else await runCalls(calls, around, run, signal);
  }
  signal.throwIfAborted();
  return null;
}

/** The same words came twice: more of the same chance would bring them again. */
const withCorrection = ({ text, thinking }: ReplyWriter): ContextMessage[] => [
  { role: 'assistant', content: text, thinking, calls: [] },
  { role: 'user', content: note(unusable).trimStart() },
];

/** Where the engine fails once more the answer stays as it is. */
async function correctAnswer(
  { message }: Goal,
  { writer, reason }: Reply,
  calling: Calling,
  run: Run,
  signal: AbortSignal,
): Promise<void> {
  const { answers } = calling;
  const said = answers.mended(writer.text);
  if (said !== writer.text) writer.replaceText(said);
  const why = answers.whyNot(said, reason === 'circle');
  if (why === null) return;
  try {
    const asked = { line: factBefore(message, why.fact), asks: why.asks };
    const answer = answers.after(await correctedAnswer(said, asked, run, signal), why);
    if (answer !== null) writer.replaceText(answer);
  } catch (error) {
    if (signal.aborted || !(error instanceof AndironError)) throw error;
  }
}

/** An engine that takes no grammar leaves the turn without its opening. */
async function openIfGuided(
  goal: Goal,
  calling: Calling,
  run: Run,
  signal: AbortSignal,
): Promise<Opening | null> {
  if (!run.setting.isGuided) return null;
  if (!run.setting.opensTurns) {
    calling.lead();
    return null;
  }
  try {
    const opening = await openTurn(goal, run, signal);
    calling.follow(opening, run.setting.lease.model);
    // A subagent works for a turn that has a scope already.
    if (run.tools.agents !== null) run.out.emit({ type: 'turn/scoped', scope: opening.steps.scope });
    return opening;
  } catch (error) {
    if (signal.aborted || !(error instanceof AndironError) || error.code !== 'grammar_refused') throw error;
    noteRefused(error, 'without saying first what it is about to do', run);
    return null;
  }
}

/** An error = it broke off or did not fit, and the same may be asked once more. */
async function ask(
  iteration: number,
  calling: Calling,
  open: { writer: Written | undefined },
  run: Run,
  signal: AbortSignal,
): Promise<Reply | AndironError> {
  const { setting, tools, model } = run;
  const wanted = await calling.next(setting);
  const offered = callableTools(setting, tools.tools);
  const writer = new ReplyWriter(run, offered, wanted.format === undefined, calling.noteBehind);
  open.writer = writer;
  try {
    return await askModel(iteration, wanted, writer, run, signal);
  } catch (error) {
    writer.cut(signal.aborted ? 'stopped' : 'interrupted');
    if (signal.aborted || !(error instanceof AndironError)) throw error;
    const refusedGrammar = error.code === 'grammar_refused' && wanted.format !== undefined;
    if (refusedGrammar || curable.has(error.code)) return error;
    if (isWorthAsking(error, setting.lease.model.name, model.slots)) return error;
    throw error;
  }
}

/** Told as an incident too: a refusal of a grammar is a fault of Andiron or of the engine, never of the model. */
function noteRefused({ message }: AndironError, narrower: string, scope: RequestScope): void {
  scope.model.reportRefusedGrammar(scope.setting.lease.model.name, message);
  scope.out.note('reask', `${message} Asked again ${narrower}.`);
}

function noteUnreadable(error: AndironError, underGrammar: boolean | null, out: Output): void {
  if (underGrammar === null) throw error;
  const { message } = error;
  const how = underGrammar ? 'Asked again with a grammar.' : 'Asked again.';
  out.note(underGrammar ? 'constrained' : 'reask', `${message} ${how}`);
}

function reasonOf({ missingTokens }: Reply, mode: CallMode): NoteKind {
  if (missingTokens !== null) return 'lost_call';
  return mode === 'constrained' ? 'constrained' : 'reask';
}

/** What is checked after each call, and what the newest result says beside its own. */
function aroundCalls(
  iteration: number,
  { asked, writer }: Reply,
  calling: Calling,
  steering: Steering,
  run: Run,
): AroundCalls {
  const { tools, out } = run;
  const { data } = tools;
  const todoBefore = data.todo();
  let next = noNote;
  return {
    discipline: calling.discipline,
    settle: asked === 'constrained',
    dropped: writer.dropped,
    isUnannounced: calling.isUnannounced(run.setting),
    whyNotRun: async ({ tool, args }, signal) => {
      const why = calling.whyNotRun(tool, args, run.setting.lease.model);
      if (why !== null) return { content: why };
      const isDoubtful = calling.mayBeUnmeant({ name: tool.name, args });
      return isDoubtful && !(await isMadeForThis(run, signal)) ? notMade : null;
    },
    ended: async (written, outcome) => {
      const line = calling.stepAfter(written, outcome, run.setting.lease.model);
      if (run.setting.isGuided) next = noteBehind(calling.factsOf(written, outcome), line);
      await trackSteps(written, outcome, tools, out);
    },
    lastNote: () => {
      if (run.setting.isGuided) {
        calling.noteBehind = next;
        return next.words === '' ? '' : `\n\n${next.words}`;
      }
      const { profile } = run.setting.active;
      const notes = steering.afterIteration(profile, {
        iteration,
        left: profile.maxIterations - iteration,
        calls: writer.calls.slice(0, maxCallsPerReply).map(({ item, args }) => ({ tool: item.tool, args })),
        todoBefore,
        todoAfter: data.todo(),
      });
      if (!takesNotes(run.setting, run.model.models)) return '';
      calling.noteSent(notes);
      for (const { kind, text } of notes) out.note(kind, text);
      return notes.map(({ text }) => note(text)).join('');
    },
  };
}

/** The engine counted more than was estimated. False = nothing can be made smaller. */
function correctAndCompact(scope: RequestScope): boolean {
  learnOverflow(scope);
  return compactByRules(scope);
}

/** The end of the ladder: the person sees what the model tried. */
function unusableReplyError(
  { message, tried: written }: Extract<NextAction, { do: 'give_up' }>,
  marks: ControlMarks,
): AndironError {
  const tried = withoutMarks(written, marks);
  return tried === ''
    ? new AndironError('empty_reply', message, 'Rephrase the message, or choose another model.')
    : new AndironError(
        'reply_unusable',
        `${message} It wrote: ${tried}`,
        'Say it in smaller steps, or choose a model that calls tools better.',
      );
}
