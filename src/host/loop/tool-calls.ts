/** The calls of one reply, one after another (G1): prepare → authorize → execute → finalize. */
import { yieldToOthers } from '../../platform/event-loop.ts';
import type { UndoCoverage } from '../../protocol/changed-files.ts';
import { maxCallsPerReply } from '../../protocol/limits.ts';
import type { ToolDisplay, ToolItem, ToolState } from '../../protocol/model.ts';
import { escapeNotes, note } from '../prompt/notes.ts';
import { inWords, wordsFor, type Words } from '../tools/advice.ts';
import { joinedDisplays } from './joined-changes.ts';
import {
  cancelledResult,
  type BroughtFile,
  type LoadedTool,
  type PreparedCall,
  type Tool,
  type ToolContext,
  type ToolResult,
} from '../tools/tool.ts';
import { askForms } from './calls/ask-form.ts';
import { askHosts } from './calls/ask-hosts.ts';
import type { Discipline, MadeCall } from './calls/discipline.ts';
import type { ApprovalVerdict, AuthorizeRequest, EditedCall } from './deps.ts';
import { editableCall, editedWords } from './edited-call.ts';
import { reportFanOut } from './fan-out.ts';
import { keepPictures } from './kept-pictures.ts';
import type { ContextLog } from './deps.ts';
import type { Output } from './output.ts';
import type { Run } from './ports.ts';
import type { WrittenCall } from './request/reply-writer.ts';

const declinedResult = inWords(
  'Error: the person declined this call.',
  'Do not repeat it; go on without it, or ask what they want instead.',
);
const declinedWith = (reply: string): Words =>
  inWords(`Error: the person declined this call and says: ${reply}`, '\nDo not repeat it as it was.');

const timedOut = inWords(
  'Error: not run, because the owner of this Andiron did not approve it in time.',
  'Do not repeat it; say that it was not approved in time, and go on without it.',
);

const onlyPlanned = inWords(
  'Error: not run. This session only plans: nothing is changed or run before the person approves the plan.',
  'Name it as a step of the plan instead.',
);

const tooEarly = inWords(
  'Error: not run, because what it needs to know is looked up in the same reply.',
  'Read that result, then call it.',
);

const cutResult = inWords(
  'Tool error: the reply ended before it was complete (its output limit), so this call was not run.',
  'Make it shorter, or do it in parts.',
);

/** Short, because there may be many; what to do stands in the note below the last one. */
const tooMany = {
  content: `Tool error: not run. Only the first ${String(maxCallsPerReply)} calls of a reply run.`,
};

/** On the card of such a call (Q5). */
const runTwice = 'run a second time, because it broke the first time';

/** What surrounds the calls of one reply. */
export interface AroundCalls {
  discipline: Discipline;
  /** The reply came under a grammar: an identical call is not run twice (*settle*). */
  settle: boolean;
  /** Calls of the reply that are not among these: more than are kept. */
  dropped: number;
  /** What the calls do was not said as the turn opened: each change asks, whatever was allowed before. */
  isUnannounced: boolean;
  /** Null = it may run in this turn. Resolves also after Stop. */
  whyNotRun: (call: { tool: Tool; args: MadeCall['args'] }, signal: AbortSignal) => Promise<NotRun | null>;
  /** After each call, before its result is written. Never throws for what a check finds. */
  ended: (written: WrittenCall, outcome: Outcome) => Promise<void>;
  /** For the newest result; empty = nothing to say. */
  lastNote: () => string;
}

/** Its result, in place of one of its tool. */
type NotRun = Pick<Outcome, 'content' | 'isUnmeant'>;

