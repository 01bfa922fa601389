/** What the window shows where: its columns, its page, what lies over it, and who has the keyboard. */
import type { ColumnWish } from './columns.ts';
import { flag } from './persisted.ts';
import { isRecord } from './storage.ts';

/** `engine` = the engine room; `slow` = the page that says why it is slow. */
export type View = 'session' | 'settings' | 'engine' | 'slow';
export type SettingsSection =
  | 'profiles'
  | 'models'
  | 'engine'
  | 'approvals'
  | 'appearance'
  | 'notifications'
  | 'memory'
  | 'desktop'
  | 'storage'
  | 'people'
  | 'bindings'
  | 'connections'
  | 'collections'
  | 'ways'
  | 'usage'
  | 'schedule'
  | 'shortcuts'
  | 'about';

/** Everything by its name, every shortcut, or the application menu. */
export type Overlay = 'palette' | 'shortcuts' | 'menu';

/** Files that a turn changed, in the order in which they are looked at. */
export interface Review {
  turnId: string;
  paths: readonly string[];
}

/** The way back from a turn's changes, asked for while another turn of its session runs. */
export interface WaitingUndo {
  sessionId: string;
  turnId: string;
}

export type Room = 'wide' | 'narrow';
/** What lies over an edge of the transcript: the sessions, or the files that were changed. */
export type Sheet = 'left' | 'right';
export type FocusTarget =
  | 'composer'
  | 'search'
  | 'find'
  | 'approval'
  | 'transcript'
  | 'notices'
  | 'title'
  | 'settings-search'
  | 'folder'
  /** The address of another model server. */
  | 'server'
  /** The folder of the message that is written, which was to be sent without one. */
  | 'message-folder';

export type ConnectionsTab = 'servers' | 'skills';

export const layout = {
  kept: {
    leftOpen: flag(true),
    columns: (stored: unknown): ColumnWish => ({ left: widthIn(stored) }),
  },
  fresh: {
    view: 'session' as View,
    /** Where the settings open. */
    settingsSection: 'profiles' as SettingsSection,
    /** Where the page of connections opens. */
    connectionsTab: 'servers' as ConnectionsTab,
    /** How much room there is: `narrow` has only a rail of the sessions. */
    room: 'wide' as Room,
    sheet: null as Sheet | null,
    /** What lies over the whole window; null = nothing. */
    overlay: null as Overlay | null,
    /** The changes of a turn, one by one, over the window; null = they are not looked at. */
    review: null as Review | null,
    waitingUndos: [] as readonly WaitingUndo[],
    /** Asks one part of the window to take the keyboard; `count` tells two requests apart. */
    focus: { target: 'composer' as FocusTarget, count: 0 },
  },
};

function widthIn(columns: unknown): number | null {
  const width = isRecord(columns) ? columns['left'] : null;
  return typeof width === 'number' && Number.isFinite(width) ? width : null;
}
