import type {
  ApprovalDecision,
  ApprovalMode,
  CommandRule,
  HostScope,
  PlanStep,
  StepStatus,
  TurnPermission,
} from '../../protocol/model.ts';
import { isBusy, latestTurn, queuedTurns, runningTurn } from '../stores/derive.ts';
import { readyFile } from '../stores/draft-files.ts';
import { requestFocus, setCommandDraft, setPlanDraft, setReplyDraft } from '../stores/ui-store.ts';
import { commands as texts, plan as text } from '../text.ts';
import type { Stores } from '../stores/stores.ts';
import { command, inOpenSession, type HostConnection } from './command.ts';
import type { MessageBox } from './message-box.ts';
import type { Message } from './deliver-message.ts';
import type { Sending } from './send-message.ts';
import type { FormValues } from '../../protocol/form-question.ts';
import type { ErrorCode } from '../../protocol/errors.ts';
import { wordsOf, type ErrorWords } from './error-words.ts';

/** Turns: sent, stopped, and begun anew in another version. */
export function createTurnCommands(
  host: HostConnection,
  stores: Stores,
  { send, begin, resume }: Sending,
  box: MessageBox,
) {
  const { session, ui } = stores;
  /** What another version of a turn goes on with. */
  const filesOf = (turnId: string): Pick<Message, 'attachments'> => {
    const turn = session.getState().state?.turns.find(({ id }) => id === turnId);
    return turn?.attachments ? { attachments: turn.attachments } : {};
  };

  return {
    'turn/send': command<{ text: string }>({ run: ({ text }) => send(text) }),
    /** What the window had on its way when it was loaded again. */
    'turn/send-left': command({ run: resume }),
    'turn/stop': command({
      keys: 'Escape',
      // Escape closes what lies over the transcript first, and leads back to it.
      enabled: () => {
        const { sheet, view } = ui.getState();
        return sheet === null && view === 'session' && isBusy(session.getState());
      },
      why: () => texts.why.notRunning,
      run: async () => {
        const { sending, state } = session.getState();
        const sessionId = ui.getState().openSessionId;
        const isOnItsWay = sending?.turnId === null;
        if (isOnItsWay) session.setState({ sending: { ...sending, stopRequested: true } });
        // A message may be on its way behind a turn that runs.
        if (sessionId !== null && (!isOnItsWay || runningTurn(state)))
          await host.call('turn/stop', { sessionId });
      },
    }),
    /** The turn and all after it become an earlier version. */
    'turn/edit': command<{ turnId: string; text: string }>({
      run: inOpenSession(stores, async (sessionId, { turnId, text }) => {
        const message = text.trim();
        if (message === '' && !filesOf(turnId).attachments) return;
        await begin({ text: message, ...filesOf(turnId), replaces: turnId }, () =>
          host.call('turn/edit', { sessionId, turnId, text: message }),
        );
        ui.setState({ editing: null });
        requestFocus(ui, 'composer');
      }),
    }),
    'turn/regenerate': command<{ turnId: string; allow?: TurnPermission[] }>({
      run: inOpenSession(stores, async (sessionId, { turnId, allow }) => {
        const turn = session.getState().state?.turns.find(({ id }) => id === turnId);
        if (!turn) return;
        await begin({ text: turn.text, ...filesOf(turnId), replaces: turnId }, () =>
          host.call('turn/regenerate', { sessionId, turnId, ...(allow && { allow }) }),
        );
        requestFocus(ui, 'composer');
      }),
    }),
    'turn/choose-version': command<{ turnId: string }>({
      run: inOpenSession(stores, async (sessionId, { turnId }) => {
        await host.call('turn/choose-version', { sessionId, turnId });
      }),
    }),
    /** The message of the newest turn, back into the box to be changed. */
    'turn/restore-message': command({
      enabled: () => latestTurn(session.getState().state) !== undefined,
      why: () => texts.why.noMessage,
      run: () => {
        const turn = latestTurn(session.getState().state);
        if (turn)
          box.restore(
            turn.text,
            turn.attachments?.map((attachment) => readyFile(attachment)),
          );
      },
    }),
  };
}

/** Messages that wait for the turn before them. */
export function createQueueCommands(host: HostConnection, stores: Stores) {
  const { session, ui } = stores;

  return {
    'turn/withdraw': command<{ turnId: string }>({
      run: inOpenSession(stores, async (sessionId, { turnId }) => {
        await host.call('turn/stop', { sessionId, turnId });
        // The button that was pressed is gone with its row.
        requestFocus(ui, 'composer');
      }),
    }),
    'turn/edit-queued': command<{ turnId: string; text: string }>({
      run: inOpenSession(stores, (sessionId, change) =>
        host.call('turn/edit-queued', { sessionId, ...change }),
      ),
    }),
    /** Before the message that now stands before it. */
    'turn/move-up': command<{ turnId: string }>({
      run: inOpenSession(stores, async (sessionId, { turnId }) => {
        const queue = queuedTurns(session.getState().state);
        const before = queue[queue.findIndex((turn) => turn.id === turnId) - 1];
        if (before) await host.call('turn/move', { sessionId, turnId, before: before.id });
      }),
    }),
    /** One message that waits for the person. */
    'turn/send-queued': command<{ turnId: string }>({
      run: inOpenSession(stores, async (sessionId, { turnId }) => {
        await host.call('turn/resume', { sessionId, turnId });
        // The button that was pressed is gone with its row.
        requestFocus(ui, 'composer');
      }),
    }),
    /** All messages that wait for the person. */
    'turn/resume': command({
      enabled: () => queuedTurns(session.getState().state).some(({ waitsFor }) => waitsFor === 'person'),
      why: () => texts.why.noMessage,
      run: inOpenSession(stores, async (sessionId) => {
        await host.call('turn/resume', { sessionId });
        requestFocus(ui, 'composer');
      }),
    }),
  };
}

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
      /** The command as the person changed it. */
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

/** The person's hand in the list of steps; the model reads it with its next request. */
export function createPlanCommands(host: HostConnection, { session }: Pick<Stores, 'session'>) {
  const change = async (edit: (steps: PlanStep[]) => PlanStep[]): Promise<void> => {
    const { sessionId, state } = session.getState();
    if (sessionId === null || !state?.todo) return;
    await host.call('todo/update', { sessionId, todo: { steps: edit(state.todo.steps) } });
  };

  return {
    'todo/set-status': command<{ stepId: string; status: StepStatus }>({
      run: ({ stepId, status }) =>
        change((steps) => steps.map((step) => (step.id === stepId ? withStatus(step, status) : step))),
    }),
    /** With the steps that a subagent made of it. */
    'todo/remove': command<{ stepId: string }>({
      run: ({ stepId }) =>
        change((steps) => steps.filter(({ id, parentId }) => id !== stepId && parentId !== stepId)),
    }),
  };
}

/** What was seen stays seen only while the step is done. */
function withStatus(step: PlanStep, status: StepStatus): PlanStep {
  if (status === 'done') return { ...step, status, validation: text.byYou };
  return { ...step, status, validation: null, evidence: null };
}
