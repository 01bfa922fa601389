/** The log of a subagent: the same rules as a session's, and gone when it ends (A3). */
import type { ContextLog, OwnedMessage } from '../loop/deps.ts';
import type { PromptMeasure } from '../prompt/token-estimate.ts';
import type { ContextMessage } from '../providers/provider.ts';
import { settledMessages, withNotes, withPlaceholders } from '../sessions/context-log.ts';
import { newestSource, wordsOfSource } from '../approvals/text-sources.ts';

export interface MemoryLog extends ContextLog {
  /** What it has read that the person did not write, also before a summary; null = nothing. */
  taint(): string | null;
}

/** All of it belongs to the turn in which the subagent works. */
export function createMemoryLog(turnId: string): MemoryLog {
  let owned: OwnedMessage[] = [];
  /** The same array until something changes, as a prompt that only grows. */
  let messages: ContextMessage[] = [];
  let measured: PromptMeasure | null = null;
  let generation = 1;
  let taintBefore: string | null = null;
  const taint = (): string | null => {
    const source = newestSource(messages);
    return source ? wordsOfSource(source) : taintBefore;
  };

  return {
    messages: () => messages,
    append(added) {
      const complete = added.flatMap(withPlaceholders);
      owned.push(...complete.map((message) => ({ message, turnId })));
      messages.push(...complete);
    },
    addNotes(notes) {
      const index = messages.length - 1;
      const message = withNotes(messages[index], notes);
      messages[index] = message;
      owned[index] = { message, turnId };
    },
    settle(...results) {
      for (const { index, message } of settledMessages(messages, results)) {
        messages[index] = message;
        owned[index] = { message, turnId };
      }
    },
    // No placeholder of it outlives the process.
    writePlaceholder: () => undefined,
    measured: () => measured,
    setMeasured(measure) {
      measured = measure;
    },
    owned: () => owned,
    taint,
    rewrite(next) {
      taintBefore = taint();
      owned = [...next];
      messages = owned.map(({ message }) => message);
      measured = null;
      generation += 1;
      return generation;
    },
  };
}
