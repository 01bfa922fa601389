/** The log of one session in memory and in the store: append-only, every prefix a valid history. */
import type { CallResult, ContextLog } from '../loop/deps.ts';
import type { ContextMessage } from '../providers/provider.ts';
import type { PromptMeasure } from '../prompt/token-estimate.ts';
import { interruptedResult, type ContextStore } from '../store/context.ts';
import { beginCompacted, type GenerationStore } from './generations.ts';

type LogStore = GenerationStore &
  Pick<
    ContextStore,
    'appendContext' | 'readContext' | 'rewriteNewest' | 'turnsOfContext' | 'writePlaceholder'
  >;

export interface SessionLog extends ContextLog {
  /** Somebody else changed what is stored. */
  reload(): void;
}

export interface AboutLog {
  /** Asked whenever something is added: the turn that runs now. */
  turnId: () => string | null;
  /** Before something is added. What the model reads is never ahead of what the person is shown. */
  onAppend: () => void;
  /** What no store has of it. */
  kept: { measured: PromptMeasure | null };
}

export function createContextLog(
  store: LogStore,
  sessionId: string,
  { turnId, onAppend, kept }: AboutLog,
): SessionLog {
  let messages: ContextMessage[] = store.readContext(sessionId);

  return {
    messages: () => messages,
    append(added) {
      onAppend();
      // The store writes the same placeholders, in the same transaction.
      store.appendContext(sessionId, added, turnId());
      messages.push(...added.flatMap(withPlaceholders));
    },
    addNotes(notes) {
      const message = withNotes(messages.at(-1), notes);
      store.rewriteNewest(sessionId, message);
      messages[messages.length - 1] = message;
    },
    settle(...results) {
      const settled = settledMessages(messages, results);
      if (settled.length === 0) return;
      store.appendContext(
        sessionId,
        settled.map(({ message }) => message),
        turnId(),
      );
      for (const { index, message } of settled) messages[index] = message;
    },
    writePlaceholder(callId, words) {
      const index = messages.findLastIndex((message) => message.role === 'tool' && message.callId === callId);
      const message = messages[index];
      if (message?.role !== 'tool') return;
      store.writePlaceholder(sessionId, callId, words);
      messages[index] = { ...message, content: words + message.content };
    },
    measured: () => kept.measured,
    setMeasured(measure) {
      kept.measured = measure;
    },
    owned() {
      const turns = store.turnsOfContext(sessionId);
      return messages.map((message, index) => ({ message, turnId: turns[index] ?? null }));
    },
    rewrite(owned) {
      const generation = beginCompacted(store, sessionId, owned);
      messages = store.readContext(sessionId);
      kept.measured = null;
      return generation;
    },
    reload() {
      messages = store.readContext(sessionId);
      kept.measured = null;
    },
  };
}

/** Only a message that waits for its answer may have notes added: what a model was sent stays as it is. */
export function withNotes(newest: ContextMessage | undefined, notes: string): ContextMessage {
  if (newest?.role !== 'user')
    throw new Error('Notes are added to the message of a person, before it is sent');
  return { ...newest, content: newest.content + notes };
}

/** Where each result belongs. Of a call that nobody knows there is none. */
export function settledMessages(
  messages: readonly ContextMessage[],
  results: readonly CallResult[],
): { index: number; message: ContextMessage }[] {
  const wanted = new Map(results.map(({ callId, ...result }) => [callId, result]));
  const found: { index: number; message: ContextMessage }[] = [];
  // What is settled stands near the end.
  for (let index = messages.length - 1; index >= 0 && wanted.size > 0; index -= 1) {
    const message = messages[index];
    const result = message?.role === 'tool' ? wanted.get(message.callId) : undefined;
    if (message?.role !== 'tool' || result === undefined) continue;
    wanted.delete(message.callId);
    found.push({ index, message: { ...message, ...result } });
  }
  return found;
}

export function withPlaceholders(message: ContextMessage): ContextMessage[] {
  if (message.role !== 'assistant') return [message];
  return [
    message,
    ...message.calls.map(({ id: callId, name: tool }): ContextMessage => ({
      role: 'tool',
      callId,
      tool,
      content: interruptedResult,
    })),
  ];
}
