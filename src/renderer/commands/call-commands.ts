import type { FormValues } from '../../protocol/form-question.ts';
import type { ErrorCode } from '../../protocol/errors.ts';
import type { ApprovalDecision, ApprovalMode, CommandRule, HostScope } from '../../protocol/model.ts';
import { requestFocus, setCommandDraft, setPlanDraft, setReplyDraft } from '../stores/ui-store.ts';
import { commands as texts } from '../text.ts';
import type { Stores } from '../stores/stores.ts';
import { command, inOpenSession, type HostConnection } from './command.ts';
import { wordsOf, type ErrorWords } from './error-words.ts';

const refused: ErrorCode = 'invalid_params';
/** What was sent can be put right by the one who wrote it. */
const isRefused = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === refused;

/** What a turn calls: answered where it asks, and stopped while the turn goes on. */
export function createCallCommands(host: HostConnection, stores: Stores) {
  const { session, ui } = stores;

  return {
    'approval/answer': command<{
      approvalId: string;
      decision: ApprovalDecision;
      scope: 'once' | 'session';
      /** The command as the person wrote it anew. */
      edited?: string;
      /** With a yes: such commands no longer ask in this folder. */
      rule?: CommandRule;
      /** With a yes to a host: for how long. */
      hostScope?: HostScope;
      /** With a no: why, or what to do instead. */
      reply?: string;
      /** With a yes to the form of a server. */
      values?: FormValues;
      /** With a no to it: put away, and not declined. */
      isCancelled?: true;
      /** Hears why that cannot run, instead of a notice: the question stands as it was. */
      onRefused?: (why: ErrorWords) => void;
    }>({
      run: inOpenSession(stores, async (sessionId, { onRefused, ...answer }) => {
        try {
          await host.call('approval/answer', { sessionId, ...answer });
        } catch (error) {
          if (!onRefused || answer.edited === undefined || !isRefused(error)) throw error;
          onRefused(wordsOf(error));
          return;
        }
        setCommandDraft(ui, answer.approvalId, null);
        setReplyDraft(ui, answer.approvalId, '');
        requestFocus(ui, 'composer');
      }),
    }),
    /** What a session that only plans came to, as the person left it, in the mode that they chose. */
    'plan/approve': command<{
      itemId: string;
      steps: { id: string | null; text: string }[];
      approvals: Exclude<ApprovalMode, 'plan_only'>;
    }>({
      run: inOpenSession(stores, async (sessionId, plan) => {
        await host.call('session/approve-plan', { sessionId, ...plan });
        setPlanDraft(ui, plan.itemId, null);
        requestFocus(ui, 'composer');
      }),
    }),
    /** One subagent; the turn goes on. */
    'agent/stop': command<{ callId: string }>({
      run: inOpenSession(stores, (sessionId, { callId }) => host.call('agent/stop', { sessionId, callId })),
    }),
    /** One call, such as a command that runs; the turn goes on. */
    'call/stop': command<{ callId: string }>({
      run: inOpenSession(stores, (sessionId, { callId }) => host.call('call/stop', { sessionId, callId })),
    }),
    'approval/focus': command({
      keys: 'Alt+A',
      enabled: () => session.getState().state?.session.status === 'asking',
      why: () => texts.why.noQuestion,
      run: () => {
        // It stands among the newest items, which are not shown while older ones are read.
        session.setState(({ past }) => (past?.hasNewer ? { past: null } : {}));
        requestFocus(ui, 'approval');
      },
    }),
  };
}
