/** Brings the text of a skill as a result, at the end of the prompt: a head knows the tool and no skill. */
import { z } from 'zod';
import { defineTool } from './define-tool.ts';
import type { SkillAccess } from './skill-access.ts';
import type { Tool } from './tool.ts';

export function loadSkillTool(skills: SkillAccess): Tool {
  return defineTool({
    name: 'load_skill',
    description: 'Read the instructions of a listed skill.',
    parameters: z.object({ name: z.string().min(1).max(100) }),
    mutates: false,
    retrySafe: true,
    risk: 'read',
    about: 'agent',
    timeoutMs: 30_000,
    subject: ({ name }) => name,
    need: ({ name }) => ({
      summary: `Load the skill ${name}`,
      mutates: '',
      sandboxed: false,
      scopes: ['once', 'session'],
    }),
    async execute({ name }, context) {
      return { ok: true, content: await skills.load(name.trim(), context), display: null };
    },
  });
}
