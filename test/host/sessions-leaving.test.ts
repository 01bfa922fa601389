/** Sessions that nobody needs leave the memory of the host, and go on as if they had never left. */
import { queryObjects } from 'node:v8';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { Session } from '../../src/host/sessions/session.ts';
import { reply, rule, script } from '../../src/sim/index.ts';
import { World, type SessionView } from '../helpers/host-world.ts';

const reading = script([
  rule({ user: /read it/i, resultCount: 0 }, reply().toolCall('read_file', { path: 'notes.md' })),
  rule({}, reply().text('Done.')),
]);

let world: World;
beforeEach(async () => {
  world = await World.start({ sim: { script: reading }, files: { 'notes.md': 'The pump is blue.\n' } });
});
afterEach(() => world.close());

/** What nobody holds is collected, in another task than the one in which it left. */
async function inMemory(): Promise<number> {
  await world.rest();
  await new Promise((resolve) => setImmediate(resolve));
  return queryObjects(Session, { format: 'count' });
}

/** One window shows session after session, as a person does who goes from one to the next. */
async function openMany(count: number): Promise<void> {
  const { rpc } = world.openWindow();
  for (let nth = 0; nth < count; nth += 1) {
    const { session } = await rpc.call('session/create', {});
    await rpc.call('session/subscribe', { sessionId: session.id });
    await rpc.call('session/unsubscribe', { sessionId: session.id });
  }
}

const leave = async ({ rpc, sessionId }: SessionView): Promise<void> => {
  await rpc.call('session/unsubscribe', { sessionId });
};

/** Another session was asked last, and is not shown any more either. */
async function askElsewhere(): Promise<void> {
  const session = await world.openSession('developer');
  await session.ask('Hello.');
  await leave(session);
}

const sentMessages = (): string[] => {
  const body = world.sim.truth.last()?.body as { messages: unknown[] } | undefined;
  return (body?.messages ?? []).map((message) => JSON.stringify(message));
};

it('of many sessions that were opened one after another only the last ones stay in memory', async () => {
  await openMany(60);
  // Those whose prompts are kept warm stay beside the sixteen.
  expect(await inMemory()).toBeLessThanOrEqual(18);
});

it('a session that a window shows stays, however many others are opened', async () => {
  const session = await world.openSession('developer');
  await session.ask('Hello.');
  await askElsewhere();
  await openMany(60);
  await inMemory();
  await session.ask('Hello again.');
  expect(session.items('text').map(({ text }) => text)).toEqual(['Done.', 'Done.']);
});

it('a message to a session that left goes on with the very prompt that was sent before', async () => {
  const session = await world.openSession('developer');
  await session.ask('Please read it.');
  await session.ask('And what now?');
  const before = sentMessages();
  await leave(session);
  await askElsewhere();
  await openMany(60);
  expect(await inMemory()).toBeLessThanOrEqual(18);
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
  await askElsewhere();
  await openMany(60);
  await inMemory();
  expect((await rpc.call('session/subscribe', { sessionId })).seq).toBeGreaterThanOrEqual(seq);
});
