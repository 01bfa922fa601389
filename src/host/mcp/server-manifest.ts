/** What a server brings, as a person sees it: a manifest as any pack of tools has one (X8). */
import type { McpServer, McpTool } from '../../protocol/mcp-methods.ts';
import { charactersPerToken } from '../../rules/token-guess.ts';
import { bridgeLevel } from '../../rules/tool-levels.ts';
import type { AllowedTool } from '../store/mcp-store.ts';
import { callMs } from './call-limit.ts';
import { canonicalJson, readDefinition, type PinnedDefinition } from './definitions.ts';
import { isCommand, type ListedServer } from './server-file.ts';

interface KnownTools extends Pick<McpServer, 'state' | 'signIn'> {
  /** As the person allowed them. */
  pinned: readonly AllowedTool[];
  /** As the server has them; null = it was not asked yet. */
  live: readonly PinnedDefinition[] | null;
  leftOut: number;
}

export function describeServer(
  entry: ListedServer,
  { state, signIn, pinned, live, leftOut }: KnownTools,
): McpServer {
  const allowed = new Map(pinned.map((tool) => [tool.name, tool]));
  const now = new Map((live ?? pinned).map((tool) => [tool.name, tool]));
  const names = [...new Set([...allowed.keys(), ...now.keys()])].toSorted();
  return {
    name: entry.name,
    description: entry.description,
    isOn: !entry.disabled,
    connection: connectionOf(entry),
    state,
    signIn,
    tools: names.flatMap((name) => describeTool(allowed.get(name), now.get(name))),
    leftOut,
  };
}

function describeTool(before: AllowedTool | undefined, now: PinnedDefinition | undefined): McpTool[] {
  const shown = now ?? before;
  if (!shown) return [];
  const { description, inputSchema } = readDefinition(shown.definition);
  const isChanged = before !== undefined && now !== undefined && before.hash !== now.hash;
  const old = isChanged ? readDefinition(before.definition) : null;
  return [
    {
      name: shown.name,
      description,
      params: canonicalJson(inputSchema),
      hash: now?.hash ?? '',
      isOn: before?.isOn ?? true,
      change: changeOf(before, now, isChanged),
      before: old && { description: old.description, params: canonicalJson(old.inputSchema) },
      tokens: Math.ceil(shown.definition.length / charactersPerToken),
      level: bridgeLevel,
      // Whatever a server says of its own tools, it may be otherwise.
      mutates: true,
      retrySafe: false,
      timeoutMs: callMs,
    },
  ];
}

function changeOf(
  before: AllowedTool | undefined,
  now: PinnedDefinition | undefined,
  isChanged: boolean,
): McpTool['change'] {
  if (!before) return 'added';
  if (!now) return 'removed';
  return isChanged ? 'changed' : null;
}

function connectionOf(entry: ListedServer): McpServer['connection'] {
  if (!isCommand(entry)) {
    // Many servers take their key there.
    const { origin, pathname } = new URL(entry.url);
    return { kind: 'address', url: `${origin}${pathname}`, headers: Object.keys(entry.headers).toSorted() };
  }
  const { command, args, env, folders, hosts, unsandboxed: isUnsandboxed } = entry;
  return {
    kind: 'command',
    command,
    args,
    variables: Object.keys(env).toSorted(),
    folders,
    hosts,
    isUnsandboxed,
  };
}
