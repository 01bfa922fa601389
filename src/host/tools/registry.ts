/** The first tool set (design 8), by name, in the order in which a head shows them. */
import type { Clock } from '../../platform/clock.ts';
import type { Files } from '../../platform/files.ts';
import type { Processes } from '../../platform/processes.ts';
import { editFileTool } from './edit-file.ts';
import { globTool } from './glob.ts';
import { listFilesTool } from './list-files.ts';
import { readFileTool } from './read-file.ts';
import { createReadLedger } from './read-ledger.ts';
import { runCommandTool } from './run-command.ts';
import { searchTool } from './search.ts';
import type { Tool } from './tool.ts';
import { writeFileTool } from './write-file.ts';

export interface ToolRegistryDeps {
  files: Files;
  processes: Processes;
  /** The binary itself, outside any archive. */
  ripgrepPath: string;
  /** `linux`, `darwin`, `win32` …: decides which shell runs a command. */
  platform: string;
  /** For the time limit of commands; the system's unless given. */
  clock?: Clock | undefined;
}

export function createToolRegistry(deps: ToolRegistryDeps): ReadonlyMap<string, Tool> {
  const fileTools = { files: deps.files, ledger: createReadLedger() };
  const tools = [
    readFileTool(fileTools),
    writeFileTool(fileTools),
    editFileTool(fileTools),
    listFilesTool(deps),
    globTool(deps),
    searchTool(deps),
    runCommandTool(deps),
  ];
  return new Map(tools.map((tool) => [tool.name, tool]));
}
