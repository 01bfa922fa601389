/** The bridge to tools of servers inside a turn: what a reply may do with it, Stop, progress, and who has it at all. */
import { afterEach, expect, test } from 'vitest';
import { reply, rule, script } from '../../src/sim/index.ts';
import {
  hostile,
  McpWorld,
  obedient,
  openSandboxForTests,
  toolCall,
  wanting,
} from '../helpers/mcp/mcp-world.ts';

let world: McpWorld;
afterEach(() => world.close());

test('A call in the same reply as its search is refused, and in the next one it is asked about', async () => {
  const call = { name: 'plain.say', arguments: { words: 'hello' } };
  world = await McpWorld.start(
    openSandboxForTests,
    script([
      rule(
        { resultCount: 0 },
        reply().toolCall('tool_search', { query: 'say words' }).toolCall('tool_call', call),
      ),
      rule({ resultCount: 2 }, reply().toolCall('tool_call', call)),
      rule({}, reply().text('Done.')),
    ]),
  );
  await world.add({ plain: hostile('plain') });
  const session = await world.session();
  const turnId = await session.send('Go.');
  await session.answer('allow');
  await session.closed(turnId);
  const [search, early, later] = session.items('tool');
  expect(search?.result).toContain('plain.say\nSays words back\narguments: {"type"');
  expect(early).toMatchObject({ state: 'failed', approval: null });
  expect(early?.result).toContain('looked up in the same reply');
  expect(later).toMatchObject({ state: 'done', result: 'hello' });
});

test('Stop ends a call that its server never answers, and progress was shown meanwhile', async () => {
  world = await McpWorld.start(openSandboxForTests, obedient);
  await world.add({ slow: hostile('progress') });
  const session = await world.session();
  const turnId = await session.send(wanting(toolCall('slow.say', { words: 'a' })));
  await session.answer('allow');
  await session.until(() => session.items('tool')[0]?.output === '1 of 2: half way\n');
  await session.rpc.call('turn/stop', { sessionId: session.sessionId });
  expect((await session.closed(turnId)).status).toBe('stopped');
  expect(session.items('tool')[0]?.state).toBe('stopped');
});

test('What was allowed stays allowed after a restart, and a server starts when one of its tools is wanted', async () => {
  world = await McpWorld.start(openSandboxForTests, obedient);
  await world.add({ plain: hostile('plain') });
  await world.world.restartHost();
  const { servers } = await world.rpc.call('mcp/list', {});
  expect(servers).toMatchObject([{ state: { state: 'idle' }, tools: [{ name: 'say', change: null }] }]);
  const session = await world.session();
  const turnId = await session.send(wanting(toolCall('plain.say', { words: 'again' })));
  await session.answer('allow');
  await session.closed(turnId);
  expect(session.items('tool')[0]?.result).toBe('again');
});

test('A server that was removed leaves nothing of it behind (X8)', async () => {
  world = await McpWorld.start(openSandboxForTests);
  await world.add({ plain: hostile('plain'), other: hostile('plain') });
  const { servers } = await world.rpc.call('mcp/remove', { name: 'plain' });
  expect(servers.map(({ name }) => name)).toEqual(['other']);
  const again = await world.add({ plain: hostile('doubling-schema') });
  const tools = again.find(({ name }) => name === 'plain')?.tools;
  expect(tools?.map(({ name, change }) => [name, change])).toEqual([['grow', null]]);
});

test('A tool that the person turned off is neither found nor called', async () => {
  world = await McpWorld.start(openSandboxForTests, obedient);
  await world.add({ plain: hostile('plain') });
  await world.rpc.call('mcp/change', { name: 'plain', tools: { say: false } });
  const session = await world.session();
  await session.ask(
    wanting({ tool: 'tool_search', args: { query: 'say' } }, toolCall('plain.say', { words: 'a' })),
  );
  const [search, call] = session.items('tool');
  expect(search?.result).toContain('No tool fits these words');
  expect(call?.result).toContain('has turned plain.say off');
});

test('A server that is off is not started, and none of its tools is found', async () => {
  world = await McpWorld.start(openSandboxForTests, obedient);
  await world.add({ plain: hostile('plain') });
  const { servers } = await world.rpc.call('mcp/change', { name: 'plain', isOn: false });
  expect(servers[0]).toMatchObject({ isOn: false, state: { state: 'off' } });
  const session = await world.session();
  await session.ask(wanting({ tool: 'tool_search', args: { query: 'say' } }));
  expect(session.items('tool')[0]?.result).toContain('No tool fits these words');
});

test('Each server has a manifest with the level, the limits and the parameters of its tools (X8)', async () => {
  world = await McpWorld.start(openSandboxForTests);
  const [plain] = await world.add({ plain: { ...hostile('plain'), description: 'Says things' } });
  expect(plain).toMatchObject({
    name: 'plain',
    description: 'Says things',
    tools: [
      {
        name: 'say',
        description: 'Says words back',
        params: '{"properties":{"words":{"type":"string"}},"required":["words"],"type":"object"}',
        level: 'owner',
        retrySafe: false,
        mutates: true,
        timeoutMs: 60_000,
      },
    ],
  });
});

test('No profile that comes with Andiron has the bridge, so no prompt grows by it', async () => {
  world = await McpWorld.start(openSandboxForTests);
  const { profiles } = await world.rpc.call('host/subscribe', {});
  const named = profiles.filter(({ builtIn }) => builtIn).flatMap(({ tools }) => tools);
  expect(named.filter((name) => name.startsWith('tool_'))).toEqual([]);
});

test('Without a sandbox a server does not start before the person says that it may (X8)', async () => {
  world = await McpWorld.start({
    ...openSandboxForTests,
    status: { kind: 'none', problem: 'missing', detail: '' },
  });
  const [plain] = await world.add({ plain: hostile('plain') });
  expect(plain?.state).toMatchObject({ state: 'failed', isFinal: true });
  const { servers } = await world.rpc.call('mcp/change', { name: 'plain', isUnsandboxed: true });
  expect(servers[0]).toMatchObject({ state: { state: 'ready' }, tools: [{ name: 'say' }] });
});

test('What a server says as it ends is shown without the values of its variables', async () => {
  world = await McpWorld.start(openSandboxForTests);
  const key = 'sk-not-to-be-seen-4711';
  const [server] = await world.add({ plain: hostile('ends-at-once', '', { SERVER_KEY: key }) });
  expect(JSON.stringify(server?.state)).toContain('It said: no access with …');
  expect(JSON.stringify(server)).not.toContain(key);
});
