/** Twenty turns in which tools of five servers are searched for and called, while servers come, go and change. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { SessionView } from '../../helpers/host-world.ts';
import { Chance } from '../prefix/chance.ts';
import { answering, call, calling, type Between, type Conversation } from '../prefix/conversation.ts';
import { argumentsFor, catalogue, questions, type CatalogueServer, type CatalogueTool } from './catalogue.ts';

const turns = 20;
const serverPath = fileURLToPath(new URL('../../helpers/mcp/catalogue-server.ts', import.meta.url));

/** What a naive client would have in its head now, as the wire has it. */
export interface WireTool {
  type: 'function';
  function: { name: string; description: string; parameters: unknown };
}

export interface PlugConversation extends Conversation {
  /** Of the servers that are there at this moment. */
  toolsNow: () => WireTool[];
  /** In the order of the searches. */
  wanted: readonly string[];
}

/** The moments before which something happens to the servers: turns, counted from 0. */
const moments = { fourth: 3, fifth: 6, removed: 9, changed: 12, confirmed: 14, back: 16 } as const;

/** @param dir of the lists that the servers read. */
export function makePlugConversation(seed: number, dir: string): PlugConversation {
  const chance = new Chance(seed);
  const present = new Map<string, readonly CatalogueTool[]>();
  const wanted: string[] = [];
  const [first, second, third, fourth, fifth] = shuffled(catalogue, chance);
  if (!first || !second || !third || !fourth || !fifth) throw new Error('There are five servers.');
  const add =
    (...servers: CatalogueServer[]) =>
    async (rpc: SessionView['rpc']): Promise<void> => {
      for (const { server, tools } of servers) present.set(server, tools);
      const mcpServers = Object.fromEntries(servers.map((each) => [each.server, entryOf(each, dir)]));
      await rpc.call('mcp/add', { text: JSON.stringify({ mcpServers }) });
    };
  const remove = async (rpc: SessionView['rpc']): Promise<void> => {
    present.delete(first.server);
    await rpc.call('mcp/remove', { name: first.server });
  };
  /** Every description of it is another one: all of its tools wait for the person. */
  const change = async (rpc: SessionView['rpc']): Promise<void> => {
    const tools = second.tools.map((tool) => ({
      ...tool,
      description: `${tool.description} Since the newest version.`,
    }));
    present.set(second.server, tools);
    writeFileSync(listOf(second, dir), JSON.stringify(tools));
    await rpc.call('mcp/change', { name: second.server, isOn: false });
    await rpc.call('mcp/change', { name: second.server, isOn: true });
    await rpc.call('mcp/refresh', { name: second.server });
  };
  const confirm = async (rpc: SessionView['rpc']): Promise<void> => {
    const { servers } = await rpc.call('mcp/list', {});
    const shown = servers.find(({ name }) => name === second.server)?.tools ?? [];
    const tools = shown.flatMap(({ name, hash, change: what }) => (what === null ? [] : { name, hash }));
    if (tools.length !== second.tools.length) throw new Error(`Only ${tools.length} tools were suspended.`);
    await rpc.call('mcp/confirm', { name: second.server, tools });
  };
  const acts = new Map<number, (rpc: SessionView['rpc']) => Promise<unknown>>([
    [0, add(first, second, third)],
    [moments.fourth, add(fourth)],
    [moments.fifth, add(fifth)],
    [moments.removed, remove],
    [moments.changed, change],
    [moments.confirmed, confirm],
    [moments.back, add(first)],
  ]);
  const usableAt = (turn: number): CatalogueServer[] => [
    ...(turn < moments.removed || turn >= moments.back ? [first] : []),
    ...(turn < moments.changed || turn >= moments.confirmed ? [second] : []),
    third,
    ...(turn >= moments.fourth ? [fourth] : []),
    ...(turn >= moments.fifth ? [fifth] : []),
  ];

  return {
    files: { 'notes.txt': 'one\n' },
    toolsNow: () => [...present].flatMap(([server, tools]) => tools.map((tool) => onWire(server, tool))),
    wanted,
    turns: Array.from({ length: turns }, (_, turn) => {
      const { server, tools } = chance.pick(usableAt(turn));
      const tool = chance.pick(tools);
      const name = `${server}.${tool.name}`;
      const { question, query } = chance.pick(questions[name] ?? []);
      wanted.push(name);
      const act = acts.get(turn);
      const before: Between | undefined = act && { do: 'act', act };
      return {
        user: question,
        replies: [
          calling(chance, '', call('tool_search', { query })),
          calling(chance, '', call('tool_call', { name, arguments: argumentsFor(tool) })),
          answering(chance),
        ],
        ...(before && { before }),
      };
    }),
  };
}

export function shuffled<T>(all: readonly T[], chance: Chance): T[] {
  const left = [...all];
  return all.flatMap(() => left.splice(chance.below(left.length), 1));
}

const listOf = ({ server }: CatalogueServer, dir: string): string => join(dir, `${server}.json`);

/** As it stands in `mcp.json`. @param dir where its list of tools is written. */
export function entryOf(server: CatalogueServer, dir: string): object {
  writeFileSync(listOf(server, dir), JSON.stringify(server.tools));
  return { command: process.execPath, args: [serverPath, listOf(server, dir), server.server] };
}

const onWire = (server: string, { name, description, inputSchema }: CatalogueTool): WireTool => ({
  type: 'function',
  function: { name: `${server}_${name}`, description, parameters: inputSchema },
});
