/** A log in memory that shows what a turn wrote into it, and whether every call was settled. */
import type { ContextLog, OwnedMessage } from '../../src/host/loop/deps.ts';
import type { PromptMeasure } from '../../src/host/prompt/token-estimate.ts';
import type { ContextMessage } from '../../src/host/providers/provider.ts';

/** In place of a result until there is one. */
export const placeholder = 'PLACEHOLDER';

export interface OpenLog {
  /** One array from the first message to the last. */
  messages: ContextMessage[];
  /** What stood before a call ran, for the case that no result ever comes. */
  foretold: { callId: string; words: string }[];
  log: ContextLog;
}

export function createOpenLog(turnId: () => string): OpenLog {
  const messages: ContextMessage[] = [];
  const foretold: OpenLog['foretold'] = [];
  const owners = new WeakMap<ContextMessage, string | null>();
  let measured: PromptMeasure | null = null;
  let generation = 1;

  const put = ({ message, turnId: owner }: OwnedMessage): void => {
    owners.set(message, owner);
    messages.push(message);
  };

  const log: ContextLog = {
    messages: () => messages,
    append(added) {
      for (const message of added) {
        put({ message, turnId: turnId() });
        if (message.role !== 'assistant') continue;
        for (const { id: callId, name: tool } of message.calls)
          put({ message: { role: 'tool', callId, tool, content: placeholder }, turnId: turnId() });
      }
    },
    addNotes(notes) {
      const message = messages.at(-1);
      if (message?.role !== 'user') throw new Error('The newest message is not a person’s.');
      messages.pop();
      put({ message: { ...message, content: message.content + notes }, turnId: turnId() });
    },
    settle(...results) {
      for (const { callId, content } of results) {
        const index = messages.findLastIndex((each) => each.role === 'tool' && each.callId === callId);
        const message = messages[index];
        if (!message) continue;
        const settled = { ...message, content };
        owners.set(settled, owners.get(message) ?? null);
        messages[index] = settled;
      }
    },
    writePlaceholder: (callId, words) => void foretold.push({ callId, words }),
    measured: () => measured,
    setMeasured: (measure) => (measured = measure),
    owned: () => messages.map((message) => ({ message, turnId: owners.get(message) ?? null })),
    rewrite(owned) {
      messages.length = 0;
      owned.forEach(put);
      measured = null;
      return (generation += 1);
    },
  };
  return { messages, foretold, log };
}
