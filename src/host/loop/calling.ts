/**
 * How this run asks the model for calls, and what is made of its replies: native or by a grammar, the repair
 * ladder, and the discipline that keeps small models from repeating themselves. What it learns is kept for the model.
 */
import { AndironError } from '../../protocol/errors.ts';
import type { ModelInfo } from '../../protocol/model.ts';
import type { ControlMarks } from '../prompt/card/marks.ts';
import type { TemplatePolicy } from '../prompt/template-policy.ts';
import { grammarProblem } from '../../rules/grammar/check.ts';
import type { Grammar } from '../../rules/grammar/schema.ts';
import type { Sampling } from '../providers/provider.ts';
import { details, replySchema, type Detail, type ReplyOptions } from './calls/constrained.ts';
import { createDiscipline, type Discipline } from './calls/discipline.ts';
import { firstDetail, seenInGrammar, seenInReply, TurnEvidence } from './calls/turn-evidence.ts';
import {
  maxReasks,
  nextAction,
  type CallMode,
  type Change,
  type LadderReply,
  type NextAction,
} from './calls/ladder.ts';
import { intentOf } from './calls/intent.ts';
import { namedEntries } from './calls/named-files.ts';
import { scopeOf, type Scope, type Stage } from './calls/scope.ts';
import { isSmallModel } from './calls/small-model.ts';
import { readTextCalls, type TextCalls } from './calls/text-calls.ts';
import { mentionsTool } from './calls/tool-names.ts';
import { detailOf, requestIdentity, samplingOf, wayAfter, type Way } from './calls/ways.ts';
import { workspaceWords } from './calls/workspace-task.ts';
import type { Tool } from '../tools/tool.ts';
import type { ModelKnowledge, Setting } from './deps.ts';
import { offeredTools } from './offered.ts';
import type { Output } from './output.ts';
import type { HistoryPort, ModelPort, ToolPort } from './ports.ts';
import type { ReplyWriter } from './request/reply-writer.ts';
import { withoutMarks } from './screen/reply-screen.ts';

/** What the next request asks for. */
export interface AskFor {
  way: Way;
  sampling: Sampling;
  format: Grammar | undefined;
  /** What a small model is asked once more behind the newest result, since it else repeats that result. */
  reminder?: string | undefined;
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
  repeats: number;
  explained: number;
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
  repeats: 0,
  explained: 0,
  sent: new Set(),
  useless: null,
  refused: undefined,
});

/** What the decision is made from, beside the setting. */
export interface CallingPorts {
  tools: Pick<ToolPort, 'tools' | 'workspace'>;
  history: Pick<HistoryPort, 'log'>;
  model: Pick<ModelPort, 'models'>;
  out: Pick<Output, 'reportBug'>;
}

export class Calling {
  readonly discipline: Discipline;
  readonly evidence: TurnEvidence;
  readonly #message: string;
  readonly #ports: CallingPorts;
  readonly #must: boolean;
  #called = false;
  /** What lay in the workspace as the turn began. */
  #before: readonly string[] | undefined;
  #step = newStep();
  /** The model of the newest judged reply. */
  #model: ModelInfo | undefined;
  /** The newest request. */
  #asked: { want: AskFor; identity: string; schemaOf: (detail: Detail) => Grammar } | undefined;
  /** Models whose engine refused the smallest grammar there is, in this turn. */
  readonly #withoutGrammar = new Set<string>();

  /** @param message the person's words, or the task of a subagent. */
  constructor(message: string, ports: CallingPorts) {
    this.#message = message;
    this.#ports = ports;
    this.#must = workspaceWords(message, []) !== null;
    this.evidence = new TurnEvidence(ports.model.models);
    this.discipline = createDiscipline(this.#must, () => {
      if (this.#model) this.evidence.settled(this.#model, false);
    });
  }

