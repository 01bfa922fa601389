/** Arguments of a server's tool in the few forms that a grammar of ours can write. */
import type { PropertySchema, ToolSchema } from '../tools/tool.ts';
import { checkableSchema } from './argument-schema.ts';

type Node = Readonly<Record<string, unknown>>;

/** Objects in objects: a grammar grows with each. */
const maxDepth = 3;
const maxProperties = 30;

/** Null = one that is required has another form. Those that are left out and may be are not missed. */
export function plainSchema(inputSchema: Node): ToolSchema | null {
  const root = resolved(inputSchema);
  return root ? plainObject(root, 0) : { type: 'object', properties: {}, required: [] };
}

function plainObject(node: Node, depth: number): ToolSchema | null {
  const given = isNode(node['properties']) ? node['properties'] : {};
  const named = Array.isArray(node['required']) ? node['required'] : [];
  const required = named.filter((key): key is string => typeof key === 'string');
  const properties: Record<string, PropertySchema> = {};
  for (const [key, value] of Object.entries(given)) {
    const property = plainProperty(value, depth);
    if (property) properties[key] = property;
  }
  if (required.some((key) => !Object.hasOwn(properties, key))) return null;
  return { type: 'object', properties, required };
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

function plainProperty(value: unknown, depth: number): PropertySchema | null {
  const node = single(value);
  if (!node) return null;
  const { enum: listed, const: only } = node;
  const values = [...(Array.isArray(listed) ? listed : []), ...(only === undefined ? [] : [only])];
  if (values.length > 0) return values.every(isText) ? { type: 'string', enum: values } : null;
  const type = typeOf(node);
  if (type === 'array') {
    const items = depth < maxDepth ? plainProperty(node['items'], depth + 1) : null;
    return items && { type, items };
  }
  if (type === 'object') {
    const inner = depth < maxDepth ? plainObject(node, depth + 1) : null;
    const count = Object.keys(inner?.properties ?? {}).length;
    // Of an object that may hold anything a grammar says nothing.
    return count > 0 && count <= maxProperties ? inner : null;
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
