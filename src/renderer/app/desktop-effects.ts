/** What the page and the desktop around it tell one another, beside the menu. */
import type { Services } from '../commands/command.ts';
import type { Commands } from '../commands/commands.ts';
import { addNotice } from '../stores/ui-store.ts';
import { shell } from '../text.ts';

/** The system's menus, dialogs and buttons are light or dark as the page is. */
export function reportTheme({ desktop, stores: { ui } }: Services): void {
  if (!desktop) return;
  desktop.window.showTheme(ui.getState().theme);
  ui.subscribe((now, before) => {
    if (now.theme !== before.theme) desktop.window.showTheme(now.theme);
  });
}

/** Somebody started Andiron a second time: with a folder, it is where the next session works. */
export function followStarts({ desktop, stores: { ui } }: Services, { run }: Commands): void {
  desktop?.onStart((request) => {
    if (request.kind === 'workspace') void run('session/new-in', { workspace: request.workspace });
    else {
      const { message, advice } = request.demo ? shell.demoAsked : shell.ownEngineAsked;
      addNotice(ui, message, advice);
    }
  });
}
