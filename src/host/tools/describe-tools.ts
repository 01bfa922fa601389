/** What the settings say of each tool. */
import type { ToolFacts } from '../../protocol/profile-methods.ts';
import { estimateHead } from '../prompt/token-estimate.ts';
import type { Tool } from './tool.ts';

export function describeTools(tools: ReadonlyMap<string, Tool>): ToolFacts[] {
  return [...tools.values()].map(({ name, description, schema, risk, about, isOffered = always }) => {
    const isInHead = isOffered();
    const tokens = isInHead ? estimateHead({ system: '', tools: [{ name, description, schema }] }) : 0;
    return { name, description, risk, about, tokens, ...(!isInHead && { isMissing: true as const }) };
  });
}

const always = (): boolean => true;
