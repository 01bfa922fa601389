/** The tools that Andiron comes with, each with the part of the work that it belongs to. A new tool begins here. */

export type ToolModule =
  'files' | 'commands' | 'work' | 'agents' | 'memory' | 'schedule' | 'skills' | 'mcp' | 'web' | 'collections';

/** In the order in which profiles list them. */
export const toolModules = {
  read_file: 'files',
  write_file: 'files',
  edit_file: 'files',
  create_document: 'files',
  list_files: 'files',
  glob: 'files',
  search: 'files',
  run_command: 'commands',
  todo: 'work',
  scratchpad: 'work',
  spawn_agent: 'agents',
  switch_profile: 'agents',
  list_profiles: 'agents',
  memory_save: 'memory',
  memory_search: 'memory',
  schedule_add: 'schedule',
  schedule_list: 'schedule',
  schedule_cancel: 'schedule',
  load_skill: 'skills',
  tool_search: 'mcp',
  tool_call: 'mcp',
  fetch_url: 'web',
  web_search: 'web',
  search_collections: 'collections',
} as const satisfies Record<string, ToolModule>;

/** One that is missing in the registry, or in the texts of a language, does not compile. */
export type ToolName = keyof typeof toolModules;