export interface Outcome {
  state: Extract<ToolState, 'done' | 'failed' | 'declined' | 'stopped'>;
  /** What the model reads. */
  content: string;
  display: ToolDisplay | null;
  runMs: number | null;
  /** All of the result, where `content` is cut. */
  whole?: string | undefined;
  /** Present where the person wrote the call anew: what it ran with. */
  args?: Record<string, unknown>;
  /** What the sandbox kept from it, in words for the person. */
  refused?: string | undefined;
  /** What it brought out. */
  files?: readonly BroughtFile[] | undefined;
  /** Tools that it found. */
  loads?: readonly LoadedTool[] | undefined;
  pictures?: ToolResult['pictures'];
  /** It was not run: none of the tools that were found is for this. */
  isUnmeant?: boolean;
  /** Real path of a file that was read; null or absent = none was. */
  touched?: string | null;
}

/** Every call of a run can be ended without stopping the turn. */
type CallContext = ToolContext &
  Required<Pick<ToolContext, 'ended'>> & {
    /** How long the person was asked while it ran. */
    askedMs: () => number;
  };

const failed = (words: Words, { setting }: Pick<Run, 'setting'>): Outcome => ({
  state: 'failed',
  content: wordsFor(setting.isGuided, words),
  display: null,
  runMs: null,
});
const stopped: Outcome = { state: 'stopped', content: cancelledResult, display: null, runMs: null };

/**
 * Gives every call exactly one result, whatever happens (X12 a). Resolves also after Stop, with the remaining calls
 * cancelled. The last note is written into the last result, in the same transaction. Between two calls
 * everything else in this process has its turn.
 */
export async function runCalls(
  calls: readonly WrittenCall[],
  around: AroundCalls,
  run: Run,
  signal: AbortSignal,
): Promise<void> {
  const { tools, out } = run;
  const { log } = run.history;
  const admitted = calls.slice(0, maxCallsPerReply);
  reportFanOut(admitted, run);
  for (const [index, written] of admitted.entries()) {
    if (index > 0) await yieldToOthers();
    const outcome = signal.aborted
      ? stopped
      : isTooEarly(written, admitted.slice(0, index))
        ? failed(tooEarly, run)
        : await admitCall(written, around, run, signal);
    const { sent, shown, lost } = await keepPictures(outcome.pictures, tools.attached);
    const content =
      escapeNotes(withAdvice(written, outcome, run)) + lost + (await nearInstructions(outcome, run));
    const wholeLength =
      outcome.whole === undefined
        ? null
        : ((await tools.keepWhole?.(written.item.id, outcome.whole)) ?? null);
    try {
      await around.ended(asItRan(written, outcome), outcome);
      const lastNote = index === calls.length - 1 ? around.lastNote() : '';
      log.settle({ callId: written.call.id, content: content + lastNote, ...sent });
    } finally {
      // What a tool did is shown, also where the disk does not keep it and the turn fails.
      out.emit({
        type: 'tool/finished',
        itemId: written.item.id,
        state: outcome.state,
        result: content,
        ...(wholeLength !== null && { wholeLength }),
        display: outcome.display,
        runMs: outcome.runMs,
        ...shown,
      });
      addFiles(written, outcome, out);
    }
  }
  const rest = calls.slice(maxCallsPerReply);
  if (rest.length === 0) return;
  if (signal.aborted) settleAlike(rest, stopped, '', log, out);
  else refuseRest(rest, around, run);
}

/** It was written before the result was known that it is made of. */
const isTooEarly = ({ tool }: WrittenCall, before: readonly WrittenCall[]): boolean =>
  tool?.needsResultOf !== undefined && before.some(({ item }) => item.tool === tool.needsResultOf);

function addFiles({ item }: WrittenCall, { files = [] }: Outcome, out: Output): void {
  if (files.length === 0) return;
  const { id: itemId, tool } = item;
  const [at, turnId] = [out.clock.now(), out.turnId];
  const added = files.map((file) => ({ ...file, id: out.newId('file_'), turnId, itemId, tool, at }));
  out.emit({ type: 'files/added', files: added });
}

