/** Servers that bring tools, as the owner's window asks. */
import type { McpList, mcpMethods } from '../../protocol/mcp-methods.ts';
import type { Handlers } from '../../protocol/rpc-server.ts';
import { toolModules } from '../../protocol/tools.ts';
import type { McpServers } from '../mcp/servers.ts';

interface Priced {
  name: string;
  tokens: number;
}

const modules: Readonly<Record<string, string>> = toolModules;

/** @param tools of Andiron itself, with what each costs in a head */
export function mcpHandlers(
  servers: Omit<McpServers, 'close'>,
  tools: () => readonly Priced[],
): Handlers<typeof mcpMethods> {
  const priced = async (listing: ReturnType<McpServers['list']>): Promise<McpList> => {
    const bridge = tools().filter(({ name }) => modules[name] === 'mcp');
    return { ...(await listing), headTokens: bridge.reduce((sum, { tokens }) => sum + tokens, 0) };
  };
  return {
    'mcp/list': () => priced(servers.list()),
    'mcp/refresh': ({ name }) => priced(servers.refresh(name)),
    'mcp/add': ({ text }) => priced(servers.add(text)),
    'mcp/remove': ({ name }) => priced(servers.remove(name)),
    'mcp/change': ({ name, ...changes }) => priced(servers.change(name, changes)),
    'mcp/sign-in': async ({ name }) => ({ url: await servers.signIn(name) }),
    'mcp/cancel-sign-in': () => priced(servers.cancelSignIn()),
    'mcp/sign-out': ({ name }) => priced(servers.signOut(name)),
    'mcp/confirm': ({ name, tools: shown }) => priced(servers.confirm(name, shown)),
  };
}
