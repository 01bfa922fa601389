/** The first tool set, by name, in the order in which a head shows them. */
import type { ChangeRecorder } from './change-recorder.ts';
import { createDocumentTool } from './create-document.ts';
import type { DocumentAccess } from './document-access.ts';
import { editFileTool } from './edit-file.ts';
import { globTool } from './glob.ts';
import { listFilesTool } from './list-files.ts';
import { listProfilesTool } from './list-profiles.ts';
import type { PathGuard } from './path-guard.ts';
import { readFileTool } from './read-file.ts';
import { createReadLedger, type ReadLedger } from './read-ledger.ts';
import type { RipgrepDeps } from './ripgrep.ts';
import { runCommandTool, type RunCommandDeps } from './run-command.ts';
import { searchTool } from './search.ts';
import { spawnAgentTool } from './spawn-agent.ts';
import { switchProfileTool } from './switch-profile.ts';
import type { MemoryAccess } from './memory-access.ts';
import { toolCallTool, toolSearchTool } from './bridge-tools.ts';
import type { McpAccess } from './mcp-access.ts';
import { fetchUrlTool } from './fetch-url.ts';
import { loadSkillTool } from './load-skill.ts';
import type { SkillAccess } from './skill-access.ts';
import type { ScheduleAccess } from './schedule-access.ts';
import { scheduleAddTool, scheduleCancelTool, scheduleListTool } from './schedule-tools.ts';
import { memorySaveTool } from './memory-save.ts';
import { memorySearchTool } from './memory-search.ts';
import { scratchpadTool } from './scratchpad.ts';
import { todoTool, type TodoListRules } from './todo.ts';
import type { Tool } from './tool.ts';
import type { CollectionAccess } from './collection-access.ts';
import { searchCollectionsTool } from './search-collections.ts';
import type { ToolName } from '../../protocol/tools.ts';
import { webSearchTool } from './web-search.ts';
import type { WebAccess } from './web-access.ts';
import { writeFileTool } from './write-file.ts';

export interface ToolRegistryDeps extends RunCommandDeps, RipgrepDeps {
  guard: PathGuard;
  todo: TodoListRules;
  memory: MemoryAccess;
  schedule: ScheduleAccess;
  skills: SkillAccess;
  mcp: McpAccess;
  web: WebAccess;
  collections: CollectionAccess;
  documents: DocumentAccess;
  recorder?: ChangeRecorder | undefined;
  /** One of its own unless given. */
  readLedger?: ReadLedger | undefined;
}

export function createToolRegistry(deps: ToolRegistryDeps): ReadonlyMap<string, Tool> {
  const { files, guard, recorder, documents, readLedger: ledger = createReadLedger() } = deps;
  const fileTools = { files, guard, ledger, recorder, documents };
  const tools: Record<ToolName, Tool> = {
    read_file: readFileTool(fileTools),
    write_file: writeFileTool(fileTools),
    edit_file: editFileTool(fileTools),
    create_document: createDocumentTool(fileTools),
    list_files: listFilesTool(deps),
    glob: globTool(deps),
    search: searchTool(deps),
    run_command: runCommandTool(deps),
    spawn_agent: spawnAgentTool(),
    switch_profile: switchProfileTool(),
    list_profiles: listProfilesTool(),
    todo: todoTool({ rules: deps.todo, mustValidate: ({ data }) => data.mustValidate() }),
    scratchpad: scratchpadTool(),
    memory_save: memorySaveTool(deps.memory),
    memory_search: memorySearchTool(deps.memory),
    schedule_add: scheduleAddTool(deps.schedule),
    schedule_list: scheduleListTool(deps.schedule),
    schedule_cancel: scheduleCancelTool(deps.schedule),
    load_skill: loadSkillTool(deps.skills),
    tool_search: toolSearchTool(deps.mcp),
    tool_call: toolCallTool(deps.mcp),
    fetch_url: fetchUrlTool(deps.web),
    web_search: webSearchTool(deps.web),
    search_collections: searchCollectionsTool(deps.collections),
  };
  return new Map(Object.entries(tools));
}
