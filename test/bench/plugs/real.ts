/** The same questions to a real model: what it makes of them, which tools that brings, and which of them it calls. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { House } from '../../helpers/host-world.ts';
import { openSandboxForTests } from '../../helpers/mcp/mcp-world.ts';
import { Chance } from '../prefix/chance.ts';
import { conduct } from '../real/conduct.ts';
import { catalogue, questions, type CatalogueServer } from './catalogue.ts';
import { entryOf, shuffled } from './conversation.ts';

/** Of each server: 40 tools in all. */
const toolsEach = 8;
/** Wall clock of one question, so long that a busy machine decides nothing. */
const capMs = 300_000;
const maxReplies = 8;

export interface RealPlugs {
  asked: number;
  /** It searched for tools. */
  searched: number;
  /** The wanted tool was among those that a search brought. */
  right: number;
  /** It called the wanted one. */
  called: number;
}

/** @param onAsked a line for each question. */
export async function askReal(
  { url, model, seed, count }: { url: string; model: string; seed: number; count: number },
  onAsked: (line: string) => void,
): Promise<RealPlugs> {
  const chance = new Chance(seed);
  const dir = mkdtempSync(join(tmpdir(), 'andiron-plugs-'));
  const servers = catalogue.map((server): CatalogueServer => ({
    ...server,
    tools: shuffled(server.tools, chance).slice(0, toolsEach),
  }));
  const names = servers.flatMap(({ server, tools }) => tools.map(({ name }) => `${server}.${name}`));
  const house = await House.open(url, { unproven: true, sandbox: openSandboxForTests });
  // No server of this process listens, so nothing else would keep it alive while only the engine is waited for.
  const awake = setInterval(() => undefined, 1_000);
  const result: RealPlugs = { asked: 0, searched: 0, right: 0, called: 0 };
  try {
    const { rpc } = house.openWindow();
    const mcpServers = Object.fromEntries(servers.map((each) => [each.server, entryOf(each, dir)]));
    await rpc.call('mcp/add', { text: JSON.stringify({ mcpServers }) });
    const tools = ['read_file', 'write_file', 'edit_file', 'list_files', 'search', 'run_command'];
    const changes = {
      models: [model],
      maxIterations: maxReplies,
      firstTokenTimeoutS: 600,
      sampling: { seed, temperature: 0 },
      tools: [...tools, 'tool_search', 'tool_call'],
    };
    await rpc.call('profile/update', { profileId: 'developer', changes });
    for (const wanted of shuffled(names, chance).slice(0, count)) {
      const { question } = chance.pick(questions[wanted] ?? []);
      const view = await house.openSession('developer');
      await conduct(view, question, capMs);
      const calls = view.items('tool');
      const searches = calls.filter(({ tool, state }) => tool === 'tool_search' && state === 'done');
      const isFound = searches.some(({ result: found }) =>
        found.split('\n').some((line) => isOf(line, wanted)),
      );
      const called = calls.filter(({ tool }) => tool === 'tool_call').map(({ subject }) => subject);
      result.asked += 1;
      if (calls.some(({ tool }) => tool === 'tool_search')) result.searched += 1;
      if (isFound) result.right += 1;
      if (called.includes(wanted)) result.called += 1;
      const queries = calls.flatMap(({ tool, args }) => (tool === 'tool_search' ? JSON.stringify(args) : []));
      onAsked(
        `${isFound ? 'found ' : 'missed'} ${wanted}: ${question} ${queries.join(' ')} → ${called.join(', ')}`,
      );
    }
  } finally {
    clearInterval(awake);
    await house.close();
    rmSync(dir, { recursive: true, force: true });
  }
  return result;
}

/** A signature or the name alone. */
const isOf = (line: string, name: string): boolean => line === name || line.startsWith(`${name}(`);
