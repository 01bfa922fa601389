import type { TurnPermission } from '../../protocol/model.ts';
import { isBusy, latestTurn } from '../stores/derive.ts';
import { readyFile } from '../stores/draft-files.ts';
import { requestFocus } from '../stores/ui-store.ts';
import { commands as texts } from '../text.ts';
import type { Stores } from '../stores/stores.ts';
import { command, inOpenSession, type HostConnection } from './command.ts';
import type { MessageBox } from './message-box.ts';
import type { Message, Sending } from './send-message.ts';

/** Turns: sent, stopped, and begun anew in another version. */
export function createTurnCommands(
  host: HostConnection,
  stores: Stores,
  { send, begin }: Sending,
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
    'turn/stop': command({
      keys: 'Escape',
      // Escape closes what lies over the transcript first, and leads back to it.
      enabled: () => {
        const { sheet, view } = ui.getState();
        return sheet === null && view === 'session' && isBusy(session.getState());
      },
      why: () => texts.why.notRunning,
      run: async () => {
        const { sending } = session.getState();
        const sessionId = ui.getState().openSessionId;
        if (sending && sending.turnId === null) {
          session.setState({ sending: { ...sending, stopRequested: true } });
        } else if (sessionId !== null) {
          await host.call('turn/stop', { sessionId });
        }
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
