/** What the preload puts on `window.andiron`, and how ports are handed over. Types and names only. */

/** Calls a web page cannot make itself; absent in a browser. */
export interface DesktopBridge {
  readonly platform: string;
  /** Folder picker; null = cancelled. */
  chooseFolder(): Promise<string | null>;
  /** Through the one gate for external links: http and https only. */
  openExternal(url: string): Promise<void>;
  window: {
    minimize(): void;
    toggleMaximize(): void;
    close(): void;
  };
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
  windowAction: 'desktop:window-action',
  /** Page → main: asks for fresh ports (first load, reload, after a lost host). */
  requestPorts: 'desktop:request-ports',
  /** Main → page: carries one port. */
  port: 'desktop:port',
} as const;
