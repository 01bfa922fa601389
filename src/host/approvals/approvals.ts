/** Who may do what, and the questions that are open. Nothing here runs a tool; a tool runs only after an answer. */
import type { Clock, NewId, Timer } from '../../platform/clock.ts';
import { AndironError } from '../../protocol/errors.ts';
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
import type { ApprovalVerdict, AuthorizeRequest, EditableCall, EditedCall, Emit } from '../loop/deps.ts';
import type { AnsweredApproval } from '../store/journal.ts';
import { createConfirmed } from './confirmed.ts';
import type { CommandRules, HostRules } from './kept-rules.ts';
import { askedOf, policyOf, questionFor, type AskedQuestion } from './weigh-call.ts';

export type Approvals = ReturnType<typeof createApprovals>;

export interface ApprovalsDeps {
  /** The folder in which things would happen, as the person chose it and as it really is. */
  workspace: () => { chosen: string; real: string };
  clock: Clock;
  newId: NewId;
  /** What was allowed for the rest of the session, before a restart. */
  granted: readonly Grant[];
  /** Recorded before the tool runs: no tool ran without a recorded decision. */
  onAnswer: (answer: Omit<AnsweredApproval, 'at'>) => void;
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
  /** After which nobody's answer is a no; null = it waits. */
  maxWaitMs: () => number | null;
  /** The session asks, or no longer does. */
  onChange: () => void;
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
}

/** A call that was written anew, words that came with a no, or a no because nobody answered. */
interface AnswerMore {
  edited?: EditedCall;
  reply?: string;
  timedOut?: true;
}

interface Question {
  approval: Approval;
  editable: EditableCall | null;
  answer: (decision: ApprovalDecision, scope: 'once' | 'session', more?: AnswerMore) => void;
}

export function createApprovals(deps: ApprovalsDeps) {
  const open = new Map<string, Question>();
  let granted: readonly Grant[] = deps.granted;
  const confirmed = createConfirmed();

  const ask = (
    request: AuthorizeRequest,
    { approval, effect }: AskedQuestion,
    { emit, signal }: { emit: Emit; signal: AbortSignal },
  ): Promise<ApprovalVerdict> =>
    new Promise((resolve, reject) => {
      const { item, editable } = request;
      const close = (): void => {
        late?.cancel();
        signal.removeEventListener('abort', onAbort);
        open.delete(approval.id);
        deps.onChange();
      };
      const onAbort = (): void => {
        close();
        reject(signal.reason as Error);
      };
      signal.addEventListener('abort', onAbort, { once: true });
      open.set(approval.id, {
        approval,
        editable,
        answer: (decision, scope, { edited, reply, timedOut } = {}) => {
          const change = edited && changed(approval, edited);
          deps.onAnswer({ approval: change?.approval ?? approval, callId: item.callId, decision, scope });
          close();
          if (decision === 'allow' && effect && !edited) confirmed.add(item.turnId, effect);
          emit({
            type: 'approval/resolved',
            itemId: item.id,
            decision,
            ...(change && { edited: change }),
            ...(reply !== undefined && { reply }),
            ...(timedOut && { timedOut }),
          });
          resolve(edited ?? (timedOut ? 'timed_out' : reply === undefined ? decision : { reply }));
        },
      });
      const late = afterLimit(deps, () => open.get(approval.id)?.answer('deny', 'once', { timedOut: true }));
      emit({ type: 'turn/phase', phase: 'approval' });
      emit({ type: 'approval/requested', itemId: item.id, approval, preview: request.preview });
      deps.onChange();
    });

  const stillOpen = (approvalId: string): Question => {
    const question = open.get(approvalId);
    if (!question) throw noLongerOpen();
    return question;
  };

  return {
    async authorize(asker: AuthorizeRequest, emit: Emit, signal: AbortSignal): Promise<ApprovalVerdict> {
      signal.throwIfAborted();
      const request = deps.isShared() ? onlyOnce(asker) : asker;
      if (isOnlyPlanned(policyOf(request, deps), request.need)) return 'only_planned';
      const inForce = deps.isShared() ? [] : granted;
      const asked = await questionFor(request, { ...deps, granted: inForce, confirmed }, signal);
      if (asked === null) return 'allow';
      return deps.canAsk() ? ask(request, asked, { emit, signal }) : 'deny';
    },
    /** Rejects with `not_found` when the question is no longer open, and with `invalid_params` for an edit that cannot run. */
    async answer(approvalId: string, given: GivenAnswer): Promise<void> {
      const { decision, scope, edited, reply } = given;
      const question = stillOpen(approvalId);
      const { editable } = question;
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
    waiting: (): boolean => open.size > 0,
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

/** null = nothing is limited. */
function afterLimit({ clock, maxWaitMs }: ApprovalsDeps, run: () => void): Timer | null {
  const ms = maxWaitMs();
  return ms === null ? null : clock.after(ms, run);
}

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

const noLongerOpen = (): AndironError =>
  new AndironError(
    'not_found',
    'This question is no longer open.',
    'It was answered elsewhere, or its turn has ended: look at what became of its call.',
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

/** What was allowed, by what it says now. */
function changed(approval: Approval, { argument, text, call: { subject, need } }: EditedCall) {
  const allowed: Approval = { ...approval, ...askedOf(need), editable: { argument, text } };
  return { argument, text, subject, approval: allowed };
}
