import type { Json, JsonObject, Tool } from '../render/index.ts';

/** What the demo wants to do, whatever the offered tool for it is called. */
export type Deed = 'list' | 'read' | 'search' | 'run' | 'write' | 'edit';

/** What an argument means, whatever its name in the offered schema. */
export type Meaning = 'path' | 'pattern' | 'command' | 'content' | 'old' | 'new';

const TOOL_NAMES: Record<Deed, readonly string[]> = {
  list: ['list_files', 'list_dir', 'list_directory', 'ls'],
  read: ['read_file', 'read', 'view_file', 'cat'],
  search: ['search', 'grep', 'search_files'],
  run: ['run_command', 'bash', 'shell', 'powershell', 'execute'],
  write: ['write_file', 'write', 'create_file'],
  edit: ['edit_file', 'edit', 'replace_in_file'],
};

const ARGUMENT_NAMES: Record<Meaning, RegExp> = {
  path: /^(?:path|file|file_?path|file_?name|dir(?:ectory)?|target)$/i,
  pattern: /^(?:pattern|query|regex|search|text)$/i,
  command: /^(?:command|cmd|script)$/i,
  content: /^(?:contents?|text|body|data)$/i,
  old: /^(?:old|old_?text|old_?str(?:ing)?|find|search)$/i,
  new: /^(?:new|new_?text|new_?str(?:ing)?|replace(?:ment)?)$/i,
};

export interface ChosenCall {
  name: string;
  args: JsonObject;
}

/** The offered tool that can do it. */
function toolFor(tools: readonly Tool[], deed: Deed): Tool | undefined {
  return TOOL_NAMES[deed]
    .map((name) => tools.find((tool) => tool.function.name === name))
    .find((tool) => tool !== undefined);
}

/** A call with the argument names that the offered schema uses; undefined when no tool fits. */
export function callFor(
  tools: readonly Tool[],
  deed: Deed,
  wanted: Partial<Record<Meaning, Json>>,
): ChosenCall | undefined {
  const tool = toolFor(tools, deed);
  if (tool === undefined) return undefined;
  const names = Object.keys(tool.function.parameters?.properties ?? {});
  const args: JsonObject = {};
  for (const [meaning, value] of Object.entries(wanted)) {
    const name = names.find((candidate) => ARGUMENT_NAMES[meaning as Meaning].test(candidate));
    if (name !== undefined) args[name] = value;
  }
  return { name: tool.function.name, args };
}

export const doesDeed = (name: string, deed: Deed): boolean => TOOL_NAMES[deed].includes(name);
