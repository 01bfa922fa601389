/**
 * Planning before the work (D, P1): phase 1 decides whether a plan is needed, phase 2 reviews where that was asked for,
 * phase 3 writes the steps. Every question and answer stays in the log, so nothing is read twice. Whatever
 * goes wrong skips the plan without a word (X12 e); only a stop is passed on.
 */
import { looksOf, withoutEmptyChecks } from '../planning/evidence.ts';
import {
  directInstruction,
  executeInstruction,
  planInstruction,
  reviewInstruction,
} from '../planning/instructions.ts';
import type { PlanStep } from '../../protocol/plan.ts';
import { parsePlan } from '../planning/parse-plan.ts';
import { fromPlan, renderTodo } from '../planning/todo-list.ts';
import { readVerdict } from '../planning/verdict.ts';
import type { PromptHead } from '../providers/provider.ts';
import type { Reply } from './calling.ts';
import { makeRoom } from './compact.ts';
import { offeredTools } from './offered.ts';
import type { ContextLog } from './deps.ts';
import { plain, PlanWriter } from './plan-writer.ts';
import { askSide, type SideReply } from './request/ask-side.ts';
import { ReplyWriter } from './request/reply-writer.ts';
import type { RequestScope, Run } from './ports.ts';
import { lookAt } from './track-steps.ts';

const planTemperature = 0.3;
/** Of each answer (R: completion calls fail soft). */
const maxAnswerLength = 2_000;
const unplanned = 'DIRECT';

/** A guided model lists its steps as the turn opens, and one that was not seen to plan well begins at once. */
export function plansFirst({ setting, model: { models } }: RequestScope): boolean {
  const { active, lease, isGuided } = setting;
  return active.profile.planningEnabled && !isGuided && models.holds(lease.model, 'planning');
}

/** undefined = go on with the log as it is; a reply = the model called a tool at once, which means DIRECT. */
export async function planTurn(run: Run, signal: AbortSignal): Promise<Reply | undefined> {
  try {
    return await plan(run, signal);
  } finally {
    run.out.emit({ type: 'planning/status', phase: null });
  }
}

async function plan(run: Run, signal: AbortSignal): Promise<Reply | undefined> {
  const { profile } = run.setting.active;
  const { log } = run.history;
  const first = await askPhase(1, null, run, signal);
  if (first && first.calls.length > 0) return asReply(first, run);
  const verdict = readVerdict(first?.text ?? '', profile.planningMandatory);
  keep(first, log);
  if (!first || verdict.kind !== 'analysis') {
    if (first && onlyThought(first))
      new PlanWriter(plain, run.out).fail(`${problemOf(first)}, so the work began without one.`, '');
    instruct(directInstruction, log);
    return undefined;
  }

  let review: SideReply | null = null;
  if (profile.planningPhase2Enabled && verdict.reflect) {
    review = await askPhase(2, reviewInstruction, run, signal);
    keep(review, log);
  }

  const card = new PlanWriter({ analysis: verdict.text, review: review?.text ?? null }, run.out);
  try {
    return await writeSteps(card, review !== null, run, signal);
  } catch (error) {
    card.stop();
    throw error;
  }
}

async function writeSteps(
  card: PlanWriter,
  isReviewed: boolean,
  run: Run,
  signal: AbortSignal,
): Promise<undefined> {
  const { tools, setting } = run;
  const { log } = run.history;
  const written = await askForSteps(card, planInstruction(isReviewed, delegates(run)), run, signal);
  if (written.steps === null) {
    if (card.isBegun || written.hasOnlyThought)
      card.fail(`${written.problem}, so the work began without one.`, written.text);
    instruct(directInstruction, log);
    return undefined;
  }
  const todo = fromPlan(written.steps);
  tools.data.setTodo(todo);
  card.end(written.text, written.steps);
  if (written.remarks !== '') run.out.note('evidence', written.remarks);
  const list = written.isRenumbered ? renderTodo(todo) : null;
  instruct(executeInstruction(list, hasTodoTool(setting.active.head)), log);
  return undefined;
}

