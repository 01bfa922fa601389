import { z } from 'zod';
import { defineTool } from './define-tool.ts';
import { fitLines, type Tool } from './tool.ts';

export function listProfilesTool(): Tool {
  return defineTool({
    name: 'list_profiles',
    description: 'List all profiles.',
    parameters: z.object({}),
    mutates: false,
    retrySafe: true,
    risk: 'read',
    about: 'agent',
    timeoutMs: 10_000,
    subject: () => '',
    need: () => ({
      summary: 'List the profiles',
      mutates: '',
      sandboxed: false,
      scopes: ['once', 'session'],
    }),
    async execute(_args, { profiles }) {
      const entries = profiles
        .list()
        .map(({ id, description, current }) => `${id}${current ? ' (current)' : ''}: ${description}`);
      const more = (shown: number): string[] =>
        shown < entries.length ? [`... of ${String(entries.length)} profiles.`] : [];
      return { ok: true, content: fitLines(entries, more), display: null };
    },
  });
}
