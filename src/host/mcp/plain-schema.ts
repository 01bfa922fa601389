/** Arguments of a server's tool in the few forms that a grammar of ours can write. */
import type { PropertySchema, ToolSchema } from '../tools/tool.ts';
import { checkableSchema } from './argument-schema.ts';

type Node = Readonly<Record<string, unknown>>;

/** Null = one that is required has another form. Those that are left out and may be are not missed. */
export function plainSchema(inputSchema: Node): ToolSchema | null {
  const root = resolved(inputSchema);
  const given = isNode(root?.['properties']) ? root['properties'] : {};
  const named = Array.isArray(root?.['required']) ? root['required'] : [];
  const required = named.filter((key): key is string => typeof key === 'string');
  const properties: Record<string, PropertySchema> = {};
  for (const [key, value] of Object.entries(given)) {
    const property = plainProperty(value);
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

function plainProperty(value: unknown): PropertySchema | null {
  const node = single(value);
  if (!node) return null;
  const { enum: listed, const: only } = node;
  const values = [...(Array.isArray(listed) ? listed : []), ...(only === undefined ? [] : [only])];
  if (values.length > 0) return values.every(isText) ? { type: 'string', enum: values } : null;
  const type = typeOf(node);
  if (type === 'array') {
    const items = single(node['items']);
    const itemType = items ? typeOf(items) : undefined;
    return itemType && isScalar(itemType) ? { type, items: { type: itemType } } : null;
  }
  return type && isScalar(type) ? { type } : null;
}

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
