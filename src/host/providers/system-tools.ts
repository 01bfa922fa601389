/** The tools as a part of the system text, for models whose template does not show them, or not for long. */
import type { HistoryPolicy, PromptHead } from './provider.ts';

/** The system message as it is sent; empty = none. A function of head and policy alone, so that its bytes never change. */
export function systemText(head: PromptHead, policy: Pick<HistoryPolicy, 'toolsInSystem'>): string {
  if (!policy.toolsInSystem || head.tools.length === 0) return head.system;
  return [head.system, toolsText(head.tools)].filter((part) => part !== '').join('\n\n');
}

/** Of a call, without one that could be copied. Said of calls alone: what is asked beside the conversation is plain text. */
const form = 'A call is a JSON object: "call" is the name of the tool, "with" the object of its arguments.';

/** One tool per line, with the keys in the order in which they help a reader: name, purpose, arguments. */
function toolsText(tools: PromptHead['tools']): string {
  const lines = tools.map(({ name, description, schema }) =>
    JSON.stringify({ name, description, parameters: schema }),
  );
  return [
    '# Tools',
    '',
    `You can call these tools. Each line is one, with the JSON Schema of its arguments. ${form}`,
    ...lines,
  ].join('\n');
}
