/** The desktop around a scene: it is there, and does nothing. */
import type { DesktopBridge } from '../../protocol/desktop.ts';

export const quietDesktop = (platform: string): DesktopBridge => ({
  platform,
  chooseFolder: () => Promise.resolve(null),
  openExternal: () => Promise.resolve(),
  files: { show: () => Promise.resolve('done'), open: () => Promise.resolve('done') },
  downloads: { onDone: () => () => undefined },
  updates: { onNews: () => () => undefined, act: () => undefined },
  window: {
    minimize: () => undefined,
    toggleMaximize: () => undefined,
    show: () => undefined,
    close: () => undefined,
    onFacts: () => () => undefined,
    showTheme: () => undefined,
    showLanguage: () => undefined,
  },
  settings: {
    read: () => Promise.resolve({ keepAwake: 'mains', hardwareAcceleration: true, checkUpdates: true }),
    change: () => Promise.resolve(null),
  },
  onStart: () => () => undefined,
  menu: {
    onCommand: () => () => undefined,
    showKeys: () => undefined,
    popUp: () => new Promise(() => undefined),
  },
});
