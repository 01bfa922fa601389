/** The application menu: on macOS it carries copy and paste; elsewhere the page has the whole window. */
import { Menu, type MenuItemConstructorOptions } from 'electron';
import { texts } from './texts.ts';

/** @param inspect the inspector, for development only: it reaches around every other guard */
export function setAppMenu(platform: NodeJS.Platform, inspect: boolean): void {
  const view: MenuItemConstructorOptions[] = [
    { role: 'reload' },
    { role: 'resetZoom' },
    { role: 'zoomIn' },
    { role: 'zoomOut' },
    { role: 'togglefullscreen' },
  ];
  if (inspect) view.push({ role: 'toggleDevTools' });
  Menu.setApplicationMenu(
    Menu.buildFromTemplate([
      ...(platform === 'darwin' ? [{ role: 'appMenu' as const }] : []),
      { role: 'editMenu' },
      { label: texts.view, submenu: view },
      { role: 'windowMenu' },
    ]),
  );
}
