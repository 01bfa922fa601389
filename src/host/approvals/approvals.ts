/** Who may do what, and the questions that are open. Nothing here runs a tool; a tool runs only after an answer. */
import type { NewId } from '../../platform/clock.ts';
import { AndironError } from '../../protocol/errors.ts';
import type { FormQuestion, FormValues } from '../../protocol/form-question.ts';
import type {
  Approval,
  ApprovalDecision,
  ApprovalMode,
  CommandRule,
  Grant,
  HostScope,
} from '../../protocol/model.ts';
import { isOnlyPlanned } from '../../rules/approval.ts';
import { isSameRule } from '../../rules/command-rule.ts';
import { formProblems } from '../../rules/form-values.ts';
import type { ApprovalVerdict, AuthorizeRequest, Emit, FormRequest } from '../loop/deps.ts';
import type { FormAnswer } from '../tools/tool.ts';
import { createConfirmed } from './confirmed.ts';
import type { CommandRules, HostRules } from './kept-rules.ts';
import { createOpenQuestions, type AnswerMore, type OpenQuestionsDeps } from './open-questions.ts';
import { formApproval, policyOf, questionFor } from './weigh-call.ts';

/** A server waits for it. */
const maxFormMs = 600_000;

export type Approvals = ReturnType<typeof createApprovals>;

export interface ApprovalsDeps extends OpenQuestionsDeps {
  /** The folder in which things would happen, as the person chose it and as it really is. */
  workspace: () => { chosen: string; real: string };
  newId: NewId;
  /** What was allowed for the rest of the session, before a restart. */
  granted: readonly Grant[];
  /** Recorded before it holds. */
  onRevoke: (grant: Grant) => void;
  /** Commands that are always allowed in that folder. */
  rules: CommandRules;
  /** What commands of this session may reach. */
  hosts: HostRules;
  /** Of this session alone; null = as the profile has it. */
  mode: () => ApprovalMode | null;
  /** Several people write in the session: each yes is for its call alone. */
  isShared: () => boolean;
  /** Somebody may see the questions of this session; without anybody each is a no. */
  canAsk: () => boolean;
  /** Whoever wrote the message is the owner, in front of this computer: only they fill in forms. */
  isOwnersOwn: () => boolean;
  /** After which nobody's answer is a no; null = it waits. */
  maxWaitMs: () => number | null;
}

/** `edited`: in place of the text that may be written anew; it allows just that, this once. */
export interface GivenAnswer {
  decision: ApprovalDecision;
  scope: 'once' | 'session';
  edited?: string | undefined;
  /** With a yes: one of those that were offered holds from now on. */
  rule?: CommandRule | undefined;
  /** With a yes to a host: for how long. */
  hostScope?: HostScope | undefined;
  /** With a no: why, or what to do instead. */
  reply?: string | undefined;
  /** With a yes to a form. */
  values?: FormValues | undefined;
  /** With a no to a form: it is put away, and neither answered nor declined. */
  isCancelled?: boolean | undefined;
}

