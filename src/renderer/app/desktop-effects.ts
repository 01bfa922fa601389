/** What the page and the desktop around it tell one another, beside the menu. */
import type { DesktopBridge } from '../../protocol/desktop.ts';
import type { RunCommand } from '../commands/commands.ts';
import { addNotice, type UiStore } from '../stores/ui-store.ts';
import { shell } from '../text.ts';

/** The system's menus, dialogs and buttons are light or dark as the page is. */
export function reportTheme(desktop: DesktopBridge, ui: UiStore): void {
  desktop.window.showTheme(ui.getState().theme);
  ui.subscribe((now, before) => {
    if (now.theme !== before.theme) desktop.window.showTheme(now.theme);
  });
}

export function followUpdates({ updates }: Pick<DesktopBridge, 'updates'>, ui: UiStore): void {
  updates.onNews((news) => ui.setState({ updates: news }));
}

/** Somebody started Andiron a second time: with a folder, it is where the next session works. */
export function followStarts(desktop: DesktopBridge, ui: UiStore, run: RunCommand): void {
  desktop.onStart((request) => {
    if (request.kind === 'workspace') void run('session/new-in', { workspace: request.workspace });
    else {
      const { message, advice } = request.demo ? shell.demoAsked : shell.ownEngineAsked;
      addNotice(ui, message, advice);
    }
  });
}
