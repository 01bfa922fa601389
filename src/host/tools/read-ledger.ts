/** Which state of which file a session has seen: a weak model otherwise destroys files that it never read. */
import { createHash } from 'node:crypto';

export type ReadLedger = ReturnType<typeof createReadLedger>;

export function createReadLedger() {
  const sessions = new Map<string, Map<string, string>>();
  return {
    /** The session now knows the file in this state. */
    saw(sessionId: string, path: string, fingerprint: string): void {
      const files = sessions.get(sessionId) ?? new Map<string, string>();
      sessions.set(sessionId, files.set(path, fingerprint));
    },
    /** The state it knows; undefined = never seen. */
    seen: (sessionId: string, path: string): string | undefined => sessions.get(sessionId)?.get(path),
    /** The session is gone for good. */
    forget: (sessionId: string): void => void sessions.delete(sessionId),
  };
}

export const fingerprint = (content: string | Uint8Array): string =>
  createHash('sha256').update(content).digest('hex');
