import { z } from 'zod';
import { defineTool } from './define-tool.ts';
import { fitLines, ToolFailure, type Tool } from './tool.ts';
import type { WebAccess } from './web-access.ts';

const timeoutMs = 30_000;
const defaultResults = 5;
const maxResults = 10;

/** Offered only where the person has set up who is asked. */
export function webSearchTool(web: WebAccess): Tool {
  return defineTool({
    name: 'web_search',
    description: 'Search the web. Results are numbered: cite one as [1], read one with fetch_url.',
    parameters: z.object({
      query: z.string().min(1).max(500),
      max_results: z.number().int().min(1).max(maxResults).optional().describe('5 unless given'),
    }),
    isOffered: () => web.canSearch(),
    mutates: false,
    retrySafe: true,
    risk: 'read',
    about: 'outside',
    timeoutMs,
    subject: ({ query }) => query,
    need: ({ query }) => ({
      summary: `Search the web: ${query}`,
      mutates: '',
      sandboxed: false,
      asksForHosts: true,
      scopes: ['once', 'session'],
    }),
    async execute(
      { query, max_results: wanted = defaultResults },
      { person, data: { turnId = '' }, signal },
    ) {
      const found = await web.search(query, wanted, { reach: person?.reach, turnId, signal });
      if (found.length === 0)
        throw new ToolFailure('The search found nothing.', { advice: 'Try other words once.' });
      const lines = found.map(
        ({ number, title, url, text }) => `[${String(number)}] ${title}\n${url}\n${text}\n`,
      );
      return {
        ok: true,
        content: fitLines(lines, () => []),
        display: {
          kind: 'sources',
          sources: found.map(({ number, title, url }) => ({ number, title, url })),
        },
      };
    },
  });
}
