import { z } from 'zod';
import { inWords } from './advice.ts';
import { defineTool } from './define-tool.ts';
import { factLine, type FoundMemory, type MemoryAccess } from './memory-access.ts';
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
    async execute({ query }, { sessionId, data, signal }) {
      const found = await memory.search(query, sessionId, signal);
      const entries = found.map(factLine);
      data.foreign?.recalled(found.filter(({ isTaught }) => isTaught).map(factLine));
      const words =
        entries.length === 0
          ? inWords('Nothing is remembered about that.', 'Try other words, or ask the user.')
          : { content: fitLines(entries, () => []) };
      return {
        ok: true,
        ...words,
        display: { kind: 'list', entries: found.map(shown), total: entries.length, truncated: false },
      };
    },
  });
}

/** A person wonders how a fact was found that shares no word with what was looked for. */
const shown = (fact: FoundMemory): string =>
  `${factLine(fact)}${fact.by === 'meaning' ? ' (by meaning)' : ''}`;
