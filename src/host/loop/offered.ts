/** The tools of the head in force. One that the profile does not list does not exist for the model, whatever it remembers. */
import type { PromptHead } from '../providers/provider.ts';
import type { Setting } from './deps.ts';
import { combined, inWords } from '../tools/advice.ts';
import type { ParsedCall, Tool } from '../tools/tool.ts';
import { findTool, nameArguments } from './calls/tool-names.ts';
import { isPlugged, isReachTool } from './calls/toolsets.ts';

/** Of a tool that a model made up. */
const maxNameLength = 80;

export function offeredTools(head: PromptHead, tools: ReadonlyMap<string, Tool>): Tool[] {
  return head.tools.flatMap(({ name }) => tools.get(name) ?? []);
}

/** Of the head as it is sent; a guided model may use those of its profile that reach further besides. */
export function callableTools(
  { active, whole, mayUse }: Pick<Setting, 'active' | 'whole' | 'mayUse'>,
  tools: ReadonlyMap<string, Tool>,
): Tool[] {
  const offered = offeredTools(active.head, tools);
  if (!mayUse) return offered;
  return [...offered, ...offeredTools(whole, tools).filter(({ name }) => isReachTool(name))];
}

/** A call as it will run: the model's own stays in the log as it was. */
export interface ReadCall {
  /** undefined = there is no such tool. */
  tool: Tool | undefined;
  args: Record<string, unknown>;
  parsed: ParsedCall;
  /** What was mended, in words for the card. */
  repairs: string[];
}

/** Why arguments are not even looked at, in words for the model. */
const faultWords = {
  unread: inWords('its arguments are no JSON object.', 'Call it again with valid JSON.'),
  too_large: inWords('its arguments are too large.', 'Call it again with less, in several calls if need be.'),
};
export type ArgumentFault = keyof typeof faultWords;

export function readCall(
  name: string,
  args: Record<string, unknown>,
  fault: ArgumentFault | undefined,
  offered: readonly Tool[],
): ReadCall {
  const found = findTool(name, offered);
  const bridge = isPlugged(name) && !found ? offered.find((each) => each.name === 'tool_call') : undefined;
  if (bridge && !fault) {
    const whole = { name, arguments: args };
    return { tool: bridge, args: whole, parsed: bridge.parse(whole), repairs: [] };
  }
  const tool = found && offered.find((each) => each.name === found.tool.name);
  if (!tool) {
    const names = offered.map((each) => each.name).join(', ');
    const choice = offered.length > 0 ? `The tools are: ${names}.` : 'There are no tools.';
    const error = `Tool error: there is no tool named ${name.slice(0, maxNameLength)}. ${choice}`;
    return { tool: undefined, args, parsed: { ok: false, error }, repairs: [] };
  }
  if (fault) {
    const why = combined((text) => `Tool error: ${tool.name} was not run: ${text}`, faultWords[fault]);
    const { content: error, bare } = why;
    return { tool, args, parsed: { ok: false, error, bare }, repairs: [] };
  }
  const named = nameArguments(tool.schema, args);
  const parsed = tool.parse(named.args);
  const repairs = [
    ...(found.repair === null ? [] : [found.repair]),
    ...named.repairs,
    ...(parsed.ok ? parsed.call.repairs : []),
  ];
  return { tool, args: named.args, parsed, repairs };
}
