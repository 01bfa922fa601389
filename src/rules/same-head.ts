/** Whether two profiles begin their prompts alike. Window and host decide it here. */
import type { Profile } from '../protocol/model.ts';

/** What the beginning of a prompt is made of, beside the persona of all profiles. */
export type HeadSource = Pick<Profile, 'persona' | 'systemPrompt' | 'tools'>;

/** Tools count in their order: the model reads them in it. */
export function sameHead(a: HeadSource, b: HeadSource): boolean {
  return (
    a.systemPrompt.trim() === b.systemPrompt.trim() &&
    a.persona.trim() === b.persona.trim() &&
    a.tools.length === b.tools.length &&
    a.tools.every((name, index) => name === b.tools[index])
  );
}