/** A result about a folder in which the conversation before did not happen says so. */
function withAdvice(
  { tool }: WrittenCall,
  { state, content }: Outcome,
  { setting, tools: { workspace } }: Run,
): string {
  const hasLooked = tool?.about === 'workspace' && (state === 'done' || state === 'failed');
  const advice = hasLooked ? workspace.advice() : null;
  return advice === null ? content.trim() : `${content.trim()}\n\n${wordsFor(setting.isGuided, advice)}`;
}

/** Where a file was read that lies beneath instructions of its own: read they are only if the model wants to. */
async function nearInstructions({ state, touched }: Outcome, { tools, setting }: Run): Promise<string> {
  if (state !== 'done' || touched == null || setting.isGuided) return '';
  const found = await tools.reads.skills?.instructionsNear(touched);
  return found == null
    ? ''
    : note(
        `${escapeNotes(found)} has instructions for this folder. Read it before you change anything here.`,
      );
}

/** The calls of a reply that ended too early: none of them runs, the model is told why. */
export function refuseCutCalls(calls: readonly WrittenCall[], lastNote: () => string, run: Run): void {
  settleAlike(calls, failed(cutResult, run), lastNote(), run.history.log, run.out);
}

/** The calls beyond those that one reply may make. */
function refuseRest(rest: readonly WrittenCall[], { dropped, lastNote }: AroundCalls, run: Run): void {
  const { out, history } = run;
  const limit = String(maxCallsPerReply);
  const notRun = (rest.length + dropped).toLocaleString('en');
  const made = (maxCallsPerReply + rest.length + dropped).toLocaleString('en');
  const what = `The model made ${made} calls in one reply. Only the first ${limit} ran; ${notRun} did not.`;
  out.note('too_many_calls', what);
  const next = `${notRun} calls of this reply were not run. Make those that are still needed in your next replies, at most ${limit} in each.`;
  settleAlike(rest, failed(tooMany, run), note(next) + lastNote(), history.log, out);
}

/** One result for each of them, all written in one transaction. */
function settleAlike(
  calls: readonly WrittenCall[],
  { state, content, display, runMs }: Outcome,
  lastNote: string,
  log: ContextLog,
  out: Output,
): void {
  const results = calls.map(({ call }) => ({ callId: call.id, content }));
  const last = results.at(-1);
  if (last) last.content += lastNote;
  try {
    log.settle(...results);
  } finally {
    for (const { item } of calls) {
      out.emit({ type: 'tool/finished', itemId: item.id, state, result: content, display, runMs });
    }
  }
}

/** What failed twice in the same way, or would only repeat itself, is not run again (W10). */
async function admitCall(
  written: WrittenCall,
  around: AroundCalls,
  run: Run,
  signal: AbortSignal,
): Promise<Outcome> {
  const { tool, args, parsed } = written;
  if (!tool || !parsed.ok) return runCall(written, around, run, signal);
  const why = await around.whyNotRun({ tool, args }, signal);
  if (signal.aborted) return stopped;
  if (why) return { ...failed(why, run), ...why };
  const made = { name: tool.name, args };
  const admission = around.discipline.admit(made, around.settle);
  if (!admission.run) {
    const what = admission.why === 'repeated' ? 'was made before' : 'has failed twice in the same way';
    run.out.note('repeat', `This call of ${tool.name} ${what}, so it was not run again.`);
    return failed(admission.result, run);
  }
  const outcome = await runCall(written, around, run, signal);
  const ok = outcome.state === 'done';
  around.discipline.ended(
    { ...made, args: outcome.args ?? args },
    { ok, content: outcome.content, mutates: tool.mutates },
  );
  return outcome;
}

