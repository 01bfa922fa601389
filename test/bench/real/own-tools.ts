/** The tools that a plain loop gets, and by which calls are read. */
import { rgPath } from '@vscode/ripgrep';
import { editFileTool } from '../../../src/host/tools/edit-file.ts';
import { globTool } from '../../../src/host/tools/glob.ts';
import { listFilesTool } from '../../../src/host/tools/list-files.ts';
import { readFileTool } from '../../../src/host/tools/read-file.ts';
import { createReadLedger } from '../../../src/host/tools/read-ledger.ts';
import { runCommandTool } from '../../../src/host/tools/run-command.ts';
import { searchTool } from '../../../src/host/tools/search.ts';
import { writeFileTool } from '../../../src/host/tools/write-file.ts';
import { systemFiles } from '../../../src/platform/files.ts';
import { systemProcesses } from '../../../src/platform/processes.ts';
import { guardFor, noCommandSandbox, noDocuments } from '../../../src/host/tools/testing.ts';
import type { Tool } from '../../../src/host/tools/tool.ts';

/** The tools with which files are read and changed and commands run, by name. */
export function ownTools(): ReadonlyMap<string, Tool> {
  const deps = {
    files: systemFiles,
    guard: guardFor(),
    ledger: createReadLedger(),
    processes: systemProcesses,
    ripgrepPath: rgPath,
    platform: process.platform,
    sandbox: noCommandSandbox,
    documents: noDocuments,
  };
  const makers = [
    readFileTool,
    writeFileTool,
    editFileTool,
    listFilesTool,
    globTool,
    searchTool,
    runCommandTool,
  ];
  return new Map(makers.map((make) => make(deps)).map((tool) => [tool.name, tool]));
}
