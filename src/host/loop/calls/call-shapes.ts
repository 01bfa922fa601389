/** The shapes in which models put a call into JSON, and the check that one of them is a call of an offered tool. */
import { parseJson } from '../../../protocol/json.ts';
import type { ToolSchema } from '../../tools/tool.ts';
import type { OfferedTool } from './offered-tool.ts';
import { findTool, nameArguments } from './tool-names.ts';

/** A call as it was written; nothing is known yet about tool and arguments. */
export interface RawCall {
  name: string;
  args: Record<string, unknown>;
}

export interface TextCall {
  name: string;
  args: Record<string, unknown>;
  /** Receipt for the card, in words: where it was read from and what was mended. */
  repairs: string[];
}

/** Plainly meant as a call and yet none that may run. `words` says why, for model and person. */
export interface TextAttempt {
  name: string | null;
  why: 'unknown_tool' | 'missing_arguments' | 'unreadable';
  words: string;
  /** The piece of the reply, shortened. */
  text: string;
}

type Fault = Omit<TextAttempt, 'text'>;
export type CheckedCall = { ok: true; call: TextCall } | { ok: false; fault: Fault };

const nameKeys = new Set(['name', 'tool', 'tool_name', 'function_name', 'function', 'action', 'call']);
const argumentKeys = new Set([
  'arguments',
  'args',
  'parameters',
  'params',
  'input',
  'tool_input',
  'action_input',
  'kwargs',
  'with',
]);
const holderKeys = new Set(['function', 'tool_call', 'function_call']);
const listKeys = new Set(['tool_calls', 'function_calls', 'calls']);
/** Beside a call these change nothing. Any other key says that the object is something else. */
const besides = new Set([
  'id',
  'type',
  'index',
  'call_id',
  'tool_call_id',
  'thought',
  'reason',
  'reasoning',
  'explanation',
]);

/** All calls that the value consists of; null = it is something else, such as an answer in JSON. */
export function callsIn(value: unknown, offered: readonly OfferedTool[], depth = 0): RawCall[] | null {
  if (depth > 3) return null;
  if (Array.isArray(value)) {
    const lists = value.map((entry) => callsIn(entry, offered, depth + 1));
    return lists.length > 0 && lists.every((list) => list !== null) ? lists.flat() : null;
  }
  if (!isObject(value)) return null;
  const entries = Object.entries(value).filter(([key]) => !besides.has(key));
  const [first, second] = entries;
  if (!first) return null;
  if (!second) return alone(first, offered, depth);
  return named(entries, offered);
}

/** `{"tool_calls": [...]}`, `{"function": {...}}`, `{"read_file": {...}}`. */
function alone(
  [key, inner]: [string, unknown],
  offered: readonly OfferedTool[],
  depth: number,
): RawCall[] | null {
  if (listKeys.has(key) || holderKeys.has(key)) return callsIn(inner, offered, depth + 1);
  const args = asObject(inner);
  const tool = findTool(key, offered, false)?.tool;
  if (!args || !tool) return null;
  const given = Object.keys(nameArguments(tool.schema, args).args);
  const fits = given.length > 0 && given.every((name) => Object.hasOwn(tool.schema.properties, name));
  return fits ? [{ name: key, args }] : null;
}

/** `{"name": …, "arguments": {…}}`, or the arguments flat beside the tool's name. */
function named(entries: [string, unknown][], offered: readonly OfferedTool[]): RawCall[] | null {
  const name = entries.find(([key, value]) => nameKeys.has(key) && typeof value === 'string');
  if (!name || typeof name[1] !== 'string') return null;
  const rest = entries.filter((entry) => entry !== name);
  const [only] = rest;
  if (only && rest.length === 1 && argumentKeys.has(only[0])) {
    const args = asObject(only[1]);
    return args && [{ name: name[1], args }];
  }
  const tool = findTool(name[1], offered, false)?.tool;
  const flat = rest.every(([key]) => tool && Object.hasOwn(tool.schema.properties, key));
  return flat ? [{ name: name[1], args: Object.fromEntries(rest) }] : null;
}

/** `loosely`: also a tool of another name that can only have been meant. */
export function checkCall(raw: RawCall, offered: readonly OfferedTool[], loosely: boolean): CheckedCall {
  const found = findTool(raw.name, offered, loosely);
  if (!found) {
    const words = `there is no tool named ${raw.name.slice(0, 64)}`;
    return { ok: false, fault: { name: null, why: 'unknown_tool', words } };
  }
  const { tool, repair } = found;
  const { args, repairs } = nameArguments(tool.schema, raw.args);
  const missing = tool.schema.required.filter((name) => !isGiven(args[name], name, tool.schema));
  if (missing.length > 0) {
    const words = `${tool.name} was called without ${missing.join(', ')}`;
    return { ok: false, fault: { name: tool.name, why: 'missing_arguments', words } };
  }
  return {
    ok: true,
    call: { name: tool.name, args, repairs: repair === null ? repairs : [repair, ...repairs] },
  };
}

/** The schema of a tool, quoted, has objects where a call has texts. */
function isGiven(value: unknown, name: string, { properties }: ToolSchema): boolean {
  if (value === undefined || value === null) return false;
  return properties[name]?.type !== 'string' || typeof value !== 'object';
}

/** Some write the arguments as JSON text. */
export function asObject(value: unknown): Record<string, unknown> | null {
  if (isObject(value)) return value;
  if (typeof value !== 'string') return null;
  try {
    const parsed: unknown = parseJson(value);
    return isObject(parsed) ? parsed : null;
  } catch {
    return null;
  }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
