import type { ApprovalDecision } from '../../protocol/model.ts';
import { isBusy, latestTurn, queuedTurns } from '../stores/derive.ts';
import { stillSending } from '../stores/session-store.ts';
import { draftKey, newSessionKey, requestFocus, setDraft } from '../stores/ui-store.ts';
import { command, type Services } from './command.ts';

/** Turns: send, stop, queue, approve, go on. */
export function createTurnCommands({ host, stores, now }: Services) {
  const { session, ui } = stores;
  const openSessionId = (): string | null => ui.getState().openSessionId;

  /** The session of the first message is made with what was chosen for it. */
  const ensureSession = async (): Promise<string> => {
    const open = openSessionId();
    if (open !== null) return open;
    const { model, ...choice } = ui.getState().newSession;
    const created = await host.call('session/create', choice);
    const sessionId = created.session.id;
    if (model) await host.call('session/update', { sessionId, model });
    // What was written while the session was made goes on in it.
    setDraft(ui, sessionId, ui.getState().drafts[newSessionKey] ?? '');
    setDraft(ui, newSessionKey, '');
    ui.setState({ openSessionId: sessionId, newSession: {} });
    return sessionId;
  };

  const send = async (text: string): Promise<void> => {
    const message = text.trim();
    if (message === '' || session.getState().sending) return;
    setDraft(ui, draftKey(openSessionId()), '');
    try {
      await begin(message, async () => {
        const sessionId = await ensureSession();
        return await host.call('turn/start', { sessionId, text: message });
      });
    } catch (error) {
      putBack(text);
      throw error;
    }
  };

  /** Shown as on its way from the first moment, so that Stop is there before the host has answered. */
  const begin = async (message: string, start: () => Promise<{ turnId: string }>): Promise<void> => {
    session.setState({ sending: { text: message, since: now(), turnId: null, stopRequested: false } });
    try {
      const { turnId } = await start();
      const sessionId = openSessionId();
      if (sessionId !== null && session.getState().sending?.stopRequested) {
        await host.call('turn/stop', { sessionId, turnId });
      }
      session.setState(({ sending, state }) => {
        const sent = sending && { ...sending, turnId };
        return { sending: state ? stillSending(sent, state) : sent };
      });
    } catch (error) {
      session.setState({ sending: null });
      throw error;
    }
  };

  /** Nothing is lost: it stands before what was written meanwhile. */
  const putBack = (text: string): void => {
    const key = draftKey(openSessionId());
    const written = ui.getState().drafts[key];
    setDraft(ui, key, written ? `${text}\n\n${written}` : text);
    requestFocus(ui, 'composer');
  };

  const withdraw = async (turnId: string): Promise<void> => {
    const sessionId = openSessionId();
    if (sessionId !== null) await host.call('turn/stop', { sessionId, turnId });
  };

  return {
    'turn/send': command<{ text: string }>({ run: ({ text }) => send(text) }),
    'turn/stop': command({
      keys: 'Escape',
      // Escape closes what lies over the transcript first, and leads back to it.
      enabled: () => {
        const { sheet, view } = ui.getState();
        return sheet === null && view === 'session' && isBusy(session.getState());
      },
      run: async () => {
        const { sending } = session.getState();
        const sessionId = openSessionId();
        if (sending && sending.turnId === null) {
          session.setState({ sending: { ...sending, stopRequested: true } });
        } else if (sessionId !== null) {
          await host.call('turn/stop', { sessionId });
        }
      },
    }),
    'turn/withdraw': command<{ turnId: string }>({
      run: async ({ turnId }) => {
        await withdraw(turnId);
        // The button that was pressed is gone with its row.
        requestFocus(ui, 'composer');
      },
    }),
    'turn/edit-queued': command<{ turnId: string; text: string }>({
      run: async (change) => {
        const sessionId = openSessionId();
        if (sessionId !== null) await host.call('turn/edit-queued', { sessionId, ...change });
      },
    }),
    /** Before the message that now stands before it. */
    'turn/move-up': command<{ turnId: string }>({
      run: async ({ turnId }) => {
        const sessionId = openSessionId();
        const queue = queuedTurns(session.getState().state);
        const before = queue[queue.findIndex((turn) => turn.id === turnId) - 1];
        if (sessionId !== null && before) {
          await host.call('turn/move', { sessionId, turnId, before: before.id });
        }
      },
    }),
    /** Starts a queue that was left over when Andiron ended. */
    'turn/resume': command({
      run: async () => {
        const sessionId = openSessionId();
        if (sessionId === null) return;
        await host.call('turn/resume', { sessionId });
        requestFocus(ui, 'composer');
      },
    }),
    /** The turn and all after it become an earlier version. */
    'turn/edit': command<{ turnId: string; text: string }>({
      run: async ({ turnId, text }) => {
        const sessionId = openSessionId();
        const message = text.trim();
        if (sessionId === null || message === '') return;
        await begin(message, () => host.call('turn/edit', { sessionId, turnId, text: message }));
        ui.setState({ editing: null });
        requestFocus(ui, 'composer');
      },
    }),
    'turn/regenerate': command<{ turnId: string }>({
      run: async ({ turnId }) => {
        const sessionId = openSessionId();
        const turn = session.getState().state?.turns.find(({ id }) => id === turnId);
        if (sessionId === null || !turn) return;
        await begin(turn.text, () => host.call('turn/regenerate', { sessionId, turnId }));
        requestFocus(ui, 'composer');
      },
    }),
    /** The message of the newest turn, back into the box to be changed. */
    'turn/restore-message': command({
      run: () => {
        const turn = latestTurn(session.getState().state);
        if (turn) putBack(turn.text);
      },
    }),
    'approval/answer': command<{
      approvalId: string;
      decision: ApprovalDecision;
      scope: 'once' | 'session';
    }>({
      run: async (answer) => {
        const sessionId = openSessionId();
        if (sessionId === null) return;
        await host.call('approval/answer', { sessionId, ...answer });
        requestFocus(ui, 'composer');
      },
    }),
    /** One subagent; the turn goes on. */
    'agent/stop': command<{ callId: string }>({
      run: async ({ callId }) => {
        const sessionId = openSessionId();
        if (sessionId !== null) await host.call('agent/stop', { sessionId, callId });
      },
    }),
    'approval/focus': command({ keys: 'Alt+A', run: () => requestFocus(ui, 'approval') }),
  };
}
