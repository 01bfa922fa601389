/**
 * The repair of arguments that their schema allows: what was plainly meant is done and written down; what
 * is missing is never guessed.
 */
import { parseJson } from '../../protocol/json.ts';
import type { PropertySchema, ToolSchema } from './tool.ts';

export interface Repaired {
  args: unknown;
  /** In words, for the card. */
  repairs: string[];
}

/** Keys under which models put the whole argument object. */
const wrappers = new Set(['arguments', 'args', 'input', 'parameters', 'params']);
const maxDepth = 3;
/** Of a key that a model made up, on the card. */
const maxKeyLength = 60;

export function repairArguments(tool: string, schema: ToolSchema, given: unknown): Repaired {
  const repairs: string[] = [];
  const object = unwrap(tool, schema, given, repairs, maxDepth);
  if (!isObject(object)) return { args: object, repairs };

  const args: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(object)) {
    const name = nameOf(key, schema, object);
    const property = name === undefined ? undefined : schema.properties[name];
    if (name === undefined || !property) {
      repairs.push(`dropped the unknown argument ${key.slice(0, maxKeyLength)}`);
      continue;
    }
    if (name !== key) repairs.push(`took ${key} as ${name}`);
    if (value === null && !schema.required.includes(name)) {
      repairs.push(`dropped ${name}, which was null`);
      continue;
    }
    const fitted = fit(value, property);
    if (fitted !== value) repairs.push(`read ${name} as ${property.type}`);
    args[name] = fitted;
  }
  return { args, repairs };
}

/** JSON text of an object, and one wrapper around it; again, because both come in layers. */
function unwrap(tool: string, schema: ToolSchema, value: unknown, repairs: string[], depth: number): unknown {
  if (depth === 0) return value;
  if (typeof value === 'string') {
    const parsed = jsonIn(value);
    if (!isObject(parsed)) return value;
    repairs.push('read the arguments from JSON text');
    return unwrap(tool, schema, parsed, repairs, depth - 1);
  }
  if (!isObject(value)) return value;
  const inner = wrapped(tool, schema, value);
  if (inner === undefined) return value;
  repairs.push('took the arguments out of their wrapper');
  return unwrap(tool, schema, inner, repairs, depth - 1);
}

/** `{arguments: {…}}`, `{<tool>: {…}}` or `{name: <tool>, arguments: {…}}`; undefined = not wrapped. */
function wrapped(tool: string, schema: ToolSchema, value: Record<string, unknown>): unknown {
  const entries = Object.entries(value).filter(([key, inner]) => !(key === 'name' && inner === tool));
  const [key, inner] = entries[0] ?? [];
  if (entries.length !== 1 || key === undefined || key in schema.properties) return undefined;
  if (!wrappers.has(key) && key !== tool) return undefined;
  return isObject(typeof inner === 'string' ? jsonIn(inner) : inner) ? inner : undefined;
}

/** The property that the key spells, also in another style (`startLine`, `start-line`) as long as it is not there itself. */
function nameOf(key: string, schema: ToolSchema, given: Record<string, unknown>): string | undefined {
  if (Object.hasOwn(schema.properties, key)) return key;
  const name = Object.keys(schema.properties).find((property) => plain(property) === plain(key));
  return name !== undefined && !Object.hasOwn(given, name) ? name : undefined;
}

const plain = (name: string): string => name.replaceAll(/[_-]/g, '').toLowerCase();

/** Returns the value itself where nothing fits: the schema then says what is wrong. */
function fit(value: unknown, { type }: PropertySchema): unknown {
  switch (type) {
    case 'string':
      return typeof value === 'number' || typeof value === 'boolean' ? String(value) : value;
    case 'integer':
    case 'number': {
      const written = typeof value === 'string' && /^\s*[+-]?\d+(\.\d+)?\s*$/.test(value);
      return written ? Number(value) : value;
    }
    case 'boolean': {
      const word = typeof value === 'string' ? value.trim().toLowerCase() : value;
      if (word === 'true') return true;
      return word === 'false' ? false : value;
    }
    case 'array':
    case 'object': {
      const parsed = typeof value === 'string' ? jsonIn(value) : undefined;
      return Array.isArray(parsed) === (type === 'array') && typeof parsed === 'object' ? parsed : value;
    }
  }
}

function jsonIn(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
