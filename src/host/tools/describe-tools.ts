/** What the settings say of each tool. */
import type { Risk } from '../../protocol/model.ts';
import type { ToolFacts } from '../../protocol/profile-methods.ts';
import { estimateHead } from '../prompt/token-estimate.ts';
import type { PropertySchema, Tool, ToolSchema } from './tool.ts';

export function describeTools(tools: ReadonlyMap<string, Tool>): ToolFacts[] {
  return [...tools.values()].map((tool) => {
    const { name, description, schema } = tool;
    const tokens = estimateHead({ system: '', tools: [{ name, description, schema }] });
    return { name, description, risk: riskOf(tool), tokens };
  });
}

/** A tool says its risk with each call, and the same for all: the plainest one tells it. */
function riskOf(tool: Tool): Risk {
  const parsed = tool.parse(plainestCall(tool.schema));
  // What cannot be told is not called harmless.
  return parsed.ok ? parsed.call.need.risk : tool.mutates ? 'write' : 'execute';
}

function plainestCall({ properties, required }: ToolSchema): Record<string, unknown> {
  return Object.fromEntries(required.map((name) => [name, plainest(properties[name])]));
}

function plainest(property: PropertySchema | undefined): unknown {
  switch (property?.type) {
    case 'integer':
    case 'number':
      return 1;
    case 'boolean':
      return false;
    case 'array':
      return [];
    case 'object':
      return {};
    case 'string':
    case undefined:
      return property?.enum?.[0] ?? 'a';
  }
}
