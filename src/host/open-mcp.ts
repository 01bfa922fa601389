/** Servers of tools with what they need of this machine, and the bridge that a session's tools reach them by. */
import { createBridge } from './mcp/tool-bridge.ts';
import { openAddress } from './mcp/open-address.ts';
import { openProcess, type OpenProcessDeps } from './mcp/open-process.ts';
import { isCommand } from './mcp/server-file.ts';
import { McpServers, type ServersDeps } from './mcp/servers.ts';
import type { McpAccess } from './tools/mcp-access.ts';
import { programFolders } from './tools/command-sandbox.ts';

export interface OpenMcpDeps
  extends Omit<ServersDeps, 'open'>, Omit<OpenProcessDeps, 'programs' | 'dataDir' | 'files'> {
  /** Called before a server is asked over TLS. */
  trustSystem?: (() => void) | undefined;
}

/** Nothing is started before it is wanted. */
export function openMcp(deps: OpenMcpDeps): { servers: McpServers; bridge: McpAccess } {
  let folders: Promise<string[]> | undefined;
  const { files, processes } = deps;
  const programs = (): Promise<string[]> =>
    (folders ??= programFolders({ files, environment: processes.environment }));
  const servers = new McpServers({
    ...deps,
    open: (server) =>
      isCommand(server) ? openProcess(server, { ...deps, programs }) : openAddress(server, deps.trustSystem),
  });
  return { servers, bridge: createBridge(servers) };
}
