import type { Message } from '../render/index.ts';

/**
 * Checks that every tool call has exactly one result behind it, in order, and that no result lacks a call.
 * Returns what is wrong, in words; empty = a valid history.
 */
export function pairingProblems(messages: readonly Message[]): string[] {
  const problems: string[] = [];
  let open: { id: string | undefined; name: string }[] = [];
  const reportOpen = (before: string) => {
    for (const call of open)
      problems.push(`call ${call.id ?? ''} of ${call.name} has no result before ${before}`);
    open = [];
  };
  for (const [index, message] of messages.entries()) {
    if (message.role !== 'tool') {
      reportOpen(`message ${index} (${message.role})`);
      open = (message.tool_calls ?? []).map((call) => ({ id: call.id, name: call.function.name }));
      continue;
    }
    const id = message.tool_call_id;
    const at = id === undefined ? 0 : open.findIndex((call) => call.id === undefined || call.id === id);
    const call = open[at];
    if (call === undefined)
      problems.push(`message ${index} is a result${id === undefined ? '' : ` of ${id}`} without a call`);
    else if (at > 0) problems.push(`message ${index} answers ${call.id ?? call.name} out of order`);
    if (call !== undefined && message.tool_name !== undefined && message.tool_name !== call.name) {
      problems.push(`message ${index} names ${message.tool_name}, its call was of ${call.name}`);
    }
    open = open.filter((_, position) => position !== at);
  }
  reportOpen('the end');
  return problems;
}
