/** Which level a person needs for each tool (B12, X2). */
import { reaches, type Level, type Principal } from '../protocol/principal.ts';
import { toolModules, type ToolName } from '../protocol/tools.ts';

/** What servers bring is for nobody else: Andiron cannot know what it does. */
export const bridgeLevel: Level = 'owner';

const toolLevels: Record<ToolName, Level> = {
  memory_search: 'guest',
  todo: 'guest',
  scratchpad: 'guest',
  read_file: 'user',
  list_files: 'user',
  glob: 'user',
  search: 'user',
  fetch_url: 'user',
  web_search: 'user',
  search_collections: 'user',
  write_file: 'admin',
  edit_file: 'admin',
  create_document: 'admin',
  memory_save: 'admin',
  run_command: 'owner',
  spawn_agent: 'owner',
  switch_profile: 'owner',
  list_profiles: 'owner',
  schedule_add: 'owner',
  schedule_list: 'owner',
  schedule_cancel: 'owner',
  load_skill: 'owner',
  tool_search: bridgeLevel,
  tool_call: bridgeLevel,
};

const isKnown = (tool: string): tool is ToolName => Object.hasOwn(toolLevels, tool);

/** What nobody has given a level is the owner's alone. */
export function mayUseTool({ level, modules }: Pick<Principal, 'level' | 'modules'>, tool: string): boolean {
  if (!isKnown(tool)) return level === 'owner' && modules === 'all';
  return reaches(level, toolLevels[tool]) && (modules === 'all' || modules.includes(toolModules[tool]));
}
