/** Head and log in the shape that a model's template shows, before any wire is chosen. */
import { callsAsText } from './calls-as-text.ts';
import { oneCallEach } from './one-call-each.ts';
import type { ContextMessage, HistoryPolicy, PromptHead } from './provider.ts';
import { systemText } from './system-tools.ts';

export interface ShapedLog {
  /** Empty = no system message. */
  system: string;
  messages: readonly ContextMessage[];
}

/** What was shaped once is shaped the same in a longer log, as long as calls come with all their results (X12). */
export function shapeLog(
  head: PromptHead,
  messages: readonly ContextMessage[],
  policy: HistoryPolicy,
): ShapedLog {
  const system = systemText(head, policy);
  const shaped = shapeCalls(messages, policy);
  return policy.systemInFirstUser
    ? { system: '', messages: openedBy(system, shaped) }
    : { system, messages: shaped };
}

function shapeCalls(messages: readonly ContextMessage[], policy: HistoryPolicy): readonly ContextMessage[] {
  if (policy.callsAsText) return callsAsText(messages, policy.textBesideCall);
  return policy.oneCallPerMessage ? oneCallEach(messages) : messages;
}

function openedBy(system: string, messages: readonly ContextMessage[]): readonly ContextMessage[] {
  const [first, ...others] = messages;
  if (system === '' || first?.role !== 'user') return messages;
  return [{ ...first, content: `${system}\n\n${first.content}` }, ...others];
}
