import { z } from 'zod';
import { defineTool } from './define-tool.ts';
import type { Tool } from './tool.ts';

/** The session's profile from the next iteration on, as if the person had chosen it (F10). */
export function switchProfileTool(): Tool {
  return defineTool({
    name: 'switch_profile',
    description: 'Go on with another profile.',
    parameters: z.object({ profile_id: z.string().min(1) }),
    mutates: false,
    retrySafe: true,
    risk: 'read',
    about: 'agent',
    timeoutMs: 10_000,
    subject: ({ profile_id }) => profile_id,
    need: ({ profile_id }) => ({
      summary: `Switch to the profile ${profile_id}`,
      mutates: 'Changes which tools this session has, and when they ask',
      sandboxed: false,
      scopes: ['once', 'session'],
      farEffect: { kind: 'profile', target: profile_id },
    }),
    async execute({ profile_id }, { profiles }) {
      profiles.switchTo(profile_id);
      return { ok: true, content: `The profile is ${profile_id} from the next step on.`, display: null };
    },
  });
}
