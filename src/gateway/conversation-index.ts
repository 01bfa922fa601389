/** By which turn a history ended that this gateway has said. A history that is not found is looked for at the host. */
import { createHash } from 'node:crypto';
import type { ChatMessage } from './chat-request.ts';

/** Of all tokens together; the ones that were used longest ago go first. */
const maxHistories = 10_000;

export interface ConversationIndex {
  /** Returns the last turn and forgets it, since what follows makes another history of it; null = there is none. */
  take(key: string): string | null;
  put(key: string, turnId: string): void;
}

export function createConversationIndex(max = maxHistories): ConversationIndex {
  const turns = new Map<string, string>();
  return {
    take(key) {
      const found = turns.get(key) ?? null;
      turns.delete(key);
      return found;
    },
    put(key, turnId) {
      turns.delete(key);
      turns.set(key, turnId);
      const [oldest] = turns.keys();
      if (turns.size > max && oldest !== undefined) turns.delete(oldest);
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
