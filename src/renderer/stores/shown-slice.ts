/** Which session is shown and what of it: where the reader is, what is looked for, opened, not looked at yet. */
import type { Attachment } from '../../protocol/attachments.ts';
import type { Attention } from './attention.ts';
import { oneOf, texts } from './persisted.ts';
import { groupings } from './session-groups.ts';
import { isRecord } from './storage.ts';
import { readWrapped } from './wrapped-lines.ts';

export interface Finding {
  sessionId: string;
  query: string;
  /** Messages and answers that hold the words, oldest first; null = not known yet. */
  hits: readonly string[] | null;
  /** Everything was looked at. */
  complete: boolean;
  /** The one that is shown. */
  at: number;
}

/** Where the transcript shall go: its ends, or the message before or after what is in view. */
export type Travel = 'begin' | 'end' | 'before' | 'after';

/** What was found for the words as they are in the search field; null = not answered yet. */
export interface Search {
  query: string;
  found: { hits: SearchHit[]; complete: boolean } | null;
}

export interface SearchHit {
  sessionId: string;
  title: string;
  /** null = the title itself. */
  itemId: string | null;
  /** Who said it; null = the title. */
  by: 'person' | 'model' | null;
  snippet: string;
  at: number;
}

export const shown = {
  kept: {
    /** null = a new session that has no message yet. */
    openSessionId: (stored: unknown): string | null => (typeof stored === 'string' ? stored : null),
    attention: (stored: unknown): Attention => {
      const { working, unread } = isRecord(stored) ? stored : {};
      return { working: texts(working), unread: texts(unread) };
    },
    wrapped: readWrapped,
    grouping: oneOf(groupings, 'folder'),
  },
  fresh: {
    search: { query: '', found: null } as Search,
    /** The only folder whose sessions are listed; null = all. */
    folder: null as string | null,
    /** Those that were put away are listed, in place of the others. */
    showsArchived: false,
    /** What the transcript shall show as soon as it has it, where these words are; null = nothing is asked for. */
    jump: null as { sessionId: string; itemId: string; words?: string } | null,
    /** Key of the row that it led to; null = none is marked. */
    sought: null as string | null,
    /** Asks the transcript to go somewhere; `count` tells two requests apart. */
    travel: { to: 'end' as Travel, count: 0 },
    /** Words that are looked for in the open session; null = nobody looks. */
    finding: null as Finding | null,
    /** The files of a message that are looked at, over the whole window; null = none. */
    looking: null as { files: readonly Attachment[]; at: number } | null,
    /** Rows of the transcript that were opened or closed by hand. */
    expanded: {} as Record<string, boolean>,
  },
};
