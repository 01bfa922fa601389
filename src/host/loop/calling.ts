/**
 * How this run asks the model for calls, and what is made of its replies (design 4): native or by a grammar, the repair
 * ladder, and the discipline that keeps small models from repeating themselves. What it learns is kept for the model.
 */
import { AndironError } from '../../protocol/errors.ts';
import type { ModelInfo } from '../../protocol/model.ts';
import type { TemplatePolicy } from '../prompt/template-policy.ts';
import type { Grammar } from '../../rules/grammar/schema.ts';
import type { Sampling } from '../providers/provider.ts';
import { replySchema, type ReplyOptions } from './calls/constrained.ts';
import { callTemperature, createDiscipline, type Discipline } from './calls/discipline.ts';
import { mostReasks, nextAction, type CallMode, type NextAction } from './calls/ladder.ts';
import { intentOf } from './calls/intent.ts';
import { namedEntries } from './calls/named-files.ts';
import { scopeOf, type Scope, type Stage } from './calls/scope.ts';
import { isSmallModel } from './calls/small-model.ts';
import { readTextCalls, type TextCalls } from './calls/text-calls.ts';
import { mentionsTool } from './calls/tool-names.ts';
import { speaksOfWorkspace } from './calls/workspace-task.ts';
import type { Tool } from '../tools/tool.ts';
import type { CallingFacts, ModelKnowledge } from './deps.ts';
import { offeredTools } from './offered.ts';
import type { ReplyWriter } from './reply-writer.ts';
import { settingOf, type Run } from './run.ts';

/** What the next request asks for. */
export interface AskFor {
  mode: CallMode;
  sampling: Sampling;
  format: Grammar | undefined;
  /** What a small model is asked once more behind the newest result, since it else repeats that result. */
  reminder?: string | undefined;
  maxOutputTokens?: number | undefined;
}

/** A reply that came to its end. */
export interface Reply {
  asked: CallMode;
  reason: 'stop' | 'length';
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
  /** The reply broke off and the same prompt is asked again; false = that was the last time (design 4). */
  mayAskAgain(): boolean;
  /** The engine could not read the reply; true = it is asked for under a grammar now. */
  unreadable(run: Run): boolean;
  /** The engine refused the grammar beside these tools: this model is asked natively from now on. */
  refusedGrammar(run: Run): void;
}

const nothingWritten: TextCalls = { calls: [], attempts: [], prose: '', dropped: 0 };

/** `message`: the person's words, or the task of a subagent. */
export function createCalling(message: string): Calling {
  const must = speaksOfWorkspace(message, []) !== null;
  const discipline = createDiscipline(must);
  let called = false;
  /** What lay in the workspace as the turn began. */
  let before: readonly string[] | undefined;
  let reasks = 0;
  let explained = 0;
  /** For this step alone. */
  let stepMode: CallMode | null = null;

  function settled(action: NextAction, reply: Reply, run: Run): void {
    [reasks, explained, stepMode] = [0, 0, null];
    if (action.do !== 'run' && action.do !== 'run_text') return;
    called = true;
    const known = run.deps.models.calling(settingOf(run).lease.model);
    if (reply.asked === 'native') {
      if (action.do === 'run' && !known.provenNative) learn(run, { provenNative: true });
    } else if (known.mode === 'native' && modeOf(run) === 'native') {
      learn(run, { grammarSteps: known.grammarSteps + 1, takesGrammar: true });
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

  return {
    discipline,
    async next(run) {
      const mode = stepMode ?? modeOf(run);
      const seed = reasks === 0 ? {} : { seed: reasks };
      const tools = offeredTools(run);
      if (mode === 'native' || tools.length === 0)
        return { mode: 'native', sampling: seed, format: undefined };
      const options = await replyOptions(tools, run);
      const format = replySchema(options);
      const reminder = options.stage && reminderOf(message, options.stage);
      return {
        mode,
        sampling: { ...seed, temperature: callTemperature(reasks) },
        format,
        reminder,
        maxOutputTokens: options.stage && mostTokens(options.stage),
      };
    },
    judge(reply, run) {
      const { writer, broken } = reply;
      const tools = offeredTools(run);
      const text = broken?.raw ?? writer.text;
      const { model } = settingOf(run).lease;
      const calls = writer.calls.map(({ item, parsed, repairs }) => ({
        name: item.tool,
        fault: parsed.ok ? null : parsed.error,
        repairs,
      }));
      const action = nextAction(
        {
          asked: reply.asked,
          ended: reply.reason,
          text,
          thinking: writer.thinking,
          calls,
          inText: calls.length === 0 && tools.length > 0 ? readTextCalls(text, tools) : nothingWritten,
          broken: broken?.why ?? null,
          missingTokens: reply.missingTokens,
        },
        {
          ...run.deps.models.calling(model),
          mode: modeOf(run),
          ...(tools.length === 0 && { takesGrammar: false }),
        },
        { reasks, explained, mustCall: must && !called, mentionsTool: mentionsTool(text, tools) },
      );
      switch (action.do) {
        case 'ask_again':
          reasks += 1;
          if (action.mode === 'constrained') stepMode = 'constrained';
          if (action.lasting) learn(run, { mode: 'constrained' });
          break;
        case 'explain':
          explained += 1;
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
    mayAskAgain() {
      reasks += 1;
      return reasks <= mostReasks;
    },
    unreadable(run) {
      const { model } = settingOf(run).lease;
      if (offeredTools(run).length === 0 || run.deps.models.calling(model).takesGrammar === false)
        return false;
      stepMode = 'constrained';
      return true;
    },
    refusedGrammar(run) {
      stepMode = null;
      learn(run, { mode: 'native', takesGrammar: false });
    },
  };
}

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
const mostTokens = (stage: Stage): number => (stage === 'write' || stage === 'change' ? 2_000 : 400);

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
  const { mode, takesGrammar } = knowledge.calling(model);
  return isSmallModel(model.parameterSize) && takesGrammar !== false ? 'constrained' : mode;
}

/** The end of the ladder: the person sees what the model tried. */
export function gaveUp({ message, tried }: Extract<NextAction, { do: 'give_up' }>): AndironError {
  return tried === ''
    ? new AndironError('empty_reply', message, 'Rephrase the message, or choose another model.')
    : new AndironError(
        'reply_unusable',
        `${message} It wrote: ${tried}`,
        'Say it in smaller steps, or choose a model that calls tools better.',
      );
}
