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
import { speaksOfWorkspace } from './calls/workspace-task.ts';
import type { Tool } from '../tools/tool.ts';
import type { CallingFacts, ModelKnowledge } from './deps.ts';
import { offeredTools } from './offered.ts';
import type { ReplyWriter } from './reply-writer.ts';
import { settingOf, type Run } from './run.ts';
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

export interface Calling {
  readonly discipline: Discipline;
  next(run: Run): Promise<AskFor>;
  judge(reply: Reply, run: Run): NextAction;
  /** The reply broke off and the same prompt is asked again; false = that was the last time. */
  mayRepeat(): boolean;
  /** The engine could not read the reply; null = that was the last time, true = it is asked for under a grammar now. */
  unreadable(run: Run): boolean | null;
  /** The engine refused the grammar. The step asks for less of one, at last for none; returns that in words. */
  narrow(run: Run): string;
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
}

const newStep = (): Step => ({
  way: null,
  reasks: 0,
  repeats: 0,
  explained: 0,
  sent: new Set(),
  useless: null,
});

/** `message`: the person's words, or the task of a subagent. */
export function createCalling(message: string): Calling {
  const must = speaksOfWorkspace(message, []) !== null;
  const discipline = createDiscipline(must);
  let called = false;
  /** What lay in the workspace as the turn began. */
  let before: readonly string[] | undefined;
  let step = newStep();
  /** The newest request. */
  let asked: { want: AskFor; identity: string; schemaOf: (detail: Detail) => Grammar } | undefined;
  /** Models whose engine refused the smallest grammar there is, in this turn. */
  const withoutGrammar = new Set<string>();

  const mayConstrain = (run: Run): boolean =>
    offeredTools(run).length > 0 &&
    !withoutGrammar.has(settingOf(run).lease.model.name) &&
    step.way !== 'text';

  function settled(action: NextAction, reply: Reply, run: Run): void {
    step = newStep();
    if (action.do !== 'run' && action.do !== 'run_text') return;
    called = true;
    const known = run.deps.models.calling(settingOf(run).lease.model);
    if (reply.asked === 'native') {
      if (action.do === 'run' && !known.provenNative) learn(run, { provenNative: true });
    } else if (known.mode === 'native' && modeOf(run) === 'native') {
      learn(run, { grammarSteps: known.grammarSteps + 1 });
    }
  }

  async function replyOptions(tools: readonly Tool[], run: Run): Promise<ReplyOptions & Partial<Scope>> {
    const next = discipline.next();
    if (!isSmallModel(settingOf(run).lease.model.parameterSize)) return { tools, ...next };
    const entries = await run.deps.workspaceEntries();
    if (!must && !speaksOf(message, entries)) return { tools, ...next, plainly: true };
    before ??= entries;
    const scope = scopeOf({ tools, message, entries, before, calls: discipline.calls() });
    return { ...scope, ...(!next.mayCall && next), plainly: true };
  }

  /** A step whose replies were of no use is not asked in the same words with the same dice. */
  function request(want: Omit<AskFor, 'sampling'>, schemaOf: (detail: Detail) => Grammar, run: Run): AskFor {
    const { sampling: own } = settingOf(run).active.profile;
    const messages = [run.deps.log.messages(), want.reminder];
    const identityOf = (sampling: Sampling): string => requestIdentity(messages, want.format, sampling);
    const tries = step.reasks;
    const sampling = samplingOf(want.way, tries, own, (next) => step.sent.has(identityOf(next)));
    const made = { ...want, sampling };
    asked = { want: made, identity: identityOf({ ...own, ...sampling }), schemaOf };
    return made;
  }

  function noteUseless(reply: string): void {
    step.reasks += 1;
    if (asked) step.sent.add(asked.identity);
    step.useless = reply;
  }

  function goTo(change: Change): void {
    if (change === 'grammar') step.way = 'all';
    if (change === 'next_way' && asked) step.way = wayAfter(asked.want.way, asked.schemaOf);
  }

  return {
    discipline,
    async next(run) {
      const way = step.way ?? (modeOf(run) === 'native' ? 'native' : 'all');
      const wished = detailOf(way);
      if (wished === null) return request({ way, format: undefined }, neverAsked, run);
      if (!mayConstrain(run)) return request({ way: 'text', format: undefined }, neverAsked, run);
      const options = await replyOptions(offeredTools(run), run);
      const { stage } = options;
      const schemaOf = (detail: Detail): Grammar => replySchema(options, detail);
      const detail = readableFrom(wished, schemaOf, run);
      const want = {
        way: detail,
        format: schemaOf(detail),
        reminder: stage && reminderOf(message, stage),
        maxOutputTokens: stage && maxTokens(stage),
      };
      return request(want, schemaOf, run);
    },
    judge(reply, run) {
      const { writer, broken } = reply;
      const tools = offeredTools(run);
      const text = broken?.raw ?? writer.text;
      const written = broken?.raw ?? writer.raw;
      const { model } = settingOf(run).lease;
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
      const action = nextAction(
        {
          asked: reply.asked,
          ended: reply.reason,
          text,
          thinking: writer.thinking,
          calls,
          inText: calls.length === 0 && tools.length > 0 ? readTextCalls(written, tools) : nothingWritten,
          broken: broken?.why ?? null,
          missingTokens: reply.missingTokens,
        },
        { ...run.deps.models.calling(model), mode: modeOf(run), mayConstrain: mayConstrain(run) },
        {
          reasks: step.reasks,
          explained: step.explained,
          sameReply: words === step.useless,
          mustCall: must && !called,
          mentionsTool: mentionsTool(text, tools),
        },
      );
      switch (action.do) {
        case 'ask_again':
          noteUseless(words);
          goTo(action.by);
          if (action.lasting) learn(run, { mode: 'constrained' });
          break;
        case 'explain':
          step.explained += 1;
          break;
        case 'give_up':
          break;
        case 'answer':
        case 'cut':
        case 'run':
        case 'run_text':
          settled(action, reply, run);
          break;
      }
      return action;
    },
    mayRepeat() {
      step.repeats += 1;
      return step.repeats <= maxRepeats;
    },
    unreadable(run) {
      noteUseless('');
      if (step.reasks > maxReasks) return null;
      if (!mayConstrain(run)) return false;
      goTo(asked?.want.format === undefined ? 'grammar' : 'next_way');
      return true;
    },
    narrow(run) {
      goTo('next_way');
      const way = step.way ?? 'text';
      if (way === 'text') withoutGrammar.add(settingOf(run).lease.model.name);
      return inWords[way];
    },
  };
}

