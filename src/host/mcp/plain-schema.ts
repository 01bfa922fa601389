/** Arguments of a server's tool in the few forms that a grammar of ours can write. */
import type { PropertySchema, ToolSchema } from '../tools/tool.ts';
import { checkableSchema } from './argument-schema.ts';

type Node = Readonly<Record<string, unknown>>;

/** Objects in objects, and arguments with all of their parts: a grammar grows with each. */
const maxDepth = 3;
const maxParts = 60;

interface Room {
  depth: number;
  parts: number;
}

/** Null = one that is required has another form. Those that are left out and may be are not missed. */
export function plainSchema(inputSchema: Node): ToolSchema | null {
  return plainObject(resolved(inputSchema) ?? {}, { depth: maxDepth, parts: maxParts });
}

function plainObject(node: Node, room: Room): ToolSchema | null {
  const given = isNode(node['properties']) ? node['properties'] : {};
  const named = Array.isArray(node['required']) ? node['required'] : [];
  const required = named.filter((key): key is string => typeof key === 'string');
  const found = new Map<string, PropertySchema>();
  // What is required comes first to the room that there is.
  const keys = [...required, ...Object.keys(given).filter((key) => !required.includes(key))];
  for (const key of keys) {
    const isKept = Object.hasOwn(given, key) && key.isWellFormed() && room.parts > 0;
    const property = isKept ? plainProperty(given[key], room) : null;
    if (property) found.set(key, property);
    if (property) room.parts -= 1;
  }
  if (required.some((key) => !found.has(key))) return null;
  const entries = Object.keys(given).flatMap((key): [string, PropertySchema][] => {
    const property = found.get(key);
    return property ? [[key, property]] : [];
  });
  return { type: 'object', properties: Object.fromEntries(entries), required };
}

/** With what its references lead to in their place; undefined = there is too much of it. */
function resolved(inputSchema: Node): Node | undefined {
  try {
    const schema = checkableSchema(inputSchema);
    return isNode(schema) ? schema : undefined;
  } catch {
    return undefined;
  }
}

function plainProperty(value: unknown, room: Room): PropertySchema | null {
  const node = single(value);
  if (!node) return null;
  const { enum: listed, const: only } = node;
  const values = [...(Array.isArray(listed) ? listed : []), ...(only === undefined ? [] : [only])];
  if (values.length > 0) return values.every(isText) ? { type: 'string', enum: values } : null;
  const type = typeOf(node);
  const inside = { depth: room.depth - 1, parts: room.parts };
  const isDeep = room.depth === 0;
  if (type === 'array') {
    const items = isDeep ? null : plainProperty(node['items'], inside);
    room.parts = inside.parts;
    return items && { type, items };
  }
  if (type === 'object') {
    const inner = isDeep ? null : plainObject(node, inside);
    room.parts = inside.parts;
    // Of an object that may hold anything a grammar says nothing.
    return inner && Object.keys(inner.properties).length > 0 ? inner : null;
  }
  // What may be anything may be a text.
  if (isUntyped(node)) return { type: 'string' };
  return type && isScalar(type) ? { type } : null;
}

const isUntyped = (node: Node): boolean =>
  ['type', 'anyOf', 'allOf', 'properties', 'items', 'prefixItems'].every((key) => node[key] === undefined);

/** What may be one thing or nothing is that thing; what may be several is none that is known. */
function single(value: unknown): Node | null {
  if (!isNode(value)) return null;
  const forms = [value['anyOf'], value['allOf']].find(Array.isArray)?.filter(isNode);
  if (!forms) return value;
  const some = forms.filter((form) => form['type'] !== 'null');
  const [first] = some;
  return some.length === 1 && first ? single(first) : null;
}

function typeOf({ type }: Node): string | undefined {
  const types = (Array.isArray(type) ? type : [type]).filter((each) => each !== 'null');
  const [first] = types;
  return types.length === 1 && typeof first === 'string' ? first : undefined;
}

const scalars = ['string', 'integer', 'number', 'boolean'] as const;
type Scalar = (typeof scalars)[number];
const isScalar = (type: string): type is Scalar => (scalars as readonly string[]).includes(type);

const isText = (value: unknown): value is string => typeof value === 'string';
const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
