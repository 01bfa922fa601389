/** Which tools of its profile a model is shown: those that plan only where it was seen to plan well. */
import { toolModules } from '../../../protocol/tools.ts';
import type { PromptHead } from '../../providers/provider.ts';
import type { Toolset } from '../deps.ts';

const modules: Readonly<Record<string, string>> = toolModules;

/** It keeps a list, or hands work on: nothing of the task itself is done by it. */
export const isPlanningTool = (name: string): boolean =>
  modules[name] === 'work' || modules[name] === 'agents';

/** Lines of the profiles that come with Andiron: without the tool that one speaks of, it would only mislead. */
export const planningLines: ReadonlySet<string> = new Set([
  '- Work through the todo list in order. Mark a step when you begin it and when you end it, with what proves it.',
  '- Give a part that needs three or more calls and stands by itself to a subagent, with all it needs to know.',
  '- Keep what you will need later in the scratchpad, not in your head.',
]);

/** Only a model that was seen to plan well plans ahead of its turn too. */
const isForPlanners = (name: string): boolean =>
  isPlanningTool(name) || modules[name] === 'schedule' || modules[name] === 'skills';

/** The head itself where it has nothing else than that toolset. */
export function headWith(toolset: Toolset, head: PromptHead): PromptHead {
  const tools = head.tools.filter(({ name }) => !isForPlanners(name));
  if (toolset === 'full' || tools.length === head.tools.length) return head;
  const lines = head.system.split('\n').filter((line) => !planningLines.has(line));
  return { system: lines.join('\n'), tools };
}

/** For a model that is led through its turns: without all that serves the agent itself, its memory included. */
export function guidedHead({ system, tools }: PromptHead): PromptHead {
  return { system, tools: tools.filter(({ name }) => isWorkTool(name)) };
}

const reaching: ReadonlySet<string> = new Set(['mcp', 'web', 'collections']);

/** Of other programs, the web and collections: a guided model is offered them in a step that uses them, and in no head. */
export const isReachTool = (name: string): boolean => reaching.has(modules[name] ?? '') || isPlugged(name);

/** A tool of a server, `server.tool`: it is found while a turn runs, and stands in no head. */
export const isPlugged = (name: string): boolean => name.includes('.');

const isWorkTool = (name: string): boolean => [undefined, 'files', 'commands'].includes(modules[name]);
