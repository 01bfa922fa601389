/** What a tool of a server answered, as the model reads it. All of it is foreign text. */
import type { CallToolResult } from '@modelcontextprotocol/client';
import { canonicalJson } from './definitions.ts';

/** Kept whole for the person; what is longer is cut. */
const maxWhole = 1_000_000;

export function resultWords({ content, structuredContent }: CallToolResult): string {
  const parts = content.map(wordsOfPart).filter((part) => part !== '');
  // Servers that answer with a structure say the same in a text.
  const hasText = content.some(({ type }) => type === 'text');
  if (!hasText && structuredContent !== undefined) parts.push(canonicalJson(structuredContent));
  const words = parts.join('\n');
  return words.length > maxWhole ? `${words.slice(0, maxWhole)}\n... [truncated]` : words;
}

function wordsOfPart(part: CallToolResult['content'][number]): string {
  switch (part.type) {
    case 'text':
      return part.text;
    case 'image':
    case 'audio':
      return `[${part.mimeType}, ${sizeOf(part.data)}: not shown]`;
    case 'resource_link':
      return `[${part.title ?? part.name}: ${part.uri}]`;
    case 'resource':
      return 'text' in part.resource
        ? `[${part.resource.uri}]\n${part.resource.text}`
        : `[${part.resource.uri}, ${sizeOf(part.resource.blob)}: not shown]`;
  }
}

const sizeOf = (base64: string): string => `${Math.ceil((base64.length * 3) / 4).toLocaleString('en')} bytes`;
