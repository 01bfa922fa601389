/** What a tool of a server answered, as the model reads it. All of it is foreign text. */
import type { CallToolResult } from '@modelcontextprotocol/client';
import { parseJson } from '../../protocol/json.ts';
import { canonicalJson } from './definitions.ts';

/** Kept whole for the person; what is longer is cut. */
const maxWhole = 1_000_000;

/** Where a text says the same as the structure beside it, as servers are told to write it, the structure is shorter. */
export function resultWords({ content, structuredContent }: CallToolResult): string {
  const structure = structuredContent === undefined ? null : canonicalJson(structuredContent);
  const parts = content
    .filter((part) => structure === null || part.type !== 'text' || !isCopy(part.text, structure))
    .map(wordsOfPart);
  const words = [...parts, structure ?? ''].filter((part) => part !== '').join('\n');
  return words.length > maxWhole ? `${words.slice(0, maxWhole)}\n... [truncated]` : words;
}

function isCopy(text: string, structure: string): boolean {
  try {
    return canonicalJson(parseJson(text)) === structure;
  } catch {
    return false;
  }
}

function wordsOfPart(part: CallToolResult['content'][number]): string {
  switch (part.type) {
    case 'text':
      return part.text;
    case 'image':
    case 'audio':
      return `[${part.mimeType}, ${sizeOf(part.data)}: not shown]`;
    case 'resource_link':
      return `[${part.title ?? part.name}: ${part.uri}. ${howToRead(part.uri)}]`;
    case 'resource':
      return 'text' in part.resource
        ? `[${part.resource.uri}]\n${part.resource.text}`
        : `[${part.resource.uri}, ${sizeOf(part.resource.blob)}: not shown]`;
  }
}

/** A link is no permission: whatever reads it is asked about as ever. */
function howToRead(uri: string): string {
  const { protocol } = URL.canParse(uri) ? new URL(uri) : { protocol: '' };
  if (protocol === 'file:') return 'Read it with read_file if it is in the folder.';
  if (protocol === 'https:' || protocol === 'http:') return 'It is a page: name its address to the person.';
  return 'Only its server can read it: use one of its tools that takes this address.';
}

const sizeOf = (base64: string): string => `${Math.ceil((base64.length * 3) / 4).toLocaleString('en')} bytes`;