  async next(setting: Setting): Promise<AskFor> {
    const way = this.#step.way ?? (this.#modeOf(setting) === 'native' ? 'native' : this.#fullest(setting));
    const wished = detailOf(way);
    if (wished === null) return this.#request({ way, format: undefined }, neverAsked, setting);
    if (!this.#mayConstrain(setting))
      return this.#request({ way: 'text', format: undefined }, neverAsked, setting);
    const options = await this.#replyOptions(setting);
    const { stage } = options;
    const schemaOf = (detail: Detail): Grammar => replySchema(options, detail);
    const detail = readableFrom(wished, schemaOf, this.#ports.out);
    const want = {
      way: detail,
      format: schemaOf(detail),
      reminder: stage && reminderOf(this.#message, stage),
      maxOutputTokens: stage && maxTokens(stage),
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
    const mustCall = this.#must && !this.#called;
    const action = nextAction(
      judged,
      {
        mode: this.#modeOf(setting),
        provenNative: this.#ports.model.models.holds(model, 'native'),
        mayConstrain: this.#mayConstrain(setting),
      },
      {
        reasks: this.#step.reasks,
        explained: this.#step.explained,
        sameReply: words === this.#step.useless,
        mustCall,
        mentionsTool: mentionsTool(text, tools),
      },
    );
    this.#observe(model, judged, action, mustCall);
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
    return inWords[way];
  }

  #offered({ active }: Setting): Tool[] {
    return offeredTools(active.head, this.#ports.tools.tools);
  }

  /** By the profile, else as Andiron does by itself. */
  #modeOf({ active, lease, policy }: Setting): CallMode {
    const { calls } = active.profile;
    return calls === 'auto' ? modeByItself(lease.model, policy, this.#ports.model.models) : calls;
  }

  #mayConstrain(setting: Setting): boolean {
    return (
      this.#offered(setting).length > 0 &&
      !this.#withoutGrammar.has(setting.lease.model.name) &&
      this.#step.way !== 'text'
    );
  }

  async #replyOptions(setting: Setting): Promise<ReplyOptions & Partial<Scope>> {
    const tools = this.#offered(setting);
    const next = this.discipline.next();
    if (!isSmallModel(setting.lease.model.parameterSize)) return { tools, ...next };
    const message = this.#message;
    const entries = await this.#ports.tools.workspace.entries();
    if (!this.#must && !namesEntryOrCode(message, entries)) return { tools, ...next, simplified: true };
    this.#before ??= entries;
    const scope = scopeOf({ tools, message, entries, before: this.#before, calls: this.discipline.calls() });
    return { ...scope, ...(!next.mayCall && next), simplified: true };
  }

  /** A step whose replies were of no use is not asked in the same words with the same dice. */
  #request(
    want: Omit<AskFor, 'sampling'>,
    schemaOf: (detail: Detail) => Grammar,
    { active }: Setting,
  ): AskFor {
    const { sampling: own } = active.profile;
    const messages = [this.#ports.history.log.messages(), want.reminder];
    const identityOf = (sampling: Sampling): string => requestIdentity(messages, want.format, sampling);
    const { reasks, sent } = this.#step;
    const sampling = samplingOf(want.way, reasks, own, (next) => sent.has(identityOf(next)));
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
    const hadChoice = this.discipline.next().mayCall;
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
        this.#step = newStep();
        break;
      case 'run':
      case 'run_text':
        this.#step = newStep();
        this.#called = true;
        break;
    }
  }

  #noteUseless(reply: string): void {
    this.#step.reasks += 1;
    if (this.#asked) this.#step.sent.add(this.#asked.identity);
    this.#step.useless = reply;
  }

  #goTo(change: Change, setting: Setting): void {
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

/** What a narrower request does without, for the person. */
const inWords: Readonly<Record<Way, string>> = {
  native: '',
  all: '',
  no_patterns: 'without patterns',
  no_values: 'without lists of values',
  names: 'for the names of the tools alone',
  text: 'without a grammar',
};

/** What a small model reads behind the newest result: else it repeats that result, or does what others would do. */
function reminderOf(message: string, stage: Stage): string | undefined {
  if (stage === 'write' || stage === 'change') return `Now do this: ${message}`;
  return stage === 'answer' && intentOf(message).asks ? message : undefined;
}

/** A small model that does not end goes round in circles: what it writes has no bounds but these. */
const maxTokens = (stage: Stage): number => (stage === 'write' || stage === 'change' ? 2_000 : 400);

/** Such as AB-1234 or E4711: nobody knows what it is without looking. */
const code = /\b[A-Z]{1,5}-?\d{3,}\b/u;

function namesEntryOrCode(message: string, entries: readonly string[]): boolean {
  const { files, folders, patterns } = namedEntries(message, entries);
  return files.length + folders.length + patterns.length > 0 || (entries.length > 0 && code.test(message));
}

/** The first of native calls and a grammar that the model is good at; without either its text is read for calls. */
export function modeByItself(
  model: ModelInfo,
  { toolsInSystem }: Pick<TemplatePolicy, 'toolsInSystem'>,
  knowledge: Pick<ModelKnowledge, 'holds'>,
): CallMode {
  const cannotCall = toolsInSystem || model.capabilities?.includes('tools') === false;
  if (!cannotCall && knowledge.holds(model, 'native')) return 'native';
  return knowledge.holds(model, 'grammar') ? 'constrained' : 'native';
}

/** The end of the ladder: the person sees what the model tried. */
export function unusableReplyError(
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
