/**
 * How this run asks the model for calls, and what is made of its replies: native or by a grammar, the repair
 * ladder, and the discipline that keeps small models from repeating themselves. What it learns is kept for the model.
 */
import type { ModelInfo, NoteKind } from '../../protocol/model.ts';
import type { SteeringNote } from '../planning/steering.ts';
import type { PersonMessage } from '../prompt/person-message.ts';
import { grammarProblem } from '../../rules/grammar/check.ts';
import type { Grammar } from '../../rules/grammar/schema.ts';
import type { Sampling } from '../providers/provider.ts';
import { callMode, callsByItself } from './calls/call-mode.ts';
import { details, replySchema, type Detail, type ReplyOptions } from './calls/constrained.ts';
import { noNote } from './calls/copied-notes.ts';
import { FoundTools } from './calls/found-tools.ts';
import { createDiscipline, type Discipline, type MadeCall } from './calls/discipline.ts';
import { firstDetail, seenInGrammar, seenInReply, TurnEvidence } from './calls/turn-evidence.ts';
import {
  isCirclingCall,
  maxReasks,
  nextAction,
  type CallMode,
  type Change,
  type LadderReply,
  type NextAction,
} from './calls/ladder.ts';
import { readTextCalls, type TextCalls } from './calls/text-calls.ts';
import { PlanningRow } from './calls/planning-row.ts';
import { mentionsTool } from './calls/tool-names.ts';
import { SentNotes } from './calls/sent-notes.ts';
import { isPlanningTool } from './calls/toolsets.ts';
import { detailOf, narrowerWords, requestIdentity, samplingOf, wayAfter, type Way } from './calls/ways.ts';
import type { Tool } from '../tools/tool.ts';
import type { Setting } from './deps.ts';
import { callableTools } from './offered.ts';
import type { Output } from './output.ts';
import type { Opening } from './opening/open-turn.ts';
import type { HistoryPort, ModelPort, ToolPort } from './ports.ts';
import type { ReplyWriter, WrittenCall } from './request/reply-writer.ts';
import { answerCheck, undoneNotes, type AnswerCheck } from './steps/answer-check.ts';
import { GuidedTurn } from './steps/guided-turn.ts';
import { Steps, unsaidScope, type WorkTool } from './steps/steps.ts';
import type { Outcome } from './tool-calls.ts';

/** What the next request asks for. */
export interface AskFor {
  way: Way;
  sampling: Sampling;
  format: Grammar | undefined;
  maxOutputTokens?: number | undefined;
}

/** A reply that came to its end. */
export interface Reply {
  asked: CallMode;
  reason: LadderReply['ended'];
  writer: ReplyWriter;
  /** Tokens that the engine counted and did not pass on; null = none. */
  missingTokens: number | null;
  /** Of a reply under a grammar that is neither call nor answer, with the text as it came. */
  broken: { why: 'empty' | 'cut' | 'form' | 'too_long'; raw: string } | null;
}

const nothingWritten: TextCalls = { calls: [], attempts: [], prose: '', dropped: 0 };

/** A connection that breaks is no fault of the model, so it has a bound of its own. */
const maxRepeats = 5;

/** Since the last reply that was right. */
interface Step {
  /** null = as this model is always asked. */
  way: Way | null;
  reasks: number;
  /** Calls that ran in circles, of those. */
  circles: number;
  repeats: number;
  explained: number;
  wasCorrected: boolean;
  /** What the useless replies were asked for with. */
  sent: Set<string>;
  /** The last of them. */
  useless: string | null;
  /** The newest way whose grammar the engine refused. */
  refused: Way | undefined;
}

const newStep = (): Step => ({
  way: null,
  reasks: 0,
  circles: 0,
  repeats: 0,
  explained: 0,
  wasCorrected: false,
  sent: new Set(),
  useless: null,
  refused: undefined,
});

