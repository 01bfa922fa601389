/** The questions that are open now: told to the windows, answered once, withdrawn when their call ends. */
import type { FormValues } from '../../protocol/form-question.ts';
import type { Clock, Timer } from '../../platform/clock.ts';
import { AndironError } from '../../protocol/errors.ts';
import type { Approval, ApprovalDecision, ToolDisplay, ToolItem } from '../../protocol/model.ts';
import type { EditableCall, EditedCall, Emit } from '../loop/deps.ts';
import type { AnsweredApproval } from '../store/journal.ts';
import { askedOf } from './weigh-call.ts';

/** A call that was written anew, words that came with a no, a no because nobody answered, or what belongs to a form. */
export interface AnswerMore {
  values?: FormValues | undefined;
  isCancelled?: boolean | undefined;
  edited?: EditedCall;
  reply?: string;
  timedOut?: true;
}

interface Answered extends AnswerMore {
  decision: ApprovalDecision;
}

interface AskedItem {
  item: ToolItem;
  editable: EditableCall | null;
  preview: ToolDisplay | null;
}

interface Question {
  approval: Approval;
  editable: EditableCall | null;
  answer: (decision: ApprovalDecision, scope: 'once' | 'session', more?: AnswerMore) => void;
}

export interface OpenQuestionsDeps {
  clock: Clock;
  /** Recorded before the tool runs: no tool ran without a recorded decision. */
  onAnswer: (answer: Omit<AnsweredApproval, 'at'>) => void;
  /** Something is asked, or no longer. */
  onChange: () => void;
}

export function createOpenQuestions(deps: OpenQuestionsDeps) {
  const open = new Map<string, Question>();

  const ask = (
    { item, editable, preview }: AskedItem,
    approval: Approval,
    { emit, signal, maxWaitMs }: { emit: Emit; signal: AbortSignal; maxWaitMs: number | null },
  ): Promise<Answered> =>
    new Promise((resolve, reject) => {
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
        answer: (decision, scope, more = {}) => {
          const { edited, reply, timedOut } = more;
          const change = edited && changed(approval, edited);
          deps.onAnswer({ approval: change?.approval ?? approval, callId: item.callId, decision, scope });
          close();
          emit({
            type: 'approval/resolved',
            itemId: item.id,
            decision,
            ...(change && { edited: change }),
            ...(reply !== undefined && { reply }),
            ...(timedOut && { timedOut }),
          });
          resolve({ decision, ...more });
        },
      });
      const onLate = (): void => open.get(approval.id)?.answer('deny', 'once', { timedOut: true });
      const late: Timer | null = maxWaitMs === null ? null : deps.clock.after(maxWaitMs, onLate);
      emit({ type: 'turn/phase', phase: 'approval' });
      emit({ type: 'approval/requested', itemId: item.id, approval, preview });
      deps.onChange();
    });

  const stillOpen = (approvalId: string): Question => {
    const question = open.get(approvalId);
    if (!question) throw noLongerOpen();
    return question;
  };

  return { ask, stillOpen, waiting: (): boolean => open.size > 0 };
}

const noLongerOpen = (): AndironError =>
  new AndironError(
    'not_found',
    'This question is no longer open.',
    'Look at the call: it was answered elsewhere, or its turn has ended.',
  );

/** What was allowed, by what it says now. */
function changed(approval: Approval, { argument, text, call: { subject, need } }: EditedCall) {
  const allowed: Approval = { ...approval, ...askedOf(need), editable: { argument, text } };
  return { argument, text, subject, approval: allowed };
}
