/** A log in which every message makes at most one call, for templates that show only one. */
import type { ContextMessage } from './provider.ts';

type Reply = Extract<ContextMessage, { role: 'assistant' }>;
type Result = Extract<ContextMessage, { role: 'tool' }>;

/** Text and thinking stay with the first call; each call is followed by its own result. */
export function oneCallEach(messages: readonly ContextMessage[]): ContextMessage[] {
  const arranged: ContextMessage[] = [];
  for (let at = 0; at < messages.length; at += 1) {
    const message = messages[at];
    if (message?.role !== 'assistant' || message.calls.length < 2) {
      if (message) arranged.push(message);
      continue;
    }
    const results = resultsAfter(messages, at);
    arranged.push(...apart(message, results));
    at += results.length;
  }
  return arranged;
}

function resultsAfter(messages: readonly ContextMessage[], at: number): Result[] {
  const results: Result[] = [];
  for (const message of messages.slice(at + 1)) {
    if (message.role !== 'tool') break;
    results.push(message);
  }
  return results;
}

function apart(reply: Reply, results: readonly Result[]): ContextMessage[] {
  const bare = { role: 'assistant' as const, content: '', thinking: '' };
  const pairs = reply.calls.flatMap((call, index) => [
    { ...(index === 0 ? reply : bare), calls: [call] },
    ...results.filter(({ callId }) => callId === call.id),
  ]);
  const ids = new Set(reply.calls.map(({ id }) => id));
  return [...pairs, ...results.filter(({ callId }) => !ids.has(callId))];
}
