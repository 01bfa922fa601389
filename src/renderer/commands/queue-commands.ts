import { queuedTurns } from '../stores/derive.ts';
import { requestFocus } from '../stores/ui-store.ts';
import { commands as texts } from '../text.ts';
import type { Stores } from '../stores/stores.ts';
import { command, inOpenSession, type HostConnection } from './command.ts';

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
