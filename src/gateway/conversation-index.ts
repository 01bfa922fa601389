/**
 * Which session has which history, for each token: a program sends all that was said each time, and the session that has
 * said just that goes on, with its prompt in the cache. Kept in memory: a history that is not found begins a new session.
 */
import { createHash } from 'node:crypto';
import type { ChatMessage } from './chat-request.ts';

/** Of all tokens together; the ones that were used longest ago go first. */
const maxHistories = 10_000;

export interface ConversationIndex {
  /** Returns the session and forgets it until it is put back, so that two requests never share one; null = there is none. */
  take(key: string): string | null;
  put(key: string, sessionId: string): void;
}

export function createConversationIndex(max = maxHistories): ConversationIndex {
  const sessions = new Map<string, string>();
  return {
    take(key) {
      const found = sessions.get(key) ?? null;
      sessions.delete(key);
      return found;
    },
    put(key, sessionId) {
      sessions.delete(key);
      sessions.set(key, sessionId);
      const [oldest] = sessions.keys();
      if (sessions.size > max && oldest !== undefined) sessions.delete(oldest);
    },
  };
}

/** Of one token and profile. The token itself cannot be read out of it. */
export function historyKey(token: string, model: string, history: readonly ChatMessage[]): string {
  const said = history.map(({ role, content }) => [role, content]);
  return createHash('sha256')
    .update(JSON.stringify([token, model, said]))
    .digest('base64');
}
