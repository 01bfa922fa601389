/** Who may do what, and the questions that are open. Nothing here runs a tool; a tool runs only after an answer. */
import type { Clock, NewId } from '../../platform/clock.ts';
import { AndironError } from '../../protocol/errors.ts';
import type { Approval, ApprovalDecision, CommandRule, Grant } from '../../protocol/model.ts';
import {
  askReason,
  mayBeRuled,
  offeredGrant,
  type ApprovalInput,
  type AskReason,
} from '../../rules/approval.ts';
import { coversCommand, isSameRule, offeredRules } from '../../rules/command-rule.ts';
import { shownFolder } from '../../rules/grants.ts';
import type { ApprovalVerdict, AuthorizeRequest, EditableCall, EditedCall, Emit } from '../loop/deps.ts';
import type { AnsweredApproval } from '../store/journal.ts';
import type { ApprovalNeed } from '../tools/tool.ts';
import { visibleText } from '../../rules/visible-text/visible-text.ts';
import { whyAsked } from './approval-words.ts';

export type Approvals = ReturnType<typeof createApprovals>;

export interface CommandRules {
  /** @param workspace its real path */
  of(workspace: string): readonly (CommandRule & { id: string })[];
  add(workspace: string, rule: CommandRule): void;
  /** It has let a command run. */
  used(id: string): void;
}

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
  /** With a no: why, or what to do instead. */
  reply?: string | undefined;
}

/** A call that was written anew, or words that came with a no. */
interface AnswerMore {
  edited?: EditedCall;
  reply?: string;
}

interface Question {
  approval: Approval;
  editable: EditableCall | null;
  answer: (decision: ApprovalDecision, scope: 'once' | 'session', more?: AnswerMore) => void;
}

export function createApprovals(deps: ApprovalsDeps) {
  const open = new Map<string, Question>();
  let granted: readonly Grant[] = deps.granted;

  const ask = (
    request: AuthorizeRequest,
    reason: AskReason,
    { emit, signal }: { emit: Emit; signal: AbortSignal },
  ): Promise<ApprovalVerdict> =>
    new Promise((resolve, reject) => {
      const { item, editable } = request;
      const approval = questionOf(request, reason, granted, deps);
      const close = (): void => {
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
        answer: (decision, scope, { edited, reply } = {}) => {
          const change = edited && changed(approval, edited);
          deps.onAnswer({ approval: change?.approval ?? approval, callId: item.callId, decision, scope });
          close();
          emit({
            type: 'approval/resolved',
            itemId: item.id,
            decision,
            ...(change && { edited: change }),
            ...(reply !== undefined && { reply }),
          });
          resolve(edited ?? (reply === undefined ? decision : { reply }));
        },
      });
      emit({ type: 'turn/phase', phase: 'approval' });
      emit({ type: 'approval/requested', itemId: item.id, approval, preview: request.preview });
      deps.onChange();
    });

  const stillOpen = (approvalId: string): Question => {
    const question = open.get(approvalId);
    if (!question)
      throw new AndironError(
        'not_found',
        'This question is no longer open.',
        'It was answered elsewhere, or its turn has ended: look at what became of its call.',
      );
    return question;
  };

  return {
    async authorize(request: AuthorizeRequest, emit: Emit, signal: AbortSignal): Promise<ApprovalVerdict> {
      signal.throwIfAborted();
      const rule = ruleFor(request, deps);
      const reason = askReason(inputOf(request, granted, rule !== undefined));
      if (reason !== null) return ask(request, reason, { emit, signal });
      if (rule) deps.rules.used(rule.id);
      return 'allow';
    },
    /** Rejects with `not_found` when the question is no longer open, and with `invalid_params` for an edit that cannot run. */
    async answer(approvalId: string, { decision, scope, edited, rule, reply }: GivenAnswer): Promise<void> {
      const question = stillOpen(approvalId);
      const { editable } = question;
      if (decision === 'allow' && rule) {
        if (!question.approval.rules?.some((each) => isSameRule(each, rule))) throw notOffered();
        // Before the answer: what could not be recorded lets nothing run.
        deps.rules.add(deps.workspace().real, rule);
        question.answer('allow', 'once');
        return;
      }
      if (decision === 'allow' && edited !== undefined && edited !== editable?.text) {
        if (!editable)
          throw new AndironError(
            'invalid_params',
            'This call cannot be changed.',
            'Allow it as it is, or decline it and say what you want instead.',
          );
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

const notOffered = (): AndironError =>
  new AndironError(
    'invalid_params',
    'This was not offered for the command.',
    'Allow it once, or choose one of the commands that its card names.',
  );

/** The command where it is kept in; a rule is for nothing else. */
const keptCommand = ({ need, refused }: Pick<AuthorizeRequest, 'need' | 'refused'>): string | null =>
  need.risk === 'execute' && need.sandboxed && refused === undefined ? (need.editable?.text ?? null) : null;

function ruleFor(request: AuthorizeRequest, { rules, workspace }: ApprovalsDeps) {
  const command = keptCommand(request);
  if (command === null) return undefined;
  return rules.of(workspace().real).find((rule) => coversCommand(rule, command));
}

/** What may always be allowed instead of this command; empty where it would ask all the same. */
function rulesFor(request: AuthorizeRequest): CommandRule[] {
  const command = keptCommand(request);
  const { profile, isUnannounced } = request;
  if (command === null || !mayBeRuled({ policy: profile.approvals, isUnannounced })) return [];
  return offeredRules(command);
}

function inputOf(
  { item, need, profile, touched, taint, isUnannounced }: AuthorizeRequest,
  grants: readonly Grant[],
  isRuled = false,
): ApprovalInput {
  return {
    tool: item.tool,
    risk: need.risk,
    policy: profile.approvals,
    touched,
    isTainted: taint !== null,
    isUnannounced,
    grants,
    isRuled,
  };
}

/** What the person is asked, and which answers are offered. */
function questionOf(
  request: AuthorizeRequest,
  reason: AskReason,
  grants: readonly Grant[],
  { workspace, newId, clock }: Pick<ApprovalsDeps, 'workspace' | 'newId' | 'clock'>,
): Approval {
  const { item, need, editable } = request;
  const { chosen, real } = workspace();
  const grant = need.scopes.includes('session') ? offeredGrant(inputOf(request, grants), reason) : null;
  const rules = rulesFor(request);
  const shown = grant?.folder == null ? '' : visibleText(shownFolder(real, grant.folder));
  return {
    id: newId('ask_'),
    tool: item.tool,
    ...askedOf(need),
    // It reaches into later sessions, whatever it is for the computer.
    ...(reason === 'tainted' && need.risk === 'read' && { risk: 'write' }),
    scopes: grant ? ['once', 'session'] : ['once'],
    ...(grant && { grant: { ...grant, shown } }),
    ...(rules.length > 0 && { rules }),
    why: whyAsked(reason, request),
    where: chosen,
    ...(editable && { editable: { argument: editable.argument, text: editable.text } }),
    requestedAt: clock.now(),
  };
}

/** What was allowed, by what it says now. */
function changed(approval: Approval, { argument, text, call: { subject, need } }: EditedCall) {
  const allowed: Approval = { ...approval, ...askedOf(need), editable: { argument, text } };
  return { argument, text, subject, approval: allowed };
}

function askedOf({ risk, summary, mutates, sandboxed, scopes }: ApprovalNeed) {
  return { risk, summary, mutates, sandboxed, scopes };
}
