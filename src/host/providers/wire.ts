/** The log as `/api/chat` takes it. The same log gives the same bytes, every time. */
import type { WireMessage, WireTool } from '../../ollama/chat.ts';
import { noImages, shownImages, withoutPlaces, type Images } from './images.ts';
import { shapeLog } from './log-shape.ts';
import type { ContextMessage, HistoryPolicy, PromptHead } from './provider.ts';

export function toWireMessages(
  head: PromptHead,
  messages: readonly ContextMessage[],
  policy: HistoryPolicy,
  images: Images = noImages,
): WireMessage[] {
  const wireId = callNumbering();
  const shaped = shapeLog(head, messages, policy);
  const log = shaped.messages.map((message): WireMessage => {
    switch (message.role) {
      case 'user': {
        const shown = shownImages(message, images);
        const sent = shown.images.map(({ bytes }) => bytes);
        return { role: 'user', content: shown.content, ...(sent.length > 0 && { images: sent }) };
      }
      case 'assistant': {
        const called = message.calls.length > 0;
        return {
          role: 'assistant',
          content: called && !policy.textBesideCall ? '' : message.content,
          ...(policy.echoThinking && message.thinking !== '' && { thinking: message.thinking }),
          ...(called && {
            tool_calls: message.calls.map((call, index) => ({
              id: wireId(call.id),
              function: { index, name: call.name, arguments: call.args },
            })),
          }),
        };
      }
      case 'tool': {
        const shown = shownImages(message, images);
        const sent = shown.images.map(({ bytes }) => bytes);
        return {
          role: 'tool',
          content: sent.length > 0 ? withoutPlaces(shown.content) : shown.content,
          tool_name: message.tool,
          tool_call_id: wireId(message.callId),
          ...(sent.length > 0 && { images: sent }),
        };
      }
    }
  });
  return shaped.system === '' ? log : [{ role: 'system', content: shaped.system }, ...log];
}

/** What the strictest template takes. A model whose prompts hold ids writes such ones, and would read each call again. */
const strictId = /^[a-zA-Z0-9]{9}$/;

/** Its own id where that can be sent, else nine letters or digits, numbered in the order of the log, so never changing. */
export function callNumbering(): (id: string) => string {
  const sent = new Map<string, string>();
  const taken = new Set<string>();
  const nextFree = (): string => {
    let number = sent.size + 1;
    const numbered = (): string => `c${String(number).padStart(8, '0')}`;
    while (taken.has(numbered())) number += 1;
    return numbered();
  };
  return (id) => {
    const known = sent.get(id);
    if (known !== undefined) return known;
    const wireId = strictId.test(id) && !taken.has(id) ? id : nextFree();
    sent.set(id, wireId);
    taken.add(wireId);
    return wireId;
  };
}

/** Empty where they stand in the system text. */
export function toWireTools(head: PromptHead, policy: Pick<HistoryPolicy, 'toolsInSystem'> = {}): WireTool[] {
  if (policy.toolsInSystem) return [];
  return head.tools.map(({ name, description, schema }) => ({
    type: 'function',
    function: { name, description, parameters: schema },
  }));
}