async function runCall(
  written: WrittenCall,
  { isUnannounced }: Pick<AroundCalls, 'isUnannounced'>,
  run: Run,
  signal: AbortSignal,
): Promise<Outcome> {
  const { tools, out } = run;
  const { reads } = tools;
  const { profile } = run.setting.active;
  const { parsed } = written;
  if (!parsed.ok) return failed({ content: parsed.error, bare: parsed.bare }, run);
  const ended = new AbortController();
  const over = AbortSignal.any([signal, ended.signal]);
  const hosts = askHosts(written.item, run, sandboxState(parsed.call), over);
  const forms = askForms(written.item, run, over);
  const context: CallContext = {
    ended: ended.signal,
    person: { ...(hosts && { reach: hosts.reach }), ...(forms && { askForm: forms.askForm }) },
    askedMs: () => (hosts?.askedMs() ?? 0) + (forms?.askedMs() ?? 0),
    workspace: tools.workspace.path,
    attached: [...(tools.attached?.paths() ?? []), ...(reads.skills?.folders() ?? [])],
    callId: written.call.id,
    sessionId: tools.sessionId,
    signal,
    data: {
      ...tools.data,
      turnId: out.turnId,
      foreign: { taint: reads.taint, recalled: (lines) => reads.recalled?.(lines) },
    },
    agents: tools.agents && tools.agents(run, written.item.id),
    profiles: tools.profiles,
    output: (text) => out.emit({ type: 'tool/output', itemId: written.item.id, text }),
  };
  let edited: EditedCall | null = null;
  let wayBack: AuthorizeRequest['undo'];
  let read: string | null = null;
  try {
    const checked = await parsed.call.check(context);
    if (!checked.ok) return signal.aborted ? stopped : failed(checked.result, run);
    const { item } = written;
    const editable = editableCall(written, parsed.call, context);
    const { display: preview, touched, farEffect } = checked;
    const undo = checked.undo && promising(checked.undo, context);
    wayBack = undo;
    if (item.tool === 'read_file' && touched) read = touched.path;
    const need = { ...parsed.call.need, ...(farEffect && { farEffect }) };
    const command = need.risk === 'execute' ? (need.editable?.text ?? null) : null;
    const narrowedBy = reads.skills?.narrowedBy({ tool: item.tool, command }) ?? null;
    const asked = { item, need, preview, profile, editable, touched, reads, undo };
    const request = { ...asked, isUnannounced, narrowedBy };
    const decision = await tools.authorize(request, out.emit, signal);
    context.allowed = touched;
    if (decision === 'only_planned') return failed(onlyPlanned, run);
    if (decision === 'timed_out') return { ...failed(timedOut, run), state: 'declined' };
    if (decision === 'deny') return { ...failed(declinedResult, run), state: 'declined' };
    if (typeof decision === 'object' && 'reply' in decision)
      return { ...failed(declinedWith(decision.reply), run), state: 'declined' };
    if (decision !== 'allow') edited = decision;
  } catch (error) {
    if (signal.aborted) return stopped;
    throw error;
  }
  const done = tools.calls?.add(written.call.id, () => ended.abort());
  let inside: Outcome | undefined;
  try {
    const allowed = edited;
    const runAs = (call: PreparedCall): Promise<Outcome> =>
      allowed
        ? executeEdited(written, { ...allowed, call }, context, run)
        : execute(written, call, context, run);
    const call = allowed?.call ?? parsed.call;
    const ran = await runAs(call);
    inside = ran;
    const { outside } = call;
    if (ran.refused === undefined || !outside) return { ...ran, touched: read };
    const question = { need: outside.need, refused: ran.refused, preview: ran.display, undo: wayBack };
    const verdict = await askOutside(written.item, question, run, signal);
    if (verdict === 'allow') {
      const again = await runAs(outside);
      const display = joinedDisplays(ran.display, again.display);
      const isCut = again.state === 'stopped';
      return { ...again, display, ...(isCut && { content: `${ran.content}\n${cutOutside(again)}` }) };
    }
    const reply =
      typeof verdict === 'object' && 'reply' in verdict ? `\nThe person says: ${verdict.reply}` : '';
    return { ...ran, content: ran.content + reply };
  } catch (error) {
    if (signal.aborted) return inside ? stoppedAfter(inside) : stopped;
    throw error;
  } finally {
    hosts?.close();
    done?.();
  }
}

