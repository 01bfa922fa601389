/** What the window says beside the sessions: of things that went wrong, of its own versions, of the first start. */
import type { UpdateNews } from '../../protocol/updates.ts';
import { readFirstRun } from './first-run-memory.ts';
import { noteKinds, type NoteKind } from './note-kinds.ts';
import { flag, texts } from './persisted.ts';
import { readQuietHours } from './quiet-hours.ts';

/** Something that went wrong outside the transcript: what happened, what to do next. */
export interface Notice {
  id: number;
  message: string;
  advice: string;
  /** Nothing went wrong: it leaves by itself. */
  news?: true;
  /** The session that it is about. */
  opens?: string;
  /** Offers to turn notifications of the desktop on. */
  offersNotes?: true;
  /** The sessions that Undo brings back. */
  restores?: string[];
  /** The archived sessions that Undo brings back to the list. */
  unarchives?: readonly string[];
  /** Files of a session whose changes were taken back: Redo brings them back. */
  redoes?: { sessionId: string; paths: string[] };
}

/** A file that could not be taken in as a session. */
export interface ImportProblem {
  name: string;
  message: string;
  advice: string;
}

export const notices = {
  kept: {
    firstRun: readFirstRun,
    /** Sessions in the background notify the desktop, where it lets the page. */
    notifies: flag(true),
    /** What it is not notified of. */
    mutedNotes: (stored: unknown): NoteKind[] => noteKinds.filter((kind) => texts(stored).includes(kind)),
    quietHours: readQuietHours,
    /** The person was asked whether they want notifications: it is asked once. */
    notesOffered: flag(false),
  },
  fresh: {
    notices: [] as Notice[],
    /** Told beside the list until the next import. */
    importProblems: [] as ImportProblem[],
    /** Null = the page has no notifications. */
    mayNotify: null as NotificationPermission | null,
    /** Another version of the window is served by now. */
    outdated: false,
    /** What the desktop app says of updates; null = nothing yet, or a browser. */
    updates: null as UpdateNews | null,
  },
};
