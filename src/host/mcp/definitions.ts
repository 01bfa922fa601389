/** What a server says of its tools, which is foreign text: bounded, and told from any other by its hash. */
import { hashOfText } from '../../platform/text-hash.ts';
import { parseJson } from '../../protocol/json.ts';

export interface ToolDefinition {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: Readonly<Record<string, unknown>>;
}

export interface PinnedDefinition {
  name: string;
  /** In the server's own order, in which a model writes the arguments. */
  definition: string;
  /** The same in any order. */
  hash: string;
}

export const maxTools = 256;
const maxDescription = 4_000;
const maxDefinition = 32_000;
const namePattern = /^[A-Za-z0-9_./-]{1,128}$/;

interface ListedTool {
  name: string;
  description?: string | undefined;
  inputSchema: object;
}

/** What a server lists, by name. Titles and annotations are left out: nothing is decided by what a server says of itself. */
export function pinDefinitions(listed: readonly ListedTool[]): {
  tools: PinnedDefinition[];
  leftOut: number;
} {
  const byName = new Map<string, PinnedDefinition>();
  for (const { name, description = '', inputSchema } of listed) {
    // Of two with one name neither can be meant.
    if (byName.size >= maxTools || byName.has(name) || !namePattern.test(name)) continue;
    const listing = { name, description: description.slice(0, maxDescription), inputSchema };
    const definition = JSON.stringify(listing);
    if (definition.length <= maxDefinition)
      byName.set(name, { name, definition, hash: hashOfText(canonicalJson(listing)) });
  }
  const tools = [...byName.values()].toSorted((a, b) => (a.name < b.name ? -1 : 1));
  return { tools, leftOut: listed.length - tools.length };
}

/** Of the text that `pinDefinitions` made. */
export const readDefinition = (definition: string): ToolDefinition => parseJson(definition) as ToolDefinition;

/** The same value is the same text, whatever the order of its keys. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const entries = Object.entries(value)
    .filter(([, inner]) => inner !== undefined)
    .toSorted(([a], [b]) => (a < b ? -1 : 1));
  return `{${entries.map(([key, inner]) => `${JSON.stringify(key)}:${canonicalJson(inner)}`).join(',')}}`;
}
