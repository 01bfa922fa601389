/** Who may do what, and the questions that are open. Nothing here runs a tool; a tool runs only after an answer (design 8). */
import type { Clock, NewId } from '../../platform/clock.ts';
import { AndironError } from '../../protocol/errors.ts';
import type { Approval, ApprovalDecision } from '../../protocol/model.ts';
import type { AuthorizeRequest, EditableCall, EditedCall, Emit } from '../loop/deps.ts';
import type { Grant } from '../store/journal.ts';
import type { ApprovalNeed } from '../tools/tool.ts';

export interface Approvals {
  authorize(request: AuthorizeRequest, emit: Emit, signal: AbortSignal): Promise<Verdict>;
  /** Rejects with `not_found` when the question is no longer open, and with `invalid_params` for an edit that cannot run. */
  answer(approvalId: string, given: GivenAnswer): Promise<void>;
  waiting(): boolean;
  /** The next call of this tool asks again. False = it already did. */
  revoke(tool: string): boolean;
}

export interface ApprovalsDeps {
  /** The folder in which things would happen. */
  workspace: () => string;
  clock: Clock;
  newId: NewId;
  /** Tools that were allowed for the rest of the session, before a restart. */
  granted: readonly Grant[];
  /** Recorded before the tool runs: no tool ran without a recorded decision. */
  onAnswer: (answer: AnsweredQuestion) => void;
  /** Recorded before it holds. */
  onRevoke: (tool: string) => void;
  /** The session asks, or no longer does. */
  onChange: () => void;
}

/** `edited`: in place of the text that may be written anew; it allows just that, this once. */
export interface GivenAnswer {
  decision: ApprovalDecision;
  scope: 'once' | 'session';
  edited?: string | undefined;
}

type Verdict = ApprovalDecision | EditedCall;

export interface AnsweredQuestion {
  /** As it was allowed: of an edited call what it says now. */
  approval: Approval;
  callId: string;
  decision: ApprovalDecision;
  scope: 'once' | 'session';
}

interface Question {
  approval: Approval;
  editable: EditableCall | null;
  answer: (decision: ApprovalDecision, scope: 'once' | 'session', edited?: EditedCall) => void;
}

export function createApprovals(deps: ApprovalsDeps): Approvals {
  const open = new Map<string, Question>();
  /** Tools that the person allowed for the rest of the session. Never commands: they offer `once` only. */
  const granted = new Map(deps.granted.map(({ tool, risk }) => [tool, risk]));

  const ask = (request: AuthorizeRequest, emit: Emit, signal: AbortSignal): Promise<Verdict> =>
    new Promise((resolve, reject) => {
      const { item, need, editable } = request;
      const approval: Approval = {
        id: deps.newId('ask_'),
        tool: item.tool,
        ...askedOf(need),
        why: reason(request),
        where: deps.workspace(),
        ...(editable && { editable: { argument: editable.argument, text: editable.text } }),
        requestedAt: deps.clock.now(),
      };
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
        answer: (decision, scope, edited) => {
          const change = edited && changed(approval, edited);
          deps.onAnswer({ approval: change?.approval ?? approval, callId: item.callId, decision, scope });
          close();
          emit({
            type: 'approval/resolved',
            itemId: item.id,
            decision,
            ...(change && { edited: change }),
          });
          resolve(edited ?? decision);
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
    async authorize(request, emit, signal) {
      signal.throwIfAborted();
      if (request.need.risk === 'read' && request.profile.approvals === 'auto_read') return 'allow';
      if (granted.has(request.item.tool)) return 'allow';
      return ask(request, emit, signal);
    },
    async answer(approvalId, { decision, scope, edited }) {
      const question = stillOpen(approvalId);
      const { editable } = question;
      if (decision === 'allow' && edited !== undefined && edited !== editable?.text) {
        if (!editable)
          throw new AndironError(
            'invalid_params',
            'This call cannot be changed.',
            'Allow it as it is, or decline it and say what you want instead.',
          );
        const call = await editable.withText(edited);
        // Somebody else may have answered meanwhile, or stopped the turn.
        stillOpen(approvalId).answer('allow', 'once', call);
        return;
      }
      const wide =
        decision === 'allow' && scope === 'session' && question.approval.scopes.includes('session');
      question.answer(decision, wide ? 'session' : 'once');
      // Only now: an answer that could not be recorded allows nothing.
      if (wide) granted.set(question.approval.tool, question.approval.risk);
    },
    waiting: () => open.size > 0,
    revoke(tool) {
      if (!granted.has(tool)) return false;
      deps.onRevoke(tool);
      return granted.delete(tool);
    },
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

function reason({ need, profile }: AuthorizeRequest): string {
  if (need.risk === 'execute') return 'Commands are not sandboxed yet, so every one asks.';
  return profile.approvals === 'ask'
    ? `The profile ${profile.name} asks before every tool.`
    : `The profile ${profile.name} asks before anything is changed.`;
}
