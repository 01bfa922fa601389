import { z } from 'zod';
import { AndironError } from '../../protocol/errors.ts';
import { defineTool } from './define-tool.ts';
import { factLine, type MemoryAccess } from './memory-access.ts';
import { ToolFailure, type Tool } from './tool.ts';

const said = { added: 'Remembered', changed: 'Changed', known: 'Already known', kept: 'Already known' };

/**
 * Writes only Andiron's own data, which the person can read, change and forget, but every later session reads it: so it
 * asks once the model has read what the person did not write.
 */
export function memorySaveTool(memory: MemoryAccess): Tool {
  return defineTool({
    name: 'memory_save',
    description: 'Remember a fact about the user. No secrets.',
    parameters: z.object({
      category: z.string().optional(),
      key: z.string().min(1),
      value: z.string().min(1),
    }),
    mutates: true,
    retrySafe: true,
    risk: 'read',
    about: 'agent',
    timeoutMs: 10_000,
    subject: ({ key }) => key,
    need: ({ category, key, value }) => ({
      summary: `Remember ${category ? `${category}, ` : ''}${key}: ${value}`,
      mutates: 'Changes what Andiron tells every later session about you',
      sandboxed: false,
      scopes: ['once', 'session'],
      farEffect: { kind: 'memory', target: `${key}\n\n${value}` },
    }),
    async execute(given, { sessionId, data }) {
      try {
        const isTaught = (data.foreign?.taint() ?? null) !== null;
        const { fact, change } = memory.save(given, sessionId, isTaught ? 'taught' : 'saved');
        return { ok: true, content: `${said[change]}: ${factLine(fact)}`, display: null };
      } catch (error) {
        if (!(error instanceof AndironError)) throw error;
        throw new ToolFailure(error.message, { advice: error.advice, cause: error });
      }
    },
  });
}
