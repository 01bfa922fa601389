/**
 * zod → the JSON Schema that every template prints alike: keywords that Ollama's decoder keeps, a type
 * on every property, and at most one of `enum` and `items`, because the order of further ones is random.
 */
import { z } from 'zod';
import type { PropertySchema, ToolSchema } from './tool.ts';

const types = ['string', 'integer', 'number', 'boolean', 'array', 'object'] as const;
const propertySchema = z.object({
  type: z.enum(types),
  description: z.string().optional(),
  enum: z.array(z.string()).optional(),
  items: z.object({ type: z.enum(types) }).optional(),
});

/** Throws for parameters that cannot be told in this way, so that such a tool cannot be defined. */
export function toToolSchema(parameters: z.ZodObject): ToolSchema {
  const { properties = {}, required = [] } = z.toJSONSchema(parameters, { io: 'input' });
  return {
    type: 'object',
    properties: Object.fromEntries(
      Object.entries(properties).map(([name, property]) => [name, toProperty(property)]),
    ),
    required,
  };
}

function toProperty(property: unknown): PropertySchema {
  const { type, description, enum: values, items } = propertySchema.parse(property);
  return {
    type,
    ...(description !== undefined && { description }),
    ...(values ? { enum: values } : items && { items }),
  };
}

/** In words, for a model that got it wrong: `path (string, required), start_line (integer)`. */
export function describeParameters({ properties, required }: ToolSchema): string {
  const parts = Object.entries(properties).map(([name, { type, enum: values }]) => {
    const kind = values ? `one of ${values.join(', ')}` : type;
    return `${name} (${kind}${required.includes(name) ? ', required' : ''})`;
  });
  return parts.length === 0 ? 'no arguments' : parts.join(', ');
}
