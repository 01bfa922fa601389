/** The settings of notifications of the desktop. */
import type { NoteKind } from '../stores/note-kinds.ts';
import type { QuietHours } from '../stores/quiet-hours.ts';
import type { UiStore } from '../stores/ui-store.ts';
import { command } from './command.ts';
import type { Notifier } from './notifier.ts';

export function createNotificationCommands(ui: UiStore, notifier: Notifier | null) {
  return {
    /** Turned on, it first asks for what the page may not do yet. */
    'view/set-notifications': command<{ on: boolean }>({
      run: async ({ on }) => {
        const permission = on ? await notifier?.request() : notifier?.permission();
        ui.setState({ notifies: on, mayNotify: permission ?? null, notesOffered: true });
      },
    }),
    'view/mute-notes': command<{ kind: NoteKind; muted: boolean }>({
      run: ({ kind, muted }) =>
        ui.setState(({ mutedNotes }) => ({
          mutedNotes: [...mutedNotes.filter((each) => each !== kind), ...(muted ? [kind] : [])],
        })),
    }),
    'view/set-quiet-hours': command<Partial<QuietHours>>({
      run: (changes) => ui.setState(({ quietHours }) => ({ quietHours: { ...quietHours, ...changes } })),
    }),
  };
}