/** What the decision is made from, beside the setting. */
export interface CallingPorts {
  tools: Pick<ToolPort, 'tools' | 'workspace' | 'attached'>;
  history: Pick<HistoryPort, 'log'>;
  model: Pick<ModelPort, 'models'>;
  out: Pick<Output, 'reportBug'>;
}

export class Calling {
  readonly discipline: Discipline;
  readonly evidence: TurnEvidence;
  readonly found = new FoundTools();
  readonly #message: PersonMessage;
  readonly #ports: CallingPorts;
  readonly #planning = new PlanningRow();
  readonly #notes = new SentNotes();
  /** Of a guided turn. */
  noteBehind = noNote;
  /** Of a turn that its model opened. */
  #guided: GuidedTurn | undefined;
  /** Its opening was in form, and nothing is known yet of what came of it. */
  #opened = false;
  #wasDeclined = false;
  #step = newStep();
  /** Calls in a row that were not made for what they would write: the same dice would bring the same one. */
  #refused = 0;
  /** The model of the newest judged reply. */
  #model: ModelInfo | undefined;
  /** The newest request. */
  #asked: { want: AskFor; identity: string; schemaOf: (detail: Detail) => Grammar } | undefined;
  /** Models whose engine refused the smallest grammar there is, in this turn. */
  readonly #withoutGrammar = new Set<string>();

