/** Real servers of tools, as others wrote them: in the sandbox over stdio, and over HTTP. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { McpServer } from '../../src/protocol/mcp-methods.ts';
import { reply, rule, script } from '../../src/sim/index.ts';
import { freePort } from '../helpers/free-port.ts';
import {
  everythingPath,
  filesystemPath,
  McpWorld,
  newerPath,
  obedient,
  sandboxHere,
  toolCall,
  wanting,
} from '../helpers/mcp/mcp-world.ts';

const sandbox = await sandboxHere();
const root = realpathSync(mkdtempSync(join(tmpdir(), 'andiron-mcp-')));
beforeAll(() => {
  mkdirSync(join(root, 'open'));
  writeFileSync(join(root, 'open', 'note.txt'), 'what the note says');
  writeFileSync(join(root, 'closed.txt'), 'nobody may read this');
});
afterAll(() => rmSync(root, { recursive: true }));

let world: McpWorld;
afterEach(() => world.close());

const everything = { command: 'node', args: [everythingPath, 'stdio'] };
const stateOf = (servers: McpServer[], name: string) => servers.find((server) => server.name === name)?.state;

/** One call as a model makes it, after its search; the person allows it. */
async function callThrough(
  servers: Record<string, object>,
  name: string,
  args: Record<string, string | number>,
) {
  world = await McpWorld.start(
    sandbox,
    script([
      rule({ resultCount: 0 }, reply().toolCall('tool_search', { query: name.replace('.', ' ') })),
      rule({ resultCount: 1 }, reply().toolCall('tool_call', { name, arguments: args })),
      rule({}, reply().text('Done.')),
    ]),
  );
  const added = await world.add(servers);
  const session = await world.session();
  const turnId = await session.send('Go.');
  await session.answer('allow');
  await session.closed(turnId);
  const [search, call] = session.items('tool');
  return { added, search, call };
}

test.runIf(sandbox.status.kind !== 'none')(
  'Tools of server-everything are found, allowed and called over stdio in the sandbox (X8)',
  async () => {
    const { added, search, call } = await callThrough({ everything }, 'everything.get-sum', { a: 2, b: 40 });
    expect(stateOf(added, 'everything')).toMatchObject({ state: 'ready', protocol: '2025-11-25' });
    expect(search?.result).toContain('everything.get-sum');
    expect(search?.result).toContain('"required":["a","b"]');
    expect(call).toMatchObject({ state: 'done', decision: 'allow' });
    expect(call?.result).toContain('42');
  },
);

test.runIf(sandbox.status.kind !== 'none')(
  'server-filesystem reads and writes the folder that its entry names, and no other one',
  async () => {
    const open = join(root, 'open');
    const files = { command: 'node', args: [filesystemPath, open], folders: [open] };
    const { call } = await callThrough({ files }, 'files.read_text_file', { path: join(open, 'note.txt') });
    expect(call?.result).toContain('what the note says');
    const beyond = { command: 'node', args: [filesystemPath, '/'], folders: [open] };
    await world.close();
    const refused = await callThrough({ beyond }, 'beyond.read_text_file', {
      path: join(root, 'closed.txt'),
    });
    expect(refused.call?.result).not.toContain('nobody may read this');
    expect(refused.call?.result).toContain('ENOENT');
  },
);

test.runIf(sandbox.status.kind !== 'none')(
  'A server of the protocol of 2026 is spoken to in that version',
  async () => {
    const newer = { command: process.execPath, args: [newerPath] };
    const { added, call } = await callThrough({ newer }, 'newer.add', { a: 1, b: 2 });
    expect(stateOf(added, 'newer')).toMatchObject({ state: 'ready', protocol: '2026-07-28' });
    expect(call?.result).toContain('3');
  },
);

/** Resolves when it listens; what it writes before that may be a warning of Node. */
async function startEverything(port: number) {
  const server = spawn(process.execPath, [everythingPath, 'streamableHttp'], {
    env: { ...process.env, PORT: String(port) },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  for await (const words of server.stderr.iterator({ destroyOnReturn: false })) {
    if (String(words).includes('listening')) return server;
  }
  throw new Error(`The server does not listen at ${String(port)}.`);
}

test('Tools of server-everything are called over streamable HTTP', async () => {
  const port = await freePort();
  const server = await startEverything(port);
  try {
    const remote = {
      url: `http://127.0.0.1:${String(port)}/mcp`,
      headers: { 'X-Key': 'a secret of the person' },
    };
    const { added, call } = await callThrough({ remote }, 'remote.echo', { message: 'over HTTP' });
    expect(stateOf(added, 'remote')).toMatchObject({ state: 'ready' });
    expect(call?.result).toContain('over HTTP');
    expect(JSON.stringify(added)).not.toContain('a secret of the person');
  } finally {
    server.kill();
  }
});

test('A server at an address that went away is greeted once more when it is back', async () => {
  const port = await freePort();
  let server = await startEverything(port);
  try {
    world = await McpWorld.start(sandbox, obedient);
    await world.add({ remote: { url: `http://127.0.0.1:${String(port)}/mcp` } });
    const say = async (message: string): Promise<string | null | undefined> => {
      const session = await world.session();
      const turnId = await session.send(wanting(toolCall('remote.echo', { message })));
      // Nobody is asked where the tool is not there.
      await Promise.race([session.answer('allow'), session.closed(turnId)]);
      await session.closed(turnId);
      return session.items('tool')[0]?.result;
    };
    expect(await say('one')).toContain('one');
    server.kill();
    await once(server, 'exit');
    expect(await say('two')).toMatch(/did not answer|not available/);
    const { servers } = await world.rpc.call('mcp/list', {});
    expect(stateOf(servers, 'remote')?.state).not.toBe('ready');
    server = await startEverything(port);
    await world.rpc.call('mcp/refresh', { name: 'remote' });
    expect(await say('three')).toContain('three');
  } finally {
    server.kill();
  }
});
