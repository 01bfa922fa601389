/** Servers of tools with what they need of this machine, and the bridge that a session's tools reach them by. */
import type { Keychain } from '../platform/keychain.ts';
import { boundedFetch } from './mcp/bounded-fetch.ts';
import { createBridge } from './mcp/tool-bridge.ts';
import { openAddress } from './mcp/open-address.ts';
import { openProcess, type OpenProcessDeps } from './mcp/open-process.ts';
import { isCommand } from './mcp/server-file.ts';
import { McpServers, type ServersDeps } from './mcp/servers.ts';
import { SignIns } from './mcp/sign-ins.ts';
import { createSecretFile } from './store/secret-file.ts';
import type { McpAccess } from './tools/mcp-access.ts';
import { programFolders } from './tools/command-sandbox.ts';

export interface OpenMcpDeps
  extends Omit<ServersDeps, 'open' | 'signIns'>, Omit<OpenProcessDeps, 'programs' | 'dataDir' | 'files'> {
  /** null = what a sign-in grants lies in a file of the data folder. */
  keychain: Keychain | null;
  /** Called before a server is asked over TLS. */
  trustSystem?: (() => void) | undefined;
}

/** Nothing is started before it is wanted. */
export function openMcp(deps: OpenMcpDeps): { servers: McpServers; bridge: McpAccess } {
  let folders: Promise<string[]> | undefined;
  const { files, processes } = deps;
  const programs = (): Promise<string[]> =>
    (folders ??= programFolders({ files, environment: processes.environment }));
  const signIns = new SignIns({
    secrets: createSecretFile({ file: 'sign-ins.json', effect: 'no server knows you' }, deps),
    clock: deps.clock,
    send: boundedFetch(deps.trustSystem),
    onChange: (name, isIn) => (isIn ? void servers.signedIn(name) : deps.onChange()),
  });
  const servers: McpServers = new McpServers({
    ...deps,
    signIns,
    open: (server) =>
      isCommand(server)
        ? openProcess(server, { ...deps, programs })
        : openAddress(server, { signIns, beforeTls: deps.trustSystem }),
  });
  return { servers, bridge: createBridge(servers) };
}
