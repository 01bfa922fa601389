/**
 * A reply that a grammar keeps in form (design 4): `{"call": <tool>, "with": {…}}` or `{"answer": "…"}`. The grammar
 * writes keys in alphabetical order (contract 2.6), so `call` comes before `with`: the tool is chosen before its arguments
 * are written. Nothing in it may be copied as an answer: no descriptions, no placeholders.
 */
import type { PropertySchema } from '../../tools/tool.ts';
import type { OfferedTool } from './offered-tool.ts';

export interface ReplyOptions {
  tools: readonly OfferedTool[];
  mayCall: boolean;
  mayAnswer: boolean;
  /** The only tools of this reply, by name: a step of a plan names its own. */
  only?: readonly string[] | undefined;
  /** The only values of an argument, such as the paths that exist; undefined = any. */
  values?: ((tool: string, argument: string) => readonly string[] | undefined) | undefined;
  /** A regular expression that this argument must fit as a whole; undefined = none. */
  pattern?: ((tool: string, argument: string) => string | undefined) | undefined;
  /** Without optional arguments, as far as their values are not known: a small model fills them with inventions. */
  plainly?: boolean | undefined;
}

/** What goes out as `format`. */
export type ReplySchema = ObjectSchema | { anyOf: ObjectSchema[] };

interface ObjectSchema {
  type: 'object';
  properties: Record<string, ValueSchema | ObjectSchema>;
  required: string[];
  additionalProperties: false;
}

interface ValueSchema {
  type: PropertySchema['type'];
  enum?: string[] | undefined;
  items?: { type: string } | undefined;
  minimum?: number | undefined;
  maximum?: number | undefined;
  minLength?: number | undefined;
  pattern?: string | undefined;
  maxItems?: number | undefined;
}

/** Without bounds a small model goes on writing digits, or entries, until its output ends. */
const integerBounds = { minimum: 0, maximum: 999_999 };
const mostItems = 50;
/** A grammar with more than this costs more to build than it helps. */
const mostValues = 200;

/** Where no call is possible an answer always is, so that the schema allows something. */
export function replySchema(options: ReplyOptions): ReplySchema {
  const { tools, mayCall, mayAnswer, only } = options;
  const callable = mayCall ? tools.filter(({ name }) => only?.includes(name) ?? true) : [];
  const branches = callable.map((tool) => callBranch(tool, options));
  const [first, ...others] = mayAnswer || branches.length === 0 ? [...branches, answerBranch()] : branches;
  return first && others.length === 0 ? first : { anyOf: first ? [first, ...others] : others };
}

function callBranch(
  { name, schema }: OfferedTool,
  { values, pattern, plainly = false }: Pick<ReplyOptions, 'values' | 'pattern' | 'plainly'>,
): ObjectSchema {
  const known = new Map<string, ValueSchema>();
  for (const [key, { type }] of Object.entries(schema.properties)) {
    const only = type === 'string' ? (values?.(name, key) ?? []) : [];
    const form = pattern?.(name, key);
    if (only.length > 0 && only.length <= mostValues) known.set(key, { type: 'string', enum: [...only] });
    else if (form !== undefined) known.set(key, { type: 'string', pattern: form });
  }
  const required = plainly ? [...new Set([...schema.required, ...known.keys()])] : schema.required;
  const properties = Object.entries(schema.properties)
    .filter(([key]) => !plainly || required.includes(key))
    .map(([key, property]): [string, ValueSchema] => [key, known.get(key) ?? bounded(property)]);
  return object({
    call: { type: 'string', enum: [name] },
    with: { ...object(Object.fromEntries(properties)), required },
  });
}

function bounded({ type, enum: values, items }: PropertySchema): ValueSchema {
  if (values) return { type, enum: values };
  if (type === 'integer') return { type, ...integerBounds };
  return type === 'array' ? { type, ...(items && { items }), maxItems: mostItems } : { type };
}

const answerBranch = (): ObjectSchema => object({ answer: { type: 'string', minLength: 1 } });

const object = (properties: ObjectSchema['properties']): ObjectSchema => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
});
