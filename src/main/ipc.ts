/** What the page asks of main. Every sender is checked, every argument is untrusted. */
import {
  BrowserWindow,
  dialog,
  ipcMain,
  type IpcMainEvent,
  type IpcMainInvokeEvent,
  type WebContents,
} from 'electron';
import { z } from 'zod';
import {
  channels,
  menuCommands,
  type DesktopSettings,
  type FileOutcome,
  type MenuKeys,
  type Theme,
} from '../protocol/desktop.ts';
import { desktopSettingsChangeSchema, type SettingsChange } from './desktop-settings.ts';
import { languages, type Language } from '../text/languages.ts';
import { updateActions, type UpdateAction } from '../protocol/updates.ts';
import { openExternally } from './guards.ts';
import { popUpMenu } from './menu.ts';
import { fileActionSchema, type FileAction } from './own-files.ts';
import { isPage } from './page-scheme.ts';
import { texts } from './texts.ts';
import { bringToFront } from './window.ts';

const windowActionSchema = z.enum(['minimize', 'toggleMaximize', 'close', 'show']);
const updateActionSchema = z.enum(updateActions);
const themeSchema = z.enum(['system', 'light', 'dark']);
const languageSchema = z.enum(languages);
const placeSchema = z.object({ x: z.number(), y: z.number() });
const menuKeysSchema = z.partialRecord(z.enum(menuCommands), z.string().max(40).nullable());

export interface IpcOptions {
  onPortsRequested: (page: WebContents) => void;
  onFile: (asked: FileAction) => Promise<FileOutcome>;
  onMenuKeys: (keys: MenuKeys) => void;
  onUpdateAction: (action: UpdateAction) => void;
  onTheme: (theme: Theme) => void;
  onLanguage: (language: Language) => void;
  settings: {
    current: () => DesktopSettings;
    /** null = they could not be kept. */
    change: (change: SettingsChange) => DesktopSettings | null;
  };
  /** Someone who is not our page spoke. */
  onRefused: (channel: string, url: string) => void;
}

export function answerPages(options: IpcOptions): void {
  const { onPortsRequested, onFile, onMenuKeys, onUpdateAction, onTheme, onLanguage, settings, onRefused } =
    options;
  const windowOf = (channel: string, event: IpcMainEvent | IpcMainInvokeEvent): BrowserWindow | null => {
    const { senderFrame, sender } = event;
    const window = BrowserWindow.fromWebContents(sender);
    if (window && senderFrame && senderFrame === sender.mainFrame && isPage(senderFrame.url)) return window;
    onRefused(channel, senderFrame?.url ?? '');
    return null;
  };

  ipcMain.handle(channels.chooseFolder, async (event): Promise<string | null> => {
    const window = windowOf(channels.chooseFolder, event);
    if (!window) throw new Error('Refused.');
    const choice = await dialog.showOpenDialog(window, {
      title: texts.chooseFolder,
      properties: ['openDirectory', 'createDirectory'],
    });
    return choice.filePaths[0] ?? null;
  });
  ipcMain.handle(channels.openExternal, async (event, url: unknown): Promise<void> => {
    if (!windowOf(channels.openExternal, event)) throw new Error('Refused.');
    if (!(await openExternally(String(url)))) throw new Error('Only http and https addresses are opened.');
  });
  ipcMain.handle(channels.fileAction, async (event, asked: unknown): Promise<FileOutcome> => {
    if (!windowOf(channels.fileAction, event)) throw new Error('Refused.');
    return onFile(fileActionSchema.parse(asked));
  });
  ipcMain.on(channels.windowAction, (event, asked: unknown) => {
    const window = windowOf(channels.windowAction, event);
    const action = windowActionSchema.safeParse(asked);
    if (window && action.success) act(window, action.data);
  });
  ipcMain.handle(channels.menuPopUp, async (event, place: unknown): Promise<void> => {
    const window = windowOf(channels.menuPopUp, event);
    if (!window) throw new Error('Refused.');
    await popUpMenu(window, placeSchema.parse(place));
  });
  ipcMain.handle(channels.readSettings, (event): DesktopSettings => {
    if (!windowOf(channels.readSettings, event)) throw new Error('Refused.');
    return settings.current();
  });
  ipcMain.handle(channels.changeSettings, (event, asked: unknown): DesktopSettings | null => {
    if (!windowOf(channels.changeSettings, event)) throw new Error('Refused.');
    return settings.change(desktopSettingsChangeSchema.parse(asked));
  });
  ipcMain.on(channels.theme, (event, asked: unknown) => {
    const theme = themeSchema.safeParse(asked);
    if (windowOf(channels.theme, event) && theme.success) onTheme(theme.data);
  });
  ipcMain.on(channels.language, (event, asked: unknown) => {
    const language = languageSchema.safeParse(asked);
    if (windowOf(channels.language, event) && language.success) onLanguage(language.data);
  });
  ipcMain.on(channels.menuKeys, (event, sent: unknown) => {
    const keys = menuKeysSchema.safeParse(sent);
    if (windowOf(channels.menuKeys, event) && keys.success) onMenuKeys(keys.data);
  });
  ipcMain.on(channels.updateAction, (event, asked: unknown) => {
    const action = updateActionSchema.safeParse(asked);
    if (windowOf(channels.updateAction, event) && action.success) onUpdateAction(action.data);
  });
  ipcMain.on(channels.requestPorts, (event) => {
    if (windowOf(channels.requestPorts, event)) onPortsRequested(event.sender);
  });
}

function act(window: BrowserWindow, action: z.infer<typeof windowActionSchema>): void {
  if (action === 'minimize') window.minimize();
  else if (action === 'close') window.close();
  else if (action === 'show') bringToFront(window);
  else if (window.isMaximized()) window.unmaximize();
  else window.maximize();
}
