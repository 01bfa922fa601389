/** Which state of which file was read, and how much of it: a weak model otherwise destroys files that it never read. */
import { createHash } from 'node:crypto';

/** A log of the model. */
export interface Reader {
  sessionId: string;
  /** The subagent whose log it is; absent = the session's own. */
  data: { agentId?: string };
}

/** Both from 1 and inclusive; Infinity = to the end of the file. */
export interface LineRange {
  first: number;
  last: number;
}

export const allLines: LineRange = { first: 1, last: Infinity };

/** One state of a file, with what of it each log was shown. */
interface Seen {
  fingerprint: string;
  shown: Map<string, LineRange[]>;
}

export type ReadLedger = ReturnType<typeof createReadLedger>;

export function createReadLedger() {
  const sessions = new Map<string, Map<string, Seen>>();
  const seenAt = (sessionId: string, path: string): Seen | undefined => sessions.get(sessionId)?.get(path);
  return {
    /** The session now knows the file in this state; these lines of it stand in the reader's log. null = none. */
    saw(
      { sessionId, data: { agentId = '' } }: Reader,
      path: string,
      state: string,
      lines: LineRange | null,
    ): void {
      const before = seenAt(sessionId, path);
      const shown = before?.fingerprint === state ? before.shown : new Map<string, LineRange[]>();
      if (lines) shown.set(agentId, [...(shown.get(agentId) ?? []), lines]);
      const files = sessions.get(sessionId) ?? new Map<string, Seen>();
      sessions.set(sessionId, files.set(path, { fingerprint: state, shown }));
    },
    /** The state it knows; undefined = never seen. */
    seen: (sessionId: string, path: string): string | undefined => seenAt(sessionId, path)?.fingerprint,
    /** Of as many lines, those that the reader was not shown in the state that its session knows. */
    unread({ sessionId, data: { agentId = '' } }: Reader, path: string, lines: number): LineRange[] {
      return gaps(seenAt(sessionId, path)?.shown.get(agentId) ?? [], lines);
    },
    /** The session is gone for good. */
    forget: (sessionId: string): void => void sessions.delete(sessionId),
  };
}

function gaps(shown: readonly LineRange[], lines: number): LineRange[] {
  const left: LineRange[] = [];
  let next = 1;
  for (const { first, last } of shown.toSorted((one, other) => one.first - other.first)) {
    if (first > next && next <= lines) left.push({ first: next, last: Math.min(first - 1, lines) });
    next = Math.max(next, last + 1);
  }
  if (next <= lines) left.push({ first: next, last: lines });
  return left;
}

export const fingerprint = (content: string | Uint8Array): string =>
  createHash('sha256').update(content).digest('hex');
