/** Five servers with 24 tools each, and how people ask for what those do without a word of their names. */
import { readFileSync } from 'node:fs';
import { z } from 'zod';
import type { JsonObject } from '../../../src/sim/render/index.ts';

const toolSchema = z.object({
  name: z.string(),
  description: z.string(),
  inputSchema: z.record(z.string(), z.json()),
});
export type CatalogueTool = z.output<typeof toolSchema>;

const serversSchema = z.array(z.object({ server: z.string(), tools: z.array(toolSchema) }));
export type CatalogueServer = z.output<typeof serversSchema>[number];

/** By `server.tool`: what a person says, and what a language model that knew none of the tools would search for then. */
const questionsSchema = z.record(
  z.string(),
  z.array(z.object({ question: z.string(), query: z.string() })).min(1),
);

const read = (file: string): unknown => JSON.parse(readFileSync(new URL(file, import.meta.url), 'utf8'));

export const catalogue: readonly CatalogueServer[] = serversSchema.parse(read('catalogue.json'));
export const questions: z.output<typeof questionsSchema> = questionsSchema.parse(read('questions.json'));

interface Schema {
  type?: string;
  enum?: string[];
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
}

/** What such a tool takes at the least. */
export function argumentsFor({ inputSchema }: CatalogueTool): JsonObject {
  return objectFor(inputSchema);
}

function objectFor({ properties = {}, required = [] }: Schema): JsonObject {
  return Object.fromEntries(required.map((key) => [key, valueFor(properties[key] ?? {})]));
}

function valueFor(schema: Schema): JsonObject[string] {
  if (schema.enum) return schema.enum[0] ?? '';
  const { type } = schema;
  if (type === 'integer' || type === 'number') return 3;
  if (type === 'boolean') return true;
  if (type === 'array') return [valueFor(schema.items ?? {})];
  return type === 'object' ? objectFor(schema) : 'as the person said';
}
