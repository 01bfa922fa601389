/** Messages that wait: reworded, moved, taken back, and kept over a restart. */
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { SessionView, World } from '../helpers/host-world.ts';
import { speakingWorld } from '../helpers/session-world.ts';

let world: World;
let session: SessionView;
let ids: string[];
beforeEach(async () => {
  world = await speakingWorld();
  session = await world.openSession();
  ids = [];
  for (const text of ['hang', '#1', '#2', '#3']) ids.push(await session.send(text));
  await session.until(() => session.items('text').length > 0);
});
afterEach(() => world.close());

const id = (index: number): string => ids[index] ?? '';
const waiting = (): string[] =>
  session.state.turns.filter(({ status }) => status === 'queued').map(({ text }) => text);
const said = (): string[] => session.items('user').map(({ text }) => text);
const call = (turnId: string, before: string | null) =>
  session.rpc.call('turn/move', { sessionId: session.sessionId, turnId, before });

it('a message that waits can be reworded, and is sent so', async () => {
  const { sessionId } = session;
  await session.rpc.call('turn/edit-queued', { sessionId, turnId: id(2), text: '#22' });
  expect(waiting()).toEqual(['#1', '#22', '#3']);
  await session.rpc.call('turn/stop', { sessionId, turnId: id(0) });
  await session.closed(id(3));
  expect(said()).toEqual(['hang', '#1', '#22', '#3']);
});

it('a message that waits can be moved up, down and to the end, and runs in its new place', async () => {
  await call(id(3), id(1));
  expect(waiting()).toEqual(['#3', '#1', '#2']);
  await call(id(3), id(2));
  expect(waiting()).toEqual(['#1', '#3', '#2']);
  await call(id(1), null);
  expect(waiting()).toEqual(['#3', '#2', '#1']);
  await call(id(1), id(1));
  await call(id(1), null);
  expect(waiting()).toEqual(['#3', '#2', '#1']);
  await session.rpc.call('turn/stop', { sessionId: session.sessionId, turnId: id(0) });
  await session.closed(id(1));
  expect(said()).toEqual(['hang', '#3', '#2', '#1']);
});

it('a message that has begun, or is gone, is told as such', async () => {
  const { sessionId } = session;
  await session.rpc.call('turn/stop', { sessionId, turnId: id(1) });
  for (const turnId of [id(0), id(1)]) {
    await expect(call(turnId, null)).rejects.toMatchObject({ code: 'not_found' });
    await expect(call(id(3), turnId)).rejects.toMatchObject({ code: 'not_found' });
    await expect(
      session.rpc.call('turn/edit-queued', { sessionId, turnId, text: 'x' }),
    ).rejects.toMatchObject({ code: 'not_found' });
  }
  expect(waiting()).toEqual(['#2', '#3']);
});

it('the queue survives a restart in its order, and is sent with one call', async () => {
  const { sessionId } = session;
  await call(id(3), id(1));
  await session.rpc.call('turn/edit-queued', { sessionId, turnId: id(1), text: '#11' });
  await world.restartHost();
  session = await world.openWindow().follow(sessionId);
  expect(waiting()).toEqual(['#3', '#11', '#2']);
  expect(session.state.session.status).toBe('idle');
  await session.rpc.call('turn/resume', { sessionId });
  await session.closed(id(2));
  expect(said()).toEqual(['hang', '#3', '#11', '#2']);
  expect(session.state.turns.map(({ text }) => text)).toEqual(['hang', '#3', '#11', '#2']);
});

it('nothing is changed while messages wait', async () => {
  const { sessionId } = session;
  await world.restartHost();
  session = await world.openWindow().follow(sessionId);
  for (const refused of [
    session.rpc.call('turn/regenerate', { sessionId, turnId: id(0) }),
    session.rpc.call('session/reset', { sessionId }),
    session.rpc.call('session/compact', { sessionId }),
  ])
    await expect(refused).rejects.toMatchObject({ code: 'busy', advice: expect.stringContaining('first') });
  expect(waiting()).toHaveLength(3);
});
