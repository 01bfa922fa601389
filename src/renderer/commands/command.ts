/** A named thing a person can do. Buttons, keyboard and palette all run the same commands. */
import type { Connection } from '../connection/connection.ts';
import type { DesktopBridge } from '../../protocol/desktop.ts';
import type { WindowEngineMethods } from '../connection/engine-methods.ts';
import type { HostMethods } from '../../protocol/host-methods.ts';
import type { PageFiles } from './page-files.ts';
import type { Stores } from '../stores/stores.ts';

/** What commands work with. */
export interface Services {
  host: Connection<HostMethods>;
  engine: Connection<WindowEngineMethods>;
  stores: Stores;
  /** Absent in a browser. */
  desktop: DesktopBridge | null;
  files: PageFiles;
  now: () => number;
}

/** `Mod` is Ctrl, on a Mac Command. A browser keeps some combinations for itself, so it may have its own. */
export interface Shortcut {
  desktop: string;
  web: string;
}

export interface Command<P> {
  shortcut: Shortcut | null;
  /** False when it would do nothing now; its keys then keep their usual meaning. */
  enabled: () => boolean;
  run: (params: P) => void | Promise<void>;
}

interface CommandOptions<P> {
  keys?: string | Shortcut;
  enabled?: () => boolean;
  run: (params: P) => void | Promise<void>;
}

export function command<P = void>({ keys, enabled, run }: CommandOptions<P>): Command<P> {
  const shortcut = typeof keys === 'string' ? { desktop: keys, web: keys } : (keys ?? null);
  return { shortcut, enabled: enabled ?? (() => true), run };
}
