/** Functions of a question as tools: the first call of one is kept, and nothing is run. */
import { repairArguments } from '../../../../src/host/tools/repair.ts';
import type { ParsedCall, PropertySchema, Tool, ToolSchema } from '../../../../src/host/tools/tool.ts';
import type { PublicFunction } from './sets.ts';

export interface MadeCall {
  name: string;
  args: Readonly<Record<string, unknown>>;
}

/** Names of tools hold no dots. */
export const functionName = (name: string): string => name.replaceAll(/[^\w-]/g, '_');

const types: Readonly<Record<string, PropertySchema['type']>> = {
  string: 'string',
  integer: 'integer',
  float: 'number',
  number: 'number',
  boolean: 'boolean',
  array: 'array',
  tuple: 'array',
  list: 'array',
  dict: 'object',
  object: 'object',
};

export function schemaOf({ parameters: { properties, required } }: PublicFunction): ToolSchema {
  const entries = Object.entries(properties).map(([key, property]): [string, PropertySchema] => {
    const type = types[property.type ?? 'string'] ?? 'string';
    const values = property.enum?.filter((value) => typeof value === 'string');
    return [
      key,
      {
        type,
        ...(property.description !== undefined && { description: property.description }),
        ...(type === 'string' && values && values.length > 0 && { enum: values }),
        ...(type === 'array' && { items: { type: types[property.items?.type ?? 'string'] ?? 'string' } }),
      },
    ];
  });
  return { type: 'object', properties: Object.fromEntries(entries), required };
}

export function functionTool(described: PublicFunction, onCall: (call: MadeCall) => void): Tool {
  const name = functionName(described.name);
  const schema = schemaOf(described);
  return {
    name,
    description: described.description,
    schema,
    retrySafe: true,
    mutates: false,
    risk: 'read',
    about: 'outside',
    parse: (given) => parsedCall(name, schema, given, onCall),
  };
}

function parsedCall(
  name: string,
  schema: ToolSchema,
  given: unknown,
  onCall: (call: MadeCall) => void,
): ParsedCall {
  const { args, repairs } = repairArguments(name, schema, given);
  if (typeof args !== 'object' || args === null || Array.isArray(args))
    return { ok: false, error: `Tool error: the arguments of ${name} are no JSON object.` };
  const made = { ...args } as Record<string, unknown>;
  const missing = schema.required.filter((key) => made[key] === undefined);
  if (missing.length > 0) return { ok: false, error: `Tool error: ${name} needs ${missing.join(', ')}.` };
  return {
    ok: true,
    call: {
      subject: name,
      repairs,
      need: { risk: 'read', summary: name, mutates: '', sandboxed: false, scopes: ['once'] },
      check: async () => ({ ok: true, display: null, touched: null }),
      execute: async () => {
        onCall({ name, args: made });
        return { ok: true, content: 'Noted.', display: null };
      },
    },
  };
}