/** A plan, or why there is none: the beginning of a sentence. */
type WrittenPlan =
  | { steps: PlanStep[]; text: string; remarks: string; isRenumbered: boolean }
  | { steps: null; text: string | undefined; problem: string; hasOnlyThought: boolean };

/** The question and what came are kept in the log, and the card shows the lines as they come. */
export async function askForSteps(
  card: PlanWriter,
  instruction: string,
  run: Run,
  signal: AbortSignal,
): Promise<WrittenPlan> {
  const { tools, history, setting } = run;
  const reply = await askPhase(3, instruction, run, signal, (text) => card.write(text));
  const parsed = parsePlan(reply?.text ?? '', {
    tools: setting.active.head.tools.map(({ name }) => name),
    profiles: tools.profiles.list().map(({ id }) => id),
  });
  keep(reply, history.log);
  if (!reply || parsed.kind === 'malformed') {
    const hasOnlyThought = reply !== null && onlyThought(reply);
    return { steps: null, text: reply?.text, problem: problemOf(reply), hasOnlyThought };
  }
  const steps = withoutEmptyChecks(parsed.steps, await lookAt(looksOf(parsed.steps), tools.workspace));
  return { steps, text: reply.text, remarks: parsed.dropped.join(' '), isRenumbered: parsed.renumbered };
}

/** null = there was no answer. The instruction joins the log with the answer's place still open. */
async function askPhase(
  phase: 1 | 2 | 3,
  instruction: string | null,
  scope: RequestScope,
  signal: AbortSignal,
  onText?: (text: string) => void,
): Promise<SideReply | null> {
  const { log } = scope.history;
  signal.throwIfAborted();
  scope.out.emit({ type: 'planning/status', phase });
  if (instruction !== null) instruct(instruction, log);
  try {
    makeRoom(scope);
    const messages = log.messages();
    const limits = { maxTextTokens: maxAnswerLength, temperature: planTemperature };
    return await askSide({ purpose: 'plan', messages, ...limits, ...(onText && { onText }) }, scope, signal);
  } catch (error) {
    if (signal.aborted) throw error;
    return null;
  }
}

/** The answer as it came: what the model said stays in its log. Calls of a later phase are not run, and not kept. */
function keep(reply: SideReply | null, log: ContextLog): void {
  const said = reply !== null && reply.text.trim() !== '';
  log.append([
    {
      role: 'assistant',
      content: said ? reply.text : unplanned,
      thinking: said ? reply.thinking : '',
      calls: [],
      ...(said && reply.extra && { extra: reply.extra }),
    },
  ]);
}

function instruct(instruction: string, log: ContextLog): void {
  log.append([{ role: 'user', content: instruction }]);
}

function asReply(first: SideReply, run: Run): Reply {
  const offered = offeredTools(run.setting.active.head, run.tools.tools);
  const writer = new ReplyWriter(run, offered, false);
  if (first.thinking !== '') writer.write({ type: 'thinking', text: first.thinking });
  if (first.text !== '') writer.write({ type: 'text', text: first.text });
  for (const call of first.calls) writer.write({ type: 'call', ...call });
  writer.finish(first.reason === 'length');
  writer.extra = first.extra;
  return { asked: 'native', reason: first.reason, writer, missingTokens: null, broken: null };
}

export function delegates({ setting, tools }: Run): { id: string; description: string }[] {
  const offered = setting.active.head.tools.some(({ name }) => name === 'spawn_agent');
  return offered && tools.agents ? tools.profiles.list() : [];
}

const onlyThought = ({ text, thinking, calls }: SideReply): boolean =>
  text.trim() === '' && thinking.trim() !== '' && calls.length === 0;

const howItThought: Readonly<Record<SideReply['reason'], string>> = {
  stop: 'only thought',
  length: 'thought until its output limit',
  repeated: 'thought in circles',
};

function problemOf(reply: SideReply | null): string {
  if (reply === null) return 'The plan broke off';
  if (!onlyThought(reply)) return 'The plan has no steps that could be read';
  return `The model ${howItThought[reply.reason]} and wrote no plan`;
}

export const hasTodoTool = ({ tools }: PromptHead): boolean => tools.some(({ name }) => name === 'todo');
