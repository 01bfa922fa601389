/** Which state of which file a session has seen: a weak model otherwise destroys files that it never read. */
import { createHash } from 'node:crypto';

export interface ReadLedger {
  /** The session now knows the file in this state. */
  saw(sessionId: string, path: string, fingerprint: string): void;
  /** The state it knows; undefined = never seen. */
  seen(sessionId: string, path: string): string | undefined;
  /** The session is gone for good. */
  forget(sessionId: string): void;
}

export function createReadLedger(): ReadLedger {
  const sessions = new Map<string, Map<string, string>>();
  return {
    saw(sessionId, path, fingerprint) {
      const files = sessions.get(sessionId) ?? new Map<string, string>();
      sessions.set(sessionId, files.set(path, fingerprint));
    },
    seen: (sessionId, path) => sessions.get(sessionId)?.get(path),
    forget: (sessionId) => void sessions.delete(sessionId),
  };
}

export const fingerprint = (content: string | Uint8Array): string =>
  createHash('sha256').update(content).digest('hex');