/** It ran in the sandbox, which stays so: the model must not take it for a call that never began. */
const stoppedAfter = (ran: Outcome): Outcome => ({
  ...ran,
  state: 'stopped',
  content: `${ran.content}\nIt was not run outside the sandbox: ${cancelledResult}.`,
});

const cutOutside = ({ content }: Outcome): string => `Then it was run outside the sandbox: ${content}`;

/** What was said of undo last is what the call is held to. */
const promising =
  (look: () => Promise<UndoCoverage>, context: CallContext) => async (): Promise<UndoCoverage> => {
    const promised = await look();
    context.person = { ...context.person, promised };
    return promised;
  };

/** Nothing runs outside the sandbox by itself: what that refused is a question of its own. Throws the signal's reason. */
async function askOutside(
  item: ToolItem,
  question: Pick<AuthorizeRequest, 'need' | 'preview' | 'undo'> & { refused: string },
  { tools, out, setting }: Run,
  signal: AbortSignal,
): Promise<ApprovalVerdict> {
  const { profile } = setting.active;
  const noFile = { editable: null, touched: null, isUnannounced: false };
  const request = { item, ...question, profile, ...noFile, reads: tools.reads };
  return tools.authorize(request, out.emit, signal);
}

const withArguments = (written: WrittenCall, args: Record<string, unknown>): WrittenCall => ({
  ...written,
  call: { ...written.call, args },
});

/** The journal has what really ran; so has the log, before it runs: a crash must not leave the model with its own words. */
async function executeEdited(
  written: WrittenCall,
  { args, call, ...edited }: EditedCall,
  context: CallContext,
  run: Run,
): Promise<Outcome> {
  const words = editedWords(edited);
  run.history.log.writePlaceholder(written.call.id, words);
  const outcome = await execute(withArguments(written, args), call, context, run);
  return { ...outcome, content: words + outcome.content, args };
}

/** Where the person wrote it anew, that is what was done. */
const asItRan = (written: WrittenCall, { args }: Outcome): WrittenCall =>
  args ? { ...written, args } : written;

async function execute(
  { call, item, tool, repairs }: WrittenCall,
  prepared: PreparedCall,
  context: CallContext,
  { setting, history: { journal }, out }: Run,
): Promise<Outcome> {
  const { emit } = out;
  emit({ type: 'turn/phase', phase: 'tool' });
  emit({ type: 'tool/started', itemId: item.id, sandboxed: sandboxState(prepared) });
  const startedAt = out.clock.monotonic();
  journal.started({ ...call, name: item.tool });
  const attempt = (): Promise<ToolResult> =>
    prepared.execute(context).catch((error: unknown) => {
      out.reportBug(error);
      return {
        ok: false,
        content: 'Tool error: the tool failed inside Andiron.',
        display: null,
        threw: true,
      };
    });
  let result = await attempt();
  // It broke and may be repeated without harm (G8, P6); what it said of itself would be the same again.
  if (result.threw && tool?.retrySafe && !context.signal.aborted && !context.ended.aborted) {
    result = await attempt();
    emit({ type: 'tool/repaired', itemId: item.id, repairs: [...repairs, runTwice] });
  }
  // The time of the person is none of the tool's.
  const runMs = out.clock.monotonic() - startedAt - context.askedMs();
  const content = wordsFor(setting.isGuided, result);
  journal.ended(call.id, result.ok, content);
  const { display, whole, refused, files, loads, pictures } = result;
  if (context.signal.aborted) return { ...stopped, display, runMs };
  if (context.ended.aborted && !result.ok) return { state: 'stopped', content, display, runMs, whole };
  const state = result.ok ? 'done' : 'failed';
  return { state, content, display, runMs, whole, refused, files, loads, pictures };
}

/** Only a command has something to be kept in; null = the question does not arise. */
function sandboxState({ need }: PreparedCall): boolean | null {
  return need.risk === 'execute' ? need.sandboxed : null;
}