export function createApprovals(deps: ApprovalsDeps) {
  let granted: readonly Grant[] = deps.granted;
  const confirmed = createConfirmed();
  const { ask, stillOpen, waiting } = createOpenQuestions(deps);

  return {
    async authorize(asker: AuthorizeRequest, emit: Emit, signal: AbortSignal): Promise<ApprovalVerdict> {
      signal.throwIfAborted();
      const request = deps.isShared() ? onlyOnce(asker) : asker;
      // What wants to reach a host was let run: a plan may look at the web as well.
      if (!request.host && isOnlyPlanned(policyOf(request, deps), request.need)) return 'only_planned';
      const inForce = deps.isShared() ? [] : granted;
      const asked = await questionFor(request, { ...deps, granted: inForce, confirmed }, signal);
      if (asked === null) return 'allow';
      if (!deps.canAsk()) return 'deny';
      const { approval, effect } = asked;
      const answered = await ask(request, approval, { emit, signal, maxWaitMs: deps.maxWaitMs() });
      const { decision, edited, reply, timedOut } = answered;
      if (edited) return edited;
      if (decision === 'allow' && effect) confirmed.add(request.item.turnId, effect);
      if (timedOut) return 'timed_out';
      return reply === undefined ? decision : { reply };
    },
    async askForm({ item, question }: FormRequest, emit: Emit, signal: AbortSignal): Promise<FormAnswer> {
      signal.throwIfAborted();
      if (!deps.isOwnersOwn()) return { action: 'decline' };
      const approval = formApproval(item, question, deps);
      const asked = { item, editable: null, preview: null };
      const answered = await ask(asked, approval, { emit, signal, maxWaitMs: maxFormMs });
      const { decision, values, isCancelled, timedOut } = answered;
      if (decision === 'allow') return { action: 'accept', ...(values && { values }) };
      return { action: isCancelled || timedOut ? 'cancel' : 'decline' };
    },
    /** Rejects with `not_found` when the question is no longer open, and with `invalid_params` for an edit that cannot run. */
    async answer(approvalId: string, given: GivenAnswer): Promise<void> {
      const { decision, scope, edited, reply } = given;
      const question = stillOpen(approvalId);
      const { editable } = question;
      if (question.approval.form) {
        question.answer(decision, 'once', formAnswer(question.approval.form, given));
        return;
      }
      const recordWider = widerYes(question.approval, given, deps);
      if (recordWider) {
        // Before the answer: what could not be recorded lets nothing run.
        recordWider();
        question.answer('allow', 'once');
        return;
      }
      if (decision === 'allow' && edited !== undefined && edited !== editable?.text) {
        if (!editable) throw notEditable();
        const call = await editable.withText(edited);
        // Somebody else may have answered meanwhile, or stopped the turn.
        stillOpen(approvalId).answer('allow', 'once', { edited: call });
        return;
      }
      const { grant } = question.approval;
      const wide = decision === 'allow' && scope === 'session' ? grant : undefined;
      const isSaid = decision === 'deny' && reply !== undefined;
      question.answer(decision, wide ? 'session' : 'once', isSaid ? { reply } : {});
      // Only now: an answer that could not be recorded allows nothing.
      if (wide) granted = [...granted, { tool: wide.tool, folder: wide.folder }];
    },
    waiting,
    /** What this allowed asks again, from the next call on. False = it already did. */
    revoke(grant: Grant): boolean {
      const left = granted.filter((each) => each.tool !== grant.tool || each.folder !== grant.folder);
      if (left.length === granted.length) return false;
      deps.onRevoke(grant);
      granted = left;
      return true;
    },
  };
}

const onlyOnce = (request: AuthorizeRequest): AuthorizeRequest => ({
  ...request,
  need: { ...request.need, scopes: ['once'] },
});

/** Records what no longer asks; null = the answer is for this once. Throws for what was not offered. */
function widerYes(
  { host, rules }: Approval,
  { decision, rule, hostScope }: GivenAnswer,
  deps: Pick<ApprovalsDeps, 'rules' | 'hosts' | 'workspace'>,
): (() => void) | null {
  if (decision !== 'allow') return null;
  const { real } = deps.workspace();
  if (hostScope) {
    if (!host?.scopes.includes(hostScope)) throw notOffered();
    return () => deps.hosts.add(real, host.name, hostScope);
  }
  if (!rule) return null;
  if (!rules?.some((each) => isSameRule(each, rule))) throw notOffered();
  return () => deps.rules.add(real, rule);
}

/** Throws for values that do not fit. */
function formAnswer(
  { wanted }: FormQuestion,
  { decision, values = {}, isCancelled }: GivenAnswer,
): AnswerMore {
  if (decision === 'deny') return isCancelled ? { isCancelled } : {};
  if (wanted.kind === 'address') return {};
  const problems = Object.keys(formProblems(wanted.fields, values));
  if (problems.length > 0) throw notFitting(problems);
  return { values };
}

const notFitting = (fields: readonly string[]): AndironError =>
  new AndironError(
    'invalid_params',
    `This does not fit the form: ${fields.join(', ').slice(0, 300)}.`,
    'Correct these fields, or decline.',
  );

const notEditable = (): AndironError =>
  new AndironError(
    'invalid_params',
    'This call cannot be changed.',
    'Allow it as it is, or decline it and say what you want instead.',
  );

const notOffered = (): AndironError =>
  new AndironError(
    'invalid_params',
    'This was not offered for the command.',
    'Allow it once, or choose one of the answers that its card names.',
  );
