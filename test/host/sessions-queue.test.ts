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
  await session.rpc.call('turn/resume', { sessionId });
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
  await session.rpc.call('turn/resume', { sessionId: session.sessionId });
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

/** The running turn is stopped by the person, and over. */
async function stopped(): Promise<void> {
  await session.rpc.call('turn/stop', { sessionId: session.sessionId });
  await session.closed(id(0));
}

const turnTexts = (): string[] => session.state.turns.map(({ text }) => text);
const isHeld = (): boolean[] =>
  session.state.turns
    .filter(({ status }) => status === 'queued')
    .map(({ waitsFor }) => waitsFor === 'person');

it('after Stop the queue waits, and each message is sent when the person says so (audit-U6)', async () => {
  const { sessionId } = session;
  await stopped();
  expect(waiting()).toEqual(['#1', '#2', '#3']);
  expect(isHeld()).toEqual([true, true, true]);
  expect(session.state.session.status).toBe('idle');
  await session.rpc.call('turn/resume', { sessionId, turnId: id(2) });
  await session.closed(id(2));
  expect(said()).toEqual(['hang', '#2']);
  expect(waiting()).toEqual(['#1', '#3']);
  await session.rpc.call('turn/edit-queued', { sessionId, turnId: id(3), text: '#33' });
  await session.rpc.call('turn/stop', { sessionId, turnId: id(1) });
  await session.rpc.call('turn/resume', { sessionId, turnId: id(3) });
  await session.closed(id(3));
  expect(said()).toEqual(['hang', '#2', '#33']);
  expect(waiting()).toEqual([]);
});

it('a new message goes past those that wait after Stop, and starts none of them (audit-U6)', async () => {
  const { sessionId } = session;
  await stopped();
  await session.ask('#4');
  await session.ask('#5');
  expect(said()).toEqual(['hang', '#4', '#5']);
  expect(waiting()).toEqual(['#1', '#2', '#3']);
  // What began stands in the order in which it began, here and in the store.
  expect(turnTexts()).toEqual(['hang', '#4', '#5', '#1', '#2', '#3']);
  await world.restartHost();
  session = await world.openWindow().follow(sessionId);
  expect(turnTexts()).toEqual(['hang', '#4', '#5', '#1', '#2', '#3']);
  await session.rpc.call('turn/resume', { sessionId, turnId: id(2) });
  await session.closed(id(2));
  expect(turnTexts()).toEqual(['hang', '#4', '#5', '#2', '#1', '#3']);
});

it('a message that is sent while Stop takes effect is sent, and what waited stays (audit-U6)', async () => {
  const { sessionId } = session;
  await session.rpc.call('turn/stop', { sessionId });
  await session.ask('#4');
  expect(said()).toEqual(['hang', '#4']);
  expect(waiting()).toEqual(['#1', '#2', '#3']);
});

it('after a restart a new message starts nothing that was queued before it (audit-U6)', async () => {
  const { sessionId } = session;
  await world.restartHost();
  session = await world.openWindow().follow(sessionId);
  expect(isHeld()).toEqual([true, true, true]);
  await session.ask('#4');
  expect(said()).toEqual(['hang', '#4']);
  expect(waiting()).toEqual(['#1', '#2', '#3']);
  expect(isHeld()).toEqual([true, true, true]);
});

it('a message that waits after Stop is never moved before one that runs by itself (audit-U6)', async () => {
  const { sessionId } = session;
  await stopped();
  const hanging = await session.send('hang');
  const next = await session.send('#6');
  await session.rpc.call('turn/move', { sessionId, turnId: id(1), before: next });
  expect(waiting()).toEqual(['#6', '#1', '#2', '#3']);
  await session.rpc.call('turn/move', { sessionId, turnId: id(3), before: id(1) });
  expect(waiting()).toEqual(['#6', '#3', '#1', '#2']);
  await session.rpc.call('turn/resume', { sessionId, turnId: id(2) });
  expect(waiting()).toEqual(['#6', '#2', '#3', '#1']);
  await session.rpc.call('turn/stop', { sessionId, turnId: hanging });
  await session.closed(hanging);
  expect(isHeld()).toEqual([true, true, true, true]);
});
