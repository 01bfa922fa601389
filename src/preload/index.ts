/** The page's only bridge: desktop calls and port hand-over, nothing else. Built as one CommonJS file. */
import { contextBridge, ipcRenderer } from 'electron';
import {
  channels,
  type DesktopBridge,
  type DesktopSettings,
  type DownloadEnd,
  type FileOutcome,
  type FileRequest,
  type UpdateNews,
  type StartRequest,
  type WindowFacts,
} from '../protocol/desktop.ts';

const onFile = (action: 'show' | 'open', file: FileRequest): Promise<FileOutcome> =>
  ipcRenderer.invoke(channels.fileAction, { action, ...file }) as Promise<FileOutcome>;

interface ChannelMessages {
  [channels.downloadDone]: DownloadEnd;
  [channels.menuCommand]: string;
  [channels.updateNews]: UpdateNews;
  [channels.windowFacts]: WindowFacts;
  [channels.start]: StartRequest;
}

/** Returns the way to stop listening. Main is trusted, so what it sends is what its channel says. */
function listen<C extends keyof ChannelMessages>(
  channel: C,
  listener: (message: ChannelMessages[C]) => void,
): () => void {
  const notify = (_event: unknown, message: ChannelMessages[C]): void => listener(message);
  ipcRenderer.on(channel, notify);
  return () => void ipcRenderer.off(channel, notify);
}

const bridge: DesktopBridge = {
  platform: process.platform,
  chooseFolder: () => ipcRenderer.invoke(channels.chooseFolder) as Promise<string | null>,
  openExternal: (url) => ipcRenderer.invoke(channels.openExternal, url) as Promise<void>,
  files: {
    show: (file) => onFile('show', file),
    open: (file) => onFile('open', file),
  },
  downloads: {
    onDone: (listener) => listen(channels.downloadDone, listener),
  },
  updates: {
    onNews: (listener) => listen(channels.updateNews, listener),
    act: (action) => ipcRenderer.send(channels.updateAction, action),
  },
  window: {
    minimize: () => ipcRenderer.send(channels.windowAction, 'minimize'),
    toggleMaximize: () => ipcRenderer.send(channels.windowAction, 'toggleMaximize'),
    close: () => ipcRenderer.send(channels.windowAction, 'close'),
    show: () => ipcRenderer.send(channels.windowAction, 'show'),
    onFacts: (listener) => listen(channels.windowFacts, listener),
    showTheme: (theme) => ipcRenderer.send(channels.theme, theme),
    showLanguage: (language) => ipcRenderer.send(channels.language, language),
  },
  settings: {
    read: () => ipcRenderer.invoke(channels.readSettings) as Promise<DesktopSettings>,
    change: (change) =>
      ipcRenderer.invoke(channels.changeSettings, change) as Promise<DesktopSettings | null>,
  },
  onStart: (listener) => listen(channels.start, listener),
  menu: {
    onCommand: (listener) => listen(channels.menuCommand, listener),
    showKeys: (keys) => ipcRenderer.send(channels.menuKeys, keys),
    popUp: (place) => ipcRenderer.invoke(channels.menuPopUp, place) as Promise<void>,
  },
};
contextBridge.exposeInMainWorld('andiron', bridge);

// A port cannot cross the bridge; a message to the page's own window can carry it.
ipcRenderer.on(channels.port, (event, message) => {
  window.postMessage(message, window.location.origin, [...event.ports]);
});
// The page's scripts have run by then, so someone listens.
window.addEventListener('DOMContentLoaded', () => ipcRenderer.send(channels.requestPorts));