  constructor(message: PersonMessage, ports: CallingPorts) {
    this.#message = message;
    this.#ports = ports;
    this.evidence = new TurnEvidence(ports.model.models);
    this.discipline = createDiscipline((hadSucceeded) => {
      if (hadSucceeded && this.#model) this.evidence.settled(this.#model, false);
      this.#guided?.repeated(hadSucceeded);
    });
  }

  /** From now on each reply is one of these steps. */
  follow({ steps, inForm, slips }: Opening, model: ModelInfo): void {
    this.#guided = new GuidedTurn(steps, this.#message, this.#ports.model.models.holds(model, 'picks'));
    this.#opened = inForm;
    for (let slip = 0; slip < slips; slip += 1)
      this.evidence.saw(model, [{ ability: 'opens', isGood: false }]);
  }

  /** From now on each reply is one call, until the model answers: it is not asked first what it is about to do. */
  lead(): void {
    this.#guided = new GuidedTurn(new Steps(unsaidScope), this.#message);
  }

  /** Null = nothing. Else what a person should know who reads this answer. */
  remarkOn(answer: string): { kind: NoteKind; text: string } | null {
    const steps = this.#guided?.steps;
    const undone = steps?.undone ?? steps?.unsaidUndone ?? null;
    if (undone !== null) return undoneNotes[undone];
    if (steps?.lacksTool) return { kind: 'toolless', text: steps.missed ?? '' };
    const missed = this.#guided?.missedBehind(answer, this.#ports.history.log.messages()) ?? null;
    return missed === null ? null : { kind: 'guessed', text: missed };
  }

  get answers(): AnswerCheck {
    const newest = this.discipline.calls().at(-1);
    const facts = { newest, wasDeclined: this.#wasDeclined, log: this.#ports.history.log };
    return answerCheck(this.#guided, { message: this.#message, ...facts });
  }

  /** Something was to be changed or run in this turn, and no call did it. */
  get isUnproven(): boolean {
    return this.#guided?.steps.isUnproven ?? false;
  }

  /** What the model said first cannot be relied on, nor can calls of its own that would make up for that. */
  isUnannounced({ active, lease, policy }: Setting): boolean {
    const { models } = this.#ports.model;
    const isAnnounced = this.#guided !== undefined && models.holds(lease.model, 'opens');
    return !isAnnounced && !callsByItself(active, lease.model, policy, models);
  }

  /** Null = it may run. Else its result: what a turn was not opened for is not done in it, and a plan asks for work. */
  whyNotRun(tool: WorkTool, args: MadeCall['args'], model: ModelInfo): string | null {
    const why = this.#guided?.whyNotInScope(tool) ?? null;
    if (why !== null) {
      this.evidence.restrained(model, false);
      return why;
    }
    if (this.#planning.isFull && isPlanningTool(tool.name)) {
      this.evidence.planned(model, false);
      return 'Not run: go on with the next step.';
    }
    const fault = this.#guided?.whyNotWritten({ name: tool.name, args }, this.discipline.calls()) ?? null;
    this.#refused = fault === null ? 0 : this.#refused + 1;
    return fault;
  }

  /** Of a step that uses a tool of another program: something in the call was said nowhere, so it may be for something else. */
  mayBeUnmeant(call: MadeCall): boolean {
    if (this.#guided?.steps.hasTools !== true) return false;
    const words = this.#ports.history.log
      .messages()
      .flatMap(({ role, content }) => (role === 'tool' ? [] : content));
    return this.found.mayBeUnmeant(call, words, this.discipline.calls());
  }

  /** After each call. Returns the line of the step that begins now, for the newest result; null = none begins. */
  stepAfter(
    { tool, item, parsed }: Pick<WrittenCall, 'tool' | 'item' | 'parsed'>,
    {
      state,
      content,
      runMs,
      loads,
      isUnmeant,
    }: Pick<Outcome, 'state' | 'content' | 'runMs' | 'loads' | 'isUnmeant'>,
    model: ModelInfo,
  ): string | null {
    this.found.take(loads);
    const isRead = tool !== undefined && parsed.ok;
    if (isRead && this.#planning.ended(tool.name, state === 'done')) this.evidence.planned(model, true);
    const isDeclined = state === 'declined' || state === 'stopped';
    this.#wasDeclined ||= isDeclined;
    const isUnrun = runMs === null;
    const { subject } = item;
    const ok = state === 'done';
    const call = { ok, content, subject, isDeclined, isUnrun, ...(isUnmeant && { isUnmeant }) };
    return this.#guided?.ended({ name: item.tool, mutates: tool?.mutates ?? false }, call) ?? null;
  }

  /** What a guided model cannot see in a result by itself; null = nothing. */
  factsOf(
    { item }: Pick<WrittenCall, 'item'>,
    outcome: Pick<Outcome, 'state' | 'content' | 'display'>,
  ): string | null {
    return this.#guided?.factsOf(item, outcome) ?? null;
  }

  /** They stand in the next prompt. */
  noteSent(notes: readonly SteeringNote[]): void {
    for (const { ownWords } of notes) this.#notes.add(ownWords);
  }

  /** Of each reply that is kept. */
  sawWords(reply: Parameters<SentNotes['areCopiedIn']>[0], model: ModelInfo): void {
    const areCopied = this.#notes.areCopiedIn(reply);
    if (areCopied !== null) this.evidence.followedNote(model, !areCopied);
  }

  /** The turn has its answer. */
  finished(model: ModelInfo): void {
    const steps = this.#guided?.steps;
    const isLook = steps && !steps.scope.change && !steps.scope.run && !steps.isNamed('use');
    if (isLook) this.evidence.restrained(model, true);
    this.evidence.finished();
  }

  async next(setting: Setting): Promise<AskFor> {
    const way = this.#step.way ?? (this.#modeOf(setting) === 'native' ? 'native' : this.#fullest(setting));
    const wished = detailOf(way);
    if (wished === null) return this.#request({ way, format: undefined }, neverAsked, setting);
    if (!this.#mayConstrain(setting))
      return this.#request({ way: 'text', format: undefined }, neverAsked, setting);
    const options = await this.#replyOptions(setting);
    const schemaOf = (detail: Detail): Grammar => replySchema(options, detail);
    const detail = readableFrom(wished, schemaOf, this.#ports.out);
    const want = {
      way: detail,
      format: schemaOf(detail),
      maxOutputTokens: this.#guided?.maxOutputTokens,
    };
    return this.#request(want, schemaOf, setting);
  }

  judge(reply: Reply, setting: Setting): NextAction {
    const { writer, broken } = reply;
    const tools = this.#offered(setting);
    const text = broken?.raw ?? writer.text;
    const calls = writer.calls.map(({ item, parsed, repairs }) => ({
      name: item.tool,
      fault: parsed.ok ? null : parsed.error,
      repairs,
    }));
    const words = JSON.stringify([
      text,
      writer.thinking,
      writer.calls.map(({ item, args }) => [item.tool, args]),
    ]);
    const written = broken?.raw ?? writer.raw;
    const judged: LadderReply = {
      asked: reply.asked,
      ended: reply.reason,
      text,
      thinking: writer.thinking,
      calls,
      inText: calls.length === 0 && tools.length > 0 ? readTextCalls(written, tools) : nothingWritten,
      broken: broken?.why ?? null,
      missingTokens: reply.missingTokens,
    };
    const { model } = setting.lease;
    const mustCall = this.#guided?.mustCall ?? false;
    const action = nextAction(
      judged,
      {
        mode: this.#modeOf(setting),
        provenNative: this.#ports.model.models.holds(model, 'native'),
        mayConstrain: this.#mayConstrain(setting),
      },
      {
        reasks: this.#step.reasks,
        circles: this.#step.circles,
        explained: this.#step.explained,
        wasCorrected: this.#step.wasCorrected,
        sameReply: words === this.#step.useless,
        mustCall,
        mentionsTool: mentionsTool(text, tools),
      },
    );
    this.#observe(model, judged, action, mustCall);
    if (action.do === 'ask_again' && isCirclingCall(judged)) this.#step.circles += 1;
    this.#take(action, words, setting);
    return action;
  }

  /** The reply broke off and the same prompt is asked again; false = that was the last time. */
  mayRepeat(): boolean {
    this.#step.repeats += 1;
    return this.#step.repeats <= maxRepeats;
  }

  /** The engine could not read the reply; null = that was the last time, true = it is asked for under a grammar now. */
  unreadable(setting: Setting): boolean | null {
    this.#noteUseless('');
    const wasGrammar = this.#asked?.want.format !== undefined;
    this.evidence.saw(setting.lease.model, [{ ability: wasGrammar ? 'grammar' : 'native', isGood: false }]);
    if (this.#step.reasks > maxReasks) return null;
    if (!this.#mayConstrain(setting)) return false;
    this.#goTo(wasGrammar ? 'next_way' : 'grammar', setting);
    return true;
  }

  /** The engine refused the grammar. The step asks for less of one, at last for none; returns that in words. */
  narrow(setting: Setting): string {
    const { model } = setting.lease;
    this.#step.refused = this.#asked?.want.way;
    this.#goTo('next_way', setting);
    const way = this.#step.way ?? 'text';
    if (way === 'text') {
      this.#withoutGrammar.add(model.name);
      this.evidence.saw(model, [{ ability: 'grammar', isGood: false }]);
    }
    return narrowerWords[way];
  }

  #offered(setting: Setting): Tool[] {
    return callableTools(setting, this.#ports.tools.tools);
  }

  /** By the profile, else as Andiron does by itself. */
  #modeOf({ active, lease, policy }: Setting): CallMode {
    return callMode(active, lease.model, policy, this.#ports.model.models);
  }

  #mayConstrain(setting: Setting): boolean {
    return (
      this.#offered(setting).length > 0 &&
      !this.#withoutGrammar.has(setting.lease.model.name) &&
      this.#step.way !== 'text'
    );
  }

  async #replyOptions(setting: Setting): Promise<ReplyOptions> {
    const tools = this.#offered(setting);
    const all = [...this.found.tools, ...tools];
    if (this.#guided) return this.#guided.replyOptions(all, this.discipline.calls(), this.#ports.tools);
    // A model that cannot say what it is about to do looks before it answers, where there is something to look at: made to
    // search its memory, it answers from that, whatever was asked.
    const mayLook = tools.some(({ about }) => about !== 'agent');
    const mustLook = mayLook && this.#modeOf(setting) === 'constrained';
    const offered = this.#planning.isFull ? all.filter(({ name }) => !isPlanningTool(name)) : all;
    return { tools: offered, ...this.discipline.next(mustLook) };
  }

  /** A step whose replies were of no use is not asked in the same words with the same dice. */
  #request(
    want: Omit<AskFor, 'sampling'>,
    schemaOf: (detail: Detail) => Grammar,
    { active }: Setting,
  ): AskFor {
    const { sampling: own } = active.profile;
    const messages = this.#ports.history.log.messages();
    const identityOf = (sampling: Sampling): string => requestIdentity(messages, want.format, sampling);
    const { reasks, sent } = this.#step;
    const sampling = samplingOf(want.way, reasks + this.#refused, own, (next) => sent.has(identityOf(next)));
    const made = { ...want, sampling };
    this.#asked = { want: made, identity: identityOf({ ...own, ...sampling }), schemaOf };
    return made;
  }

  #fullest({ lease }: Setting): Detail {
    return firstDetail(lease.model, this.#ports.model.models);
  }

  #observe(model: ModelInfo, reply: LadderReply, action: NextAction, neededCall: boolean): void {
    this.#model = model;
    if (this.#asked?.want.format) {
      const { want, schemaOf } = this.#asked;
      this.evidence.sawGrammar(model, seenInGrammar(want.way, schemaOf, this.#step.refused));
    }
    this.evidence.saw(model, seenInReply(reply, action, neededCall));
    const hadChoice = this.discipline.next(false).mayCall;
    if (action.do === 'answer' && this.#opened) {
      this.#opened = false;
      const isGood = this.#guided?.steps.cameTrue ?? null;
      if (isGood !== null) this.evidence.saw(model, [{ ability: 'opens', isGood }]);
    }
    if (action.do === 'answer' && hadChoice && this.discipline.calls().some(({ ok }) => ok))
      this.evidence.settled(model, true);
  }

  #take(action: NextAction, words: string, setting: Setting): void {
    switch (action.do) {
      case 'ask_again':
        this.#noteUseless(words);
        this.#goTo(action.by, setting);
        break;
      case 'explain':
        this.#step.explained += 1;
        break;
      case 'give_up':
        break;
      case 'answer':
      case 'cut':
      case 'run':
      case 'run_text':
        this.#step = newStep();
        break;
    }
  }

  #noteUseless(reply: string): void {
    this.#step.reasks += 1;
    if (this.#asked) this.#step.sent.add(this.#asked.identity);
    this.#step.useless = reply;
  }

  #goTo(change: Change, setting: Setting): void {
    if (change === 'words') this.#step.wasCorrected = true;
    if (change === 'answer') {
      this.#guided?.steps.giveUp();
      this.#step = newStep();
    }
    if (change === 'text') this.#step.way = 'text';
    if (change === 'grammar') this.#step.way = this.#fullest(setting);
    if (change === 'next_way' && this.#asked)
      this.#step.way = wayAfter(this.#asked.want.way, this.#asked.schemaOf);
  }
}

function neverAsked(): never {
  throw new Error('This way to ask has no grammar.');
}

/** A grammar that an engine would refuse is a fault of Andiron: it is reported, and the step goes on with less of one. */
function readableFrom(
  wished: Detail,
  schemaOf: (detail: Detail) => Grammar,
  { reportBug }: CallingPorts['out'],
): Detail {
  for (const detail of details.slice(details.indexOf(wished))) {
    const problem = grammarProblem(schemaOf(detail));
    if (problem === null) return detail;
    reportBug(new Error(problem));
  }
  return 'names';
}
