/** Functions of a question as tools of a server. */
import { z } from 'zod';
import type { PublicFunction } from './sets.ts';

export interface MadeCall {
  name: string;
  args: Readonly<Record<string, unknown>>;
}

/** Names of tools hold no dots. */
export const functionName = (name: string): string => name.replaceAll(/[^\w-]/g, '_');

/** A tool as a server lists it. */
export interface ListedTool {
  name: string;
  description: string;
  inputSchema: Readonly<Record<string, unknown>>;
}

export const listedTool = ({ name, description, parameters }: PublicFunction): ListedTool => ({
  name: functionName(name),
  description,
  inputSchema: schemaOf({ ...parameters, type: 'object' }),
});

/** What the sets call otherwise than JSON Schema. */
const types: Readonly<Record<string, string>> = {
  float: 'number',
  tuple: 'array',
  list: 'array',
  dict: 'object',
};

const propertiesSchema = z.record(z.string(), z.looseObject({}));

function schemaOf(node: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const { type, properties, items, optional: _optional, ...rest } = node;
  const inner = propertiesSchema.safeParse(properties).data;
  const item = z.looseObject({}).safeParse(items).data;
  return {
    ...rest,
    // What may be anything has no type.
    ...(typeof type === 'string' && type !== 'any' && { type: types[type] ?? type }),
    ...(inner && {
      properties: Object.fromEntries(Object.entries(inner).map(([key, each]) => [key, schemaOf(each)])),
    }),
    ...(item && { items: schemaOf(item) }),
  };
}
