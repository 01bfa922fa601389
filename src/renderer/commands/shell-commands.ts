import { requestFocus, type UiStore } from '../stores/ui-store.ts';
import { command } from './command.ts';
import type { KeysStore } from '../stores/keys-store.ts';
import type { KeyChanges } from './shortcuts.ts';

/** The frame of the window: how wide the list of sessions is, and its notices. */
export function createShellCommands(ui: UiStore) {
  return {
    /** null = as drawn. */
    'view/column-width': command<{ width: number | null }>({
      run: ({ width }) => ui.setState({ columns: { left: width } }),
    }),
    /** Opens an item of the open session where it stands in the transcript. */
    'transcript/show-item': command<{ itemId: string }>({
      run: ({ itemId }) =>
        ui.setState(({ openSessionId, expanded }) => ({
          jump: openSessionId === null ? null : { sessionId: openSessionId, itemId },
          sought: null,
          expanded: { ...expanded, [itemId]: true },
          sheet: null,
        })),
    }),
    'session/rename-title': command({
      keys: 'F2',
      enabled: () => ui.getState().openSessionId !== null && ui.getState().view === 'session',
      run: () => requestFocus(ui, 'title'),
    }),
    /** The window that is served now; drafts and turns go on. */
    'view/reload': command({ run: () => window.location.reload() }),
    'notice/focus': command({
      keys: 'F8',
      enabled: () => ui.getState().notices.length > 0,
      run: () => requestFocus(ui, 'notices'),
    }),
  };
}

/** Which keys run what: the person's choice. */
export function createKeyCommands(keys: KeysStore) {
  return {
    'shortcut/change': command<{ changes: KeyChanges }>({
      run: ({ changes }) =>
        keys.setState(({ rebound }) => ({
          rebound: Object.fromEntries(
            Object.entries({ ...rebound, ...changes }).filter(
              (entry): entry is [string, string | null] => entry[1] !== undefined,
            ),
          ),
        })),
    }),
  };
}
