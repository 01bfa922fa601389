/** A named thing a person can do. Buttons, keyboard and palette all run the same commands. */
import type { Connection } from '../connection/connection.ts';
import type { DesktopBridge } from '../../protocol/desktop.ts';
import type { WindowEngineMethods } from '../connection/engine-methods.ts';
import type { HostMethods } from '../../protocol/host-methods.ts';
import type { Notifier } from './notifier.ts';
import type { PageFiles } from './page-files.ts';
import type { Outbox } from '../stores/outbox.ts';
import type { Stores } from '../stores/stores.ts';

export type HostConnection = Connection<HostMethods>;
export type EngineConnection = Connection<WindowEngineMethods>;

/** Of a window, made once; whoever uses some of them takes those. */
export interface Services {
  host: HostConnection;
  engine: EngineConnection;
  stores: Stores;
  /** Absent in a browser. */
  desktop: DesktopBridge | null;
  /** Ends the sessions of every browser; null = this window needs no sign-in. */
  signOut: (() => Promise<void>) | null;
  files: PageFiles;
  /** Null = this window shows no notifications of the desktop. */
  notifier: Notifier | null;
  outbox: Outbox;
  /** Of a turn that this window asks for. */
  newTurnId: () => string;
  now: () => number;
}

/**
 * `Mod` is Ctrl, on a Mac Command. A browser keeps some combinations for itself, so it may have its own; null = none
 * there.
 */
export interface Shortcut {
  desktop: string | null;
  web: string | null;
}

export interface Command<P> {
  /** What it comes with; the person may have chosen other keys (`Commands.shortcuts`). */
  shortcut: Shortcut | null;
  /** Second keys, which cannot be changed. */
  also: Shortcut | null;
  /** False when it would do nothing now; its keys then keep their usual meaning. */
  enabled: () => boolean;
  /** In words, for a person who looks for it while it is not enabled. */
  why: string | null;
  run: (params: P) => void | Promise<unknown>;
}

interface CommandOptions<P> {
  keys?: string | Shortcut;
  also?: string | Shortcut;
  enabled?: () => boolean;
  /** Read when it is asked for: a window changes its language, and its commands stay. */
  why?: () => string;
  run: (params: P) => void | Promise<unknown>;
}

export function command<P = void>({ keys, also, enabled, why, run }: CommandOptions<P>): Command<P> {
  return {
    shortcut: everywhere(keys),
    also: everywhere(also),
    enabled: enabled ?? (() => true),
    get why() {
      return why?.() ?? null;
    },
    run,
  };
}

/** Runs only where a session is open. */
export function inOpenSession<P = void>(
  { ui }: Pick<Stores, 'ui'>,
  run: (sessionId: string, params: P) => void | Promise<unknown>,
): (params: P) => Promise<void> {
  return async (params) => {
    const { openSessionId } = ui.getState();
    if (openSessionId !== null) await run(openSessionId, params);
  };
}

function everywhere(keys: string | Shortcut | undefined): Shortcut | null {
  return typeof keys === 'string' ? { desktop: keys, web: keys } : (keys ?? null);
}
