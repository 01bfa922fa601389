/** Deleted with undo, found by words, and the todo list in the person's hands. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { systemClock } from '../../src/platform/clock.ts';
import type { HostEvent } from '../../src/protocol/events.ts';
import type { SessionView, World } from '../helpers/host-world.ts';
import { speakingWorld, storedLog, storedLogs } from '../helpers/session-world.ts';

const day = 24 * 60 * 60 * 1000;

let world: World;
let session: SessionView;
let sessionId: string;
/** Days that have passed since the start. */
let days: number;
beforeEach(async () => {
  days = 0;
  world = await speakingWorld({ clock: { ...systemClock, now: () => systemClock.now() + days * day } });
  session = await world.openSession();
  sessionId = session.sessionId;
});
afterEach(() => world.close());

const listed = async () =>
  (await world.openWindow().rpc.call('host/subscribe', {})).sessions.map(({ id }) => id);

it('a name and a pin do not make a session new: it keeps its place among the days', async () => {
  await session.ask('#1');
  const { rpc } = world.openWindow();
  const summary = async () => (await rpc.call('host/subscribe', {})).sessions[0];
  const before = await summary();
  days = 3;
  await rpc.call('session/update', { sessionId, title: 'Lamp', pinned: true });
  expect(await summary()).toMatchObject({ title: 'Lamp', pinned: true, updatedAt: before?.updatedAt });
  await session.ask('#2');
  expect((await summary())?.updatedAt).toBeGreaterThan((before?.updatedAt ?? 0) + 2 * day);
});

describe('session/delete and session/restore', () => {
  it('a deleted session is nowhere, and comes back with all that was said', async () => {
    await session.ask('#1');
    const before = storedLog(world, sessionId);
    const told: HostEvent[] = [];
    const window = world.openWindow();
    window.rpc.onEvent((topic, _seq, event) => {
      if (topic === 'host') told.push(event as HostEvent);
    });
    await window.rpc.call('host/subscribe', {});
    await window.rpc.call('session/delete', { sessionId });
    expect(await listed()).toEqual([]);
    await expect(session.send('#2')).rejects.toMatchObject({ code: 'not_found' });
    await expect(window.follow(sessionId)).rejects.toMatchObject({ code: 'not_found' });

    const { session: restored } = await window.rpc.call('session/restore', { sessionId });
    expect(restored.id).toBe(sessionId);
    expect(told.map(({ type }) => type)).toEqual(['session/removed', 'session/upserted']);
    expect(await listed()).toEqual([sessionId]);
    const view = await world.openWindow().follow(sessionId);
    expect(view.items('user').map(({ text }) => text)).toEqual(['#1']);
    expect(storedLog(world, sessionId)).toEqual(before);
    expect((await view.ask('#2')).status).toBe('finished');
  });

  it('a running turn is stopped, and what waited is there after the undo', async () => {
    await session.send('hang');
    await session.until(() => session.items('text').length > 0);
    await session.send('#2');
    await session.rpc.call('session/delete', { sessionId });
    await world.rest();
    await session.rpc.call('session/restore', { sessionId });
    const view = await world.openWindow().follow(sessionId);
    expect(view.state.turns.map(({ status }) => status)).toEqual(['stopped', 'queued']);
  });

  it('a deleted session can be had back for seven days, over restarts, and then it is gone', async () => {
    await session.ask('#1');
    const other = await world.openSession();
    await session.rpc.call('session/delete', { sessionId });
    days = 6;
    await world.restartHost();
    expect(await listed()).toEqual([other.sessionId]);
    const { rpc } = world.openWindow();
    await rpc.call('session/restore', { sessionId });
    await rpc.call('session/delete', { sessionId });
    days = 14;
    await world.restartHost();
    await expect(world.openWindow().rpc.call('session/restore', { sessionId })).rejects.toMatchObject({
      code: 'not_found',
      advice: expect.stringContaining('seven days'),
    });
    expect(storedLogs(world).map((log) => log.sessionId)).toEqual([other.sessionId]);
  });

  it('what was not deleted cannot be restored', async () => {
    for (const id of [sessionId, 'ses_none'])
      await expect(session.rpc.call('session/restore', { sessionId: id })).rejects.toMatchObject({
        code: 'not_found',
      });
  });
});

const search = (query: string) => session.rpc.call('session/search', { query });

describe('session/search', () => {
  it('finds a message with its turn and its words, as soon as it was said', async () => {
    const { id: turnId } = await session.ask('Wo ist das MÜSLI?');
    const { hits, complete } = await search('müsli');
    expect(complete).toBe(true);
    expect(hits).toMatchObject([
      { sessionId, itemId: null, turnId: null, snippet: 'Wo ist das MÜSLI?' },
      { sessionId, itemId: session.items('user')[0]?.id, turnId, snippet: 'Wo ist das MÜSLI?' },
    ]);
    expect((await search('%')).hits).toEqual([]);
  });

  it('a question without words is refused', async () => {
    await expect(search('  ')).rejects.toMatchObject({ code: 'invalid_params' });
  });
});

describe('todo/update', () => {
  const step = {
    id: 'step_1',
    text: 'Do it',
    milestone: null,
    executor: { kind: 'self' as const },
    status: 'done' as const,
    check: null,
    validation: null,
    evidence: null,
    parentId: null,
  };

  it("the person's list is told, kept over a restart, and may be changed while a turn runs", async () => {
    await session.rpc.call('todo/update', { sessionId, todo: { steps: [step] } });
    expect(session.state.todo).toEqual({ steps: [step] });
    const running = await session.send('hang');
    await session.rpc.call('todo/update', { sessionId, todo: { steps: [step, { ...step, id: 'step_2' }] } });
    expect(session.state.todo?.steps).toHaveLength(2);
    await session.rpc.call('turn/stop', { sessionId });
    await session.closed(running);
    await world.restartHost();
    const view = await world.openWindow().follow(sessionId);
    expect(view.state.todo?.steps.map(({ id }) => id)).toEqual(['step_1', 'step_2']);
  });

  it('a list that is none is refused', async () => {
    const todo = { steps: [{ ...step, status: 'perhaps' as 'done' }] };
    await expect(session.rpc.call('todo/update', { sessionId, todo })).rejects.toMatchObject({
      code: 'invalid_params',
    });
    expect(session.state.todo).toBeUndefined();
  });
});
