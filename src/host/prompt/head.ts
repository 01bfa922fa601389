/**
 * Zone 1 of the prompt (its zones: docs/architecture.md): a function of persona and profile alone. No workspace, no
 * memory, no clock, no counters.
 */
import type { Profile } from '../../protocol/model.ts';
import type { PromptHead } from '../providers/provider.ts';
import type { Tool } from '../tools/tool.ts';

/** Between persona and profile prompt (J1, S). */
const separator = '\n\n---\n\n';

/**
 * Tools in the profile's order; names that no longer exist are left out and told as a profile problem elsewhere,
 * as are those that cannot be used now.
 * `persona` is that of all profiles, which a profile's own takes the place of.
 */
export function buildHead(profile: Profile, persona: string, tools: ReadonlyMap<string, Tool>): PromptHead {
  const identity = profile.persona.trim() || persona.trim();
  return {
    system: [identity, profile.systemPrompt.trim()].filter((part) => part !== '').join(separator),
    tools: profile.tools.flatMap((name) => {
      const tool = tools.get(name);
      return tool && (tool.isOffered?.() ?? true)
        ? [{ name: tool.name, description: tool.description, schema: tool.schema }]
        : [];
    }),
  };
}

/** Equal heads share the engine's cache; the comparison is by the bytes that would be sent. */
export function sameHead(a: PromptHead, b: PromptHead): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
