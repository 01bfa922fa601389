import { z } from 'zod';
import { inWords } from './advice.ts';
import { defineTool } from './define-tool.ts';
import { factLine, type MemoryAccess } from './memory-access.ts';
import { fitLines, type Tool } from './tool.ts';

export function memorySearchTool(memory: MemoryAccess): Tool {
  return defineTool({
    name: 'memory_search',
    description: 'Search what you remember of the user.',
    parameters: z.object({ query: z.string().min(1) }),
    mutates: false,
    retrySafe: true,
    risk: 'read',
    about: 'agent',
    timeoutMs: 10_000,
    subject: ({ query }) => query,
    need: ({ query }) => ({
      summary: `Search memory for ${query}`,
      mutates: '',
      sandboxed: false,
      scopes: ['once', 'session'],
    }),
    async execute({ query }, { sessionId, data }) {
      const found = memory.search(query, sessionId);
      const entries = found.map(factLine);
      data.foreign?.recalled(found.filter(({ isTaught }) => isTaught).map(factLine));
      const words =
        entries.length === 0
          ? inWords('Nothing is remembered about that.', 'Try other words, or ask the user.')
          : { content: fitLines(entries, () => []) };
      return {
        ok: true,
        ...words,
        display: { kind: 'list', entries, total: entries.length, truncated: false },
      };
    },
  });
}
