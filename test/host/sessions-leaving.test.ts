/** Sessions that nobody needs leave the memory of the host, and go on as if they had never left. */
import { afterEach, beforeEach, expect, it } from 'vitest';
import { reply, rule, script } from '../../src/sim/index.ts';
import { World, type SessionView } from '../helpers/host-world.ts';
import { openMany, openOthers, sessionsInMemory } from '../helpers/open-others.ts';

const reading = script([
  rule({ user: /read it/i, resultCount: 0 }, reply().toolCall('read_file', { path: 'notes.md' })),
  rule({}, reply().text('Done.')),
]);

let world: World;
beforeEach(async () => {
  world = await World.start({ sim: { script: reading }, files: { 'notes.md': 'The pump is blue.\n' } });
});
afterEach(() => world.close());

const leave = async ({ rpc, sessionId }: SessionView): Promise<void> => {
  await rpc.call('session/unsubscribe', { sessionId });
};

const sentMessages = (): string[] => {
  const body = world.sim.truth.last()?.body as { messages: unknown[] } | undefined;
  return (body?.messages ?? []).map((message) => JSON.stringify(message));
};

it('of many sessions that were opened one after another only the last ones stay in memory', async () => {
  // Those of other worlds in this process are no sessions of this one.
  const before = await sessionsInMemory(world);
  await openMany(world, 60);
  // Those whose prompts are kept warm stay beside the sixteen.
  expect((await sessionsInMemory(world)) - before).toBeLessThanOrEqual(18);
});

it('a session that a window shows stays, however many others are opened', async () => {
  const session = await world.openSession('developer');
  await session.ask('Hello.');
  await openOthers(world, 60);
  await session.ask('Hello again.');
  expect(session.items('text').map(({ text }) => text)).toEqual(['Done.', 'Done.']);
});

it('a message to a session that left goes on with the very prompt that was sent before', async () => {
  const session = await world.openSession('developer');
  await session.ask('Please read it.');
  await session.ask('And what now?');
  const before = sentMessages();
  await leave(session);
  const inMemory = await sessionsInMemory(world);
  await openOthers(world, 60);
  expect((await sessionsInMemory(world)) - inMemory).toBeLessThanOrEqual(18);
  const again = await world.openWindow().follow(session.sessionId);
  // How warm its prompt is has changed meanwhile.
  expect({ ...again.state, warmth: null }).toEqual({ ...session.state, warmth: null });
  await again.ask('Go on.');
  expect(sentMessages().slice(0, before.length)).toEqual(before);
  expect(sentMessages()).toHaveLength(before.length + 2);
});

it('events of a session that left and came back are numbered on', async () => {
  const session = await world.openSession('developer');
  await session.ask('Hello.');
  const { rpc, sessionId } = session;
  const { seq } = await rpc.call('session/subscribe', { sessionId });
  await leave(session);
  await openOthers(world, 60);
  expect((await rpc.call('session/subscribe', { sessionId })).seq).toBeGreaterThanOrEqual(seq);
});
