/** What the window shows where: its columns, its page, what lies over it, and who has the keyboard. */
import type { ColumnWishes, Side } from './columns.ts';
import { flag } from './persisted.ts';
import { isRecord } from './storage.ts';

/** `slow` = the page that says why it is slow. */
export type View = 'session' | 'settings' | 'slow';
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

export type Room = 'wide' | 'folded' | 'narrow';
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
  /** The folder of the message that is written, which was to be sent without one. */
  | 'message-folder';

export type ConnectionsTab = 'servers' | 'skills';

export const layout = {
  kept: {
    leftOpen: flag(true),
    rightOpen: flag(true),
    columns: (stored: unknown): ColumnWishes => ({
      left: widthIn(stored, 'left'),
      right: widthIn(stored, 'right'),
    }),
  },
  fresh: {
    view: 'session' as View,
    /** Where the settings open. */
    settingsSection: 'profiles' as SettingsSection,
    /** Where the page of connections opens. */
    connectionsTab: 'servers' as ConnectionsTab,
    /** The panel above the engine's bar is open. */
    enginePanel: false,
    /** How much room there is: `folded` has no right column, `narrow` only a rail on the left as well. */
    room: 'wide' as Room,
    /** A folded column, opened over the transcript. */
    sheet: null as Side | null,
    /** What lies over the whole window; null = nothing. */
    overlay: null as Overlay | null,
    /** The changes of a turn, one by one, over the window; null = they are not looked at. */
    review: null as Review | null,
    waitingUndos: [] as readonly WaitingUndo[],
    /** Asks one part of the window to take the keyboard; `count` tells two requests apart. */
    focus: { target: 'composer' as FocusTarget, count: 0 },
  },
};

function widthIn(columns: unknown, side: Side): number | null {
  const width = isRecord(columns) ? columns[side] : null;
  return typeof width === 'number' && Number.isFinite(width) ? width : null;
}