function neverAsked(): never {
  throw new Error('This way to ask has no grammar.');
}

/** A grammar that an engine would refuse is a fault of Andiron: it is reported, and the step goes on with less of one. */
function readableFrom(wished: Detail, schemaOf: (detail: Detail) => Grammar, run: Run): Detail {
  for (const detail of details.slice(details.indexOf(wished))) {
    const problem = grammarProblem(schemaOf(detail));
    if (problem === null) return detail;
    run.deps.onInternalError(new Error(problem));
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

function learn(run: Run, change: Partial<CallingFacts>): void {
  const { models } = run.deps;
  const { model } = settingOf(run).lease;
  models.learnCalling(model, { ...models.calling(model), ...change });
}

/** What a small model reads behind the newest result: else it repeats that result, or does what others would do. */
function reminderOf(message: string, stage: Stage): string | undefined {
  if (stage === 'write' || stage === 'change') return `Now do this: ${message}`;
  return stage === 'answer' && intentOf(message).asks ? message : undefined;
}

/** A small model that does not end goes round in circles: what it writes has no bounds but these. */
const maxTokens = (stage: Stage): number => (stage === 'write' || stage === 'change' ? 2_000 : 400);

/** Such as AB-1234 or E4711: nobody knows what it is without looking. */
const code = /\b[A-Z]{1,5}-?\d{3,}\b/u;

function speaksOf(message: string, entries: readonly string[]): boolean {
  const { files, folders, patterns } = namedEntries(message, entries);
  return files.length + folders.length + patterns.length > 0 || (entries.length > 0 && code.test(message));
}

/** By the profile, else as Andiron does by itself. */
function modeOf(run: Run): CallMode {
  const { active, lease, policy } = settingOf(run);
  const { calls } = active.profile;
  return calls === 'auto' ? modeByItself(lease.model, policy, run.deps.models) : calls;
}

/** By what the model can at all, or by what it was learnt to do best. */
export function modeByItself(
  model: ModelInfo,
  { toolsInSystem }: Pick<TemplatePolicy, 'toolsInSystem'>,
  knowledge: Pick<ModelKnowledge, 'calling'>,
): CallMode {
  if (toolsInSystem || model.capabilities?.includes('tools') === false) return 'constrained';
  return isSmallModel(model.parameterSize) ? 'constrained' : knowledge.calling(model).mode;
}

/** The end of the ladder: the person sees what the model tried. */
export function gaveUp(
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
