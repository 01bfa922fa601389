/** Subagents in the whole house: real tools, a simulated engine, and windows that see what is told. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { reply, rule, script, type Reply, type Script } from '../../src/sim/index.ts';
import { World, type SessionView } from '../helpers/host-world.ts';

const worlds: World[] = [];
afterEach(async () => {
  for (const world of worlds.splice(0)) await world.close();
});

/** Of a family whose cache can be cut anywhere; a recurrent one goes back to a checkpoint. */
const models = [
  { name: 'main:9b', family: 'template-qwen2.5' as const },
  { name: 'small:4b', family: 'qwen3.5' as const },
];

/** What the parent does before and after, and the subagent's replies, one after the other. */
function scripted(spawn: Record<string, string>, agent: readonly Reply[]): Script {
  const call = { task: 'Sum up a.txt in b.txt.', briefing: 'Both lie at the top.', ...spawn };
  return script([
    ...agent.map((said, results) => rule({ user: 'You are a subagent', resultCount: results }, said)),
    rule({ resultCount: 0 }, reply().toolCall('spawn_agent', call)),
    rule({}, reply().text('It is done.')),
  ]);
}

async function open(source: Script): Promise<{ world: World; session: SessionView }> {
  const world = await World.start({ files: { 'a.txt': 'milk and eggs' }, sim: { models, script: source } });
  worlds.push(world);
  const window = world.openWindow();
  const tools = ['read_file', 'write_file', 'list_files', 'spawn_agent'];
  await window.rpc.call('profile/update', {
    profileId: 'developer',
    changes: { models: ['main:9b'], tools },
  });
  await window.rpc.call('profile/update', { profileId: 'reader', changes: { models: ['small:4b'] } });
  return { world, session: await world.openSession('developer') };
}

const working = [
  reply().toolCall('read_file', { path: 'a.txt' }),
  reply().toolCall('write_file', { path: 'b.txt', content: 'milk' }),
  reply().text('b.txt says milk.'),
];
const card = (session: SessionView) => session.items('tool').find(({ tool }) => tool === 'spawn_agent');
const agentIs = (session: SessionView, state: string) =>
  session.until(() => card(session)?.agent?.state === state);
const chats = (world: World) => world.sim.truth.requests.filter(({ endpoint }) => endpoint === '/api/chat');

describe('a subagent in the house', () => {
  it('works with real tools in the workspace of its parent and asks for itself (A7, G3)', async () => {
    const { world, session } = await open(scripted({}, working));
    const turnId = await session.send('Sum it up');
    await session.answer('allow');
    expect((await session.closed(turnId)).status).toBe('finished');
    expect(await readFile(join(world.workspace, 'b.txt'), 'utf8')).toBe('milk');
    const parentCallId = card(session)?.callId;
    expect(session.items('tool').map((item) => [item.tool, item.state, item.parentCallId])).toEqual([
      ['spawn_agent', 'done', undefined],
      ['read_file', 'done', parentCallId],
      ['write_file', 'done', parentCallId],
    ]);
    expect(card(session)?.agent).toMatchObject({ state: 'ended', stopReason: 'completed', toolCalls: 2 });
  });

  it('reads only its task anew: the head it shares with its parent is in the cache (A5)', async () => {
    const { world, session } = await open(scripted({}, [reply().text('Nothing to do.')]));
    const { usage } = await session.ask('Sum it up');
    const [parent, agent] = usage;
    expect(agent?.parentCallId).toBe(card(session)?.callId);
    // All that the parent had sent but the message of its user.
    expect(agent?.cachedTokens).toBeGreaterThan((parent?.promptTokens ?? Infinity) * 0.9);
    expect(world.sim.truth.loads).toHaveLength(1);
  });

  it('on another model has the GPU to itself, and gives it back (A5)', async () => {
    const { world, session } = await open(
      scripted({ profile_id: 'reader' }, [
        reply().toolCall('read_file', { path: 'a.txt' }),
        reply().text('Milk.'),
      ]),
    );
    const turn = await session.ask('Sum it up');
    expect(turn.status).toBe('finished');
    expect(turn.usage.map(({ model }) => model)).toEqual(['main:9b', 'small:4b', 'small:4b', 'main:9b']);
    expect(turn.iterations).toBe(2);
    expect(turn.model).toBe('main:9b');
    await world.rest();
  });

  it('is the same after a restart: its items, its card, and a log of the model that never saw it (A3)', async () => {
    const { world, session } = await open(scripted({}, [reply().text('Nothing to do.')]));
    await session.ask('Sum it up');
    await world.restartHost();
    const again = await world.openWindow().follow(session.sessionId);
    expect(again.state.items).toEqual(session.state.items);
    await again.ask('And?');
    const sent = chats(world).at(-1)?.body as { messages: { role: string; content: string }[] };
    expect(sent.messages.filter(({ content }) => content.includes('You are a subagent'))).toEqual([]);
  });
});

describe('Stop in the house', () => {
  const slow = [reply().prefill(60).text('never')];

  it('of the subagent alone closes its request at once; the parent goes on', async () => {
    const { world, session } = await open(scripted({}, slow));
    const turnId = await session.send('Sum it up');
    await agentIs(session, 'running');
    await session.until((state) => state.turns[0]?.phase === 'prefill');
    const { sessionId } = session;
    await session.rpc.call('agent/stop', { sessionId, callId: card(session)?.callId ?? '' });
    expect((await session.closed(turnId)).status).toBe('finished');
    expect(card(session)).toMatchObject({ agent: { stopReason: 'stopped' } });
    expect(card(session)?.result).toContain('the user stopped the subagent');
    expect(session.items('stopped')).toMatchObject([
      { parentCallId: card(session)?.callId, stillLoaded: true },
    ]);
    await world.rest();
  });

  it.each([{}, { profile_id: 'reader' }])('of the turn ends it too and frees the GPU (%j)', async (spawn) => {
    const { world, session } = await open(scripted(spawn, slow));
    const turnId = await session.send('Sum it up');
    await agentIs(session, 'running');
    await session.until((state) => state.turns[0]?.phase === 'prefill');
    await session.rpc.call('turn/stop', { sessionId: session.sessionId });
    expect((await session.closed(turnId)).status).toBe('stopped');
    expect(card(session)).toMatchObject({
      state: 'stopped',
      agent: { state: 'ended', stopReason: 'stopped' },
    });
    expect(session.state.items.every(({ completedAt }) => completedAt !== null)).toBe(true);
    await world.rest();
  });

  it('while it asks withdraws the question', async () => {
    const { world, session } = await open(scripted({}, working));
    const turnId = await session.send('Sum it up');
    await session.until((state) => state.session.status === 'asking');
    const { sessionId } = session;
    await session.rpc.call('agent/stop', { sessionId, callId: card(session)?.callId ?? '' });
    expect((await session.closed(turnId)).status).toBe('finished');
    expect(session.items('tool').at(-1)).toMatchObject({ tool: 'write_file', state: 'stopped' });
    expect(session.state.session.status).toBe('idle');
    await world.rest();
  });

  it('of a subagent that is over is no mistake, and one of a session that is gone is', async () => {
    const { session } = await open(scripted({}, [reply().text('Nothing.')]));
    await session.ask('Sum it up');
    const { sessionId, rpc } = session;
    await expect(rpc.call('agent/stop', { sessionId, callId: card(session)?.callId ?? '' })).resolves.toEqual(
      {},
    );
    await expect(rpc.call('agent/stop', { sessionId: 'gone', callId: 'x' })).rejects.toMatchObject({
      code: 'not_found',
    });
  });
});
