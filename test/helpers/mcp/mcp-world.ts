/** The host with servers of tools in the sandbox of this machine, and a profile that has the bridge to them. */
import { mkdir, writeFile } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Clock } from '../../../src/platform/clock.ts';
import { systemFiles } from '../../../src/platform/files.ts';
import { systemProcesses } from '../../../src/platform/processes.ts';
import { openSandbox } from '../../../src/platform/sandbox/open-sandbox.ts';
import type { Sandbox } from '../../../src/platform/sandbox/sandbox.ts';
import type { McpServer } from '../../../src/protocol/mcp-methods.ts';
import { reply, rule, script, type Script, type SimOptions } from '../../../src/sim/index.ts';
import { World, type SessionView } from '../host-world.ts';

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const modules = here('../../../node_modules/@modelcontextprotocol/');

export const everythingPath = `${modules}server-everything/dist/index.js`;
export const filesystemPath = `${modules}server-filesystem/dist/index.js`;
export const newerPath = here('newer-server.ts');
const hostilePath = here('hostile-server.ts');

/** As it stands in `mcp.json`. */
export const hostile = (mode: string, extra = '', env: Record<string, string> = {}) => ({
  command: process.execPath,
  args: [hostilePath, mode, extra],
  env,
});

export const sandboxHere = (): Promise<Sandbox> =>
  openSandbox({
    platform: process.platform,
    processes: systemProcesses,
    files: systemFiles,
    dataDir: tmpdir(),
    homeDir: homedir(),
  });

export class McpWorld {
  readonly world: World;

  private constructor(world: World) {
    this.world = world;
  }

  static async start(
    sandbox: Sandbox,
    script?: Script,
    clock?: Clock,
    models?: Pick<SimOptions, 'models'>,
  ): Promise<McpWorld> {
    const sim = { ...models, ...(script && { script }) };
    const world = await World.start({ sandbox, ...(clock && { clock }), sim });
    const folder = join(world.dir, 'data', 'profiles', 'plugs');
    await mkdir(folder, { recursive: true });
    const profile = { name: 'Plugs', description: '', models: [], approvals: 'auto_read' };
    await writeFile(
      join(folder, 'profile.json'),
      JSON.stringify({ ...profile, tools: ['read_file', 'tool_search', 'tool_call'] }),
    );
    await writeFile(join(folder, 'system.md'), 'You help.\n');
    await world.restartHost();
    return new McpWorld(world);
  }

  get rpc() {
    return this.world.openWindow().rpc;
  }

  /** Named as in `mcp.json`. */
  async add(servers: Record<string, object>): Promise<McpServer[]> {
    const { servers: added } = await this.rpc.call('mcp/add', {
      text: JSON.stringify({ mcpServers: servers }),
    });
    return added;
  }

  session(): Promise<SessionView> {
    return this.world.openSession('plugs');
  }

  close(): Promise<void> {
    return this.world.close();
  }
}

/** The model makes the calls that the message names, one in each reply, and then answers. */
export const obedient: Script = script([
  rule({ where: ({ lastUser, results }) => results.length < callsIn(lastUser).length }, (request) => {
    const call = callsIn(request.lastUser)[request.results.length];
    return call && reply().toolCall(call.tool, call.args);
  }),
  rule({}, reply().text('Done.')),
]);

type CallArguments = Parameters<ReturnType<typeof reply>['toolCall']>[1];

interface WantedCall {
  tool: string;
  args: CallArguments;
}

/** A message for it. */
export const wanting = (...calls: WantedCall[]): string => `CALLS ${JSON.stringify(calls)} END`;

export const toolCall = (name: string, args: CallArguments = {}): WantedCall => ({
  tool: 'tool_call',
  args: { name, arguments: args },
});

const callsIn = (message: string): WantedCall[] =>
  JSON.parse(/CALLS (.*) END/.exec(message)?.[1] ?? '[]') as WantedCall[];

/** Nothing in it is kept in: what hostile servers do here they do over their pipes alone. */
export const openSandboxForTests: Sandbox = {
  status: { kind: 'bwrap', version: '0.8.0', hasProxy: false },
  hidden: [],
  keep: (start) => Promise.resolve(start),
};
