import { z } from 'zod';
import { defineTool } from './define-tool.ts';
import type { Tool } from './tool.ts';
import type { WebAccess } from './web-access.ts';

/** The time in which the person is asked does not count. */
const timeoutMs = 30_000;

/** Each host is a question of its own, which this call asks while it runs. */
export function fetchUrlTool(web: WebAccess): Tool {
  return defineTool({
    name: 'fetch_url',
    description: 'Read the text of a web page. Cite it by its number, such as [1].',
    parameters: z.object({ url: z.string().min(1).max(4_096) }),
    mutates: false,
    retrySafe: true,
    risk: 'read',
    about: 'outside',
    timeoutMs,
    subject: ({ url }) => url,
    need: ({ url }) => ({
      summary: url,
      mutates: '',
      sandboxed: false,
      asksForHosts: true,
      scopes: ['once', 'session'],
    }),
    async execute({ url }, { person, data: { turnId = '' }, signal }) {
      const {
        number,
        title,
        url: found,
        text,
      } = await web.read(url, { reach: person?.reach, turnId, signal });
      return {
        ok: true,
        content: `[${String(number)}] ${title}\n${found}\n\n${text === '' ? '(there is no text on it)' : text}`,
        display: { kind: 'sources', sources: [{ number, title, url: found }] },
      };
    },
  });
}
