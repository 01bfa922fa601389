/** Sessions that are put away: out of the list, found by search, and back with a word. */
import { afterEach, expect, it } from 'vitest';
import { reply, rule, script } from '../../src/sim/index.ts';
import { World } from '../helpers/host-world.ts';

let world: World;
afterEach(() => world.close());

async function archived() {
  world = await World.start({ sim: { script: script([rule({}, reply().text('It is a lease.'))]) } });
  const session = await world.openSession();
  const { rpc, sessionId } = session;
  await session.ask('What is a lease?');
  const before = session.state.session.updatedAt;
  await rpc.call('session/update', { sessionId, archived: true });
  return { rpc, sessionId, session, before };
}

it('a session that is put away says when, is found by search, and stays so after a restart', async () => {
  const { sessionId, session, before } = await archived();
  const { archivedAt, updatedAt } = session.state.session;
  // It has not become a newer one.
  expect([typeof archivedAt, updatedAt]).toEqual(['number', before]);
  await world.restartHost();
  const { rpc } = world.openWindow();
  expect((await rpc.call('host/subscribe', {})).sessions).toMatchObject([{ id: sessionId, archivedAt }]);
  const { hits } = await rpc.call('session/search', { query: 'lease' });
  expect(new Set(hits.map((hit) => hit.sessionId))).toEqual(new Set([sessionId]));
});

it('a session that was put away comes back when asked, and by a new message', async () => {
  const { rpc, sessionId, session } = await archived();
  const isAway = (): boolean => session.state.session.archivedAt != null;
  await rpc.call('session/update', { sessionId, archived: false });
  expect(isAway()).toBe(false);
  await rpc.call('session/update', { sessionId, archived: true });
  expect(isAway()).toBe(true);
  await session.ask('And a slot?');
  expect(isAway()).toBe(false);
});

it('a session at work is not put away', async () => {
  world = await World.start({ sim: { script: script([rule({}, reply().hang())]) } });
  const session = await world.openSession();
  const { rpc, sessionId } = session;
  const turnId = await session.send('What is a lease?');
  await session.until((state) => state.turns[0]?.status === 'running');
  await expect(rpc.call('session/update', { sessionId, archived: true })).rejects.toMatchObject({
    code: 'busy',
  });
  await rpc.call('turn/stop', { sessionId, turnId });
  await session.closed(turnId);
});
