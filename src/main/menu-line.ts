/** From an entry of the application menu to the page that runs its command, and the page's keys back into the menu. */
import { BrowserWindow, type WebContents } from 'electron';
import { documentationUrl } from '../protocol/app-menu.ts';
import { channels, type MenuCommand, type MenuKeys } from '../protocol/desktop.ts';
import { openExternally } from './guards.ts';
import { setAppMenu } from './menu.ts';

export interface MenuLineOptions {
  platform: NodeJS.Platform;
  development: boolean;
  /** On a Mac the app outlives its last window, and its menu with it. */
  openWindow: () => void;
  /** null = `andiron` is in a terminal's reach already. */
  installCommand: (() => void) | null;
}

export function createMenuLine({ platform, development, openWindow, installCommand }: MenuLineOptions) {
  let keys: MenuKeys = {};
  let waiting: MenuCommand | null = null;

  const run = (command: MenuCommand): void => {
    const window = BrowserWindow.getFocusedWindow() ?? BrowserWindow.getAllWindows()[0];
    if (window) window.webContents.send(channels.menuCommand, command);
    else {
      waiting = command;
      openWindow();
    }
  };
  const show = (): void =>
    setAppMenu({
      platform,
      development,
      keys,
      run,
      openDocumentation: () => void openExternally(documentationUrl),
      installCommand,
    });

  show();
  return {
    /** Its words have changed. */
    show,
    showKeys(next: MenuKeys): void {
      keys = next;
      show();
    },
    /** The page listens: what was chosen while there was none is run now. */
    pageReady(page: WebContents): void {
      if (waiting === null) return;
      page.send(channels.menuCommand, waiting);
      waiting = null;
    },
  };
}
