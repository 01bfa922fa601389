import { z } from 'zod';
import { maxPassageQuery } from '../../protocol/collection-methods.ts';
import type { CollectionAccess } from './collection-access.ts';
import { defineTool } from './define-tool.ts';
import { fitLines, ToolFailure, type Tool } from './tool.ts';

/** What was changed a moment ago is read first, and a model may have to make a vector. */
const timeoutMs = 30_000;

/** Offered only where there is a collection. */
export function searchCollectionsTool(collections: CollectionAccess): Tool {
  return defineTool({
    name: 'search_collections',
    description:
      "Find passages in the person's collections of documents. They are numbered: cite one as [1].",
    parameters: z.object({
      query: z.string().min(1).max(maxPassageQuery),
      collection: z.string().max(60).optional().describe('its name; all unless given'),
    }),
    isOffered: () => collections.hasAny(),
    mutates: false,
    retrySafe: true,
    risk: 'read',
    about: 'outside',
    timeoutMs,
    subject: ({ query }) => query,
    need: ({ query }) => ({
      summary: `Search the collections: ${query}`,
      mutates: '',
      sandboxed: false,
      scopes: ['once', 'session'],
    }),
    async execute({ query, collection }, { sessionId, data: { turnId = '' }, signal }) {
      const wanted = { query, name: collection?.trim() ? collection : null };
      const { passages, remarks } = await collections.search(wanted, { sessionId, turnId, signal });
      if (passages.length === 0)
        throw new ToolFailure(['Nothing was found.', ...remarks].join(' '), {
          advice: 'Try other words once.',
        });
      const lines = passages.map(({ number, title, text }) => `[${String(number)}] ${title}\n${text}\n`);
      return {
        ok: true,
        content: fitLines(lines, () => remarks),
        display: {
          kind: 'sources',
          sources: passages.map(({ text, ...source }) => ({ ...source, passage: text })),
        },
      };
    },
  });
}
