/** What the preload puts on `window.andiron`, and how ports are handed over. Types and names only. */
import type { UpdateAction, UpdateNews } from './updates.ts';

export type { UpdateAction, UpdateNews };

/** Calls a web page cannot make itself; absent in a browser. */
export interface DesktopBridge {
  readonly platform: string;
  /** Folder picker; null = cancelled. */
  chooseFolder(): Promise<string | null>;
  /** Through the one gate for external links: http and https only. */
  openExternal(url: string): Promise<void>;
  /** Only inside the folder of the session or the data folder: paths come from models. */
  files: {
    /** In the file manager, where it lies. */
    show(file: FileRequest): Promise<FileOutcome>;
    /** As the system opens such a file, or a folder. */
    open(file: FileRequest): Promise<FileOutcome>;
  };
  downloads: {
    /** A file that the page saved by a link, once nothing more becomes of it. Returns the way to stop listening. */
    onDone(listener: (ended: DownloadEnd) => void): () => void;
  };
  updates: {
    /** What there is to say at once, and each change. Returns the way to stop listening. */
    onNews(listener: (news: UpdateNews) => void): () => void;
    act(action: UpdateAction): void;
  };
  window: {
    minimize(): void;
    toggleMaximize(): void;
    close(): void;
    /** To the front, also when it is minimised. */
    show(): void;
    /** Once when the page listens, then at every change. Returns the way to stop listening. */
    onFacts(listener: (facts: WindowFacts) => void): () => void;
    /** The system's menus, dialogs and title bar follow the page. */
    showTheme(theme: Theme): void;
    /** Menu, tray and dialogs speak as the page does, where main has that language too. */
    showLanguage(language: string): void;
  };
  settings: {
    read(): Promise<DesktopSettings>;
    /** Resolves with all of them; null = they could not be kept, and are as before. */
    change(change: Partial<DesktopSettings>): Promise<DesktopSettings | null>;
  };
  /** Somebody started Andiron a second time, for something. Returns the way to stop listening. */
  onStart(listener: (request: StartRequest) => void): () => void;
  menu: {
    /** An entry of the application menu was chosen: the id of a command. Returns the way to stop listening. */
    onCommand(listener: (command: string) => void): () => void;
    /** What the menu shows beside its entries, from now on. */
    showKeys(keys: MenuKeys): void;
    /** Opens the native menu there. Resolves when it is closed. */
    popUp(place: MenuPlace): Promise<void>;
  };
}

/** Commands that the application menu runs, by the ids of the page's registry. */
export const menuCommands = [
  'session/new',
  'session/choose-workspace',
  'session/import',
  'session/export-everything',
  'session/rename-title',
  'session/next',
  'session/previous',
  'session/search',
  'current/pin',
  'current/fork',
  'current/export',
  'current/export-markdown',
  'current/copy',
  'current/delete',
  'current/regenerate',
  'turn/stop',
  'engine/lend',
  'engine/take-back',
  'engine/eject',
  'view/find',
  'view/palette',
  'view/shortcuts',
  'view/settings',
  'view/left',
  'view/right',
  'view/engine',
  'view/slow',
  'view/text-larger',
  'view/text-smaller',
  'view/text-normal',
  'view/theme-light',
  'view/theme-dark',
  'view/theme-system',
] as const;
export type MenuCommand = (typeof menuCommands)[number];

/** As the page writes shortcuts ("Mod+Shift+F"); null = none. */
export type MenuKeys = Partial<Record<MenuCommand, string | null>>;

export interface FileRequest {
  /** Whose folder a relative path begins in; null = the data folder. */
  sessionId: string | null;
  path: string;
}

/** `shown` = a file of a kind that the system may not open is shown in its folder instead. */
export type FileOutcome = 'done' | 'shown' | 'outside' | 'missing' | 'failed';

/** `cancelled` = the person closed the save dialog; `interrupted` = the file could not be written. */
export type DownloadOutcome = 'completed' | 'cancelled' | 'interrupted';

export interface DownloadEnd {
  /** The address of the blob, as the page made it. */
  url: string;
  outcome: DownloadOutcome;
}

export type Theme = 'system' | 'light' | 'dark';

export interface WindowFacts {
  maximized: boolean;
  fullScreen: boolean;
  focused: boolean;
}

/** When a running turn keeps the machine from sleeping; `mains` = not on battery power. */
export const keepAwakeChoices = ['always', 'mains', 'never'] as const;
export type KeepAwake = (typeof keepAwakeChoices)[number];

/** What belongs to the shell on this computer, whichever window asks. */
export interface DesktopSettings {
  keepAwake: KeepAwake;
  /** The window is drawn by the GPU. Counts from the next start on. */
  hardwareAcceleration: boolean;
  /** Daily, where this copy can be updated. */
  checkUpdates: boolean;
}

/** `other-engine` = with `--demo` where the running one has none, or the other way round. */
export type StartRequest = { kind: 'workspace'; workspace: string } | { kind: 'other-engine'; demo: boolean };

/** In pixels of the page, from its upper left corner. */
export interface MenuPlace {
  x: number;
  y: number;
}

/** Which process a port leads to. */
export type PortName = 'host' | 'engine';

/** `window.postMessage` data that carries a MessagePort into the page (a port cannot cross contextBridge). */
export interface PortMessage {
  type: 'andiron:port';
  name: PortName;
}

/** IPC channels between preload and main. */
export const channels = {
  chooseFolder: 'desktop:choose-folder',
  openExternal: 'desktop:open-external',
  fileAction: 'desktop:file-action',
  /** Main → page: what became of a file that the page saved. */
  downloadDone: 'desktop:download-done',
  windowAction: 'desktop:window-action',
  /** Main → page: how its window is. */
  windowFacts: 'desktop:window-facts',
  /** Page → main: the theme that the person chose. */
  theme: 'desktop:theme',
  /** Page → main: the language in which the page speaks now. */
  language: 'desktop:language',
  readSettings: 'desktop:read-settings',
  changeSettings: 'desktop:change-settings',
  /** Main → page: what a second start was for. */
  start: 'desktop:start',
  /** Main → page: a chosen entry of the menu. */
  menuCommand: 'desktop:menu-command',
  /** Page → main: which keys the menu shows. */
  menuKeys: 'desktop:menu-keys',
  /** Page → main: opens the menu; answered when it is closed. */
  menuPopUp: 'desktop:menu-pop-up',
  /** Main → page: what is to be said of updates. */
  updateNews: 'desktop:update-news',
  /** Page → main: look, restart, or the note was read. */
  updateAction: 'desktop:update-action',
  /** Page → main: asks for fresh ports (first load, reload, after a lost host). */
  requestPorts: 'desktop:request-ports',
  /** Main → page: carries one port. */
  port: 'desktop:port',
} as const;
