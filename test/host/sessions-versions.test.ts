/** Edited, asked again, reset, summarised and undone: what the model reads is what the person sees in force. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { reply } from '../../src/sim/index.ts';
import type { SessionView, World } from '../helpers/host-world.ts';
import { assertValidLogs, numbersRead, speakingWorld, storedLog } from '../helpers/session-world.ts';

let world: World;
let session: SessionView;
let sessionId: string;
beforeEach(async () => {
  world = await speakingWorld();
  session = await world.openSession();
  sessionId = session.sessionId;
});
afterEach(async () => {
  assertValidLogs(world);
  await world.close();
});

const log = () => storedLog(world, sessionId);
const inForce = (): string[] =>
  session.state.turns.filter(({ replaced }) => !replaced).map(({ text }) => text);
const busy = { code: 'busy', advice: expect.stringMatching(/./) };

async function say(...texts: string[]): Promise<string[]> {
  const ids: string[] = [];
  for (const text of texts) ids.push((await session.ask(text)).id);
  return ids;
}

const versionsOf = (turnId: string) => session.turn(turnId)?.versions;
const choose = (turnId: string) => session.rpc.call('turn/choose-version', { sessionId, turnId });

describe('turn/edit and turn/regenerate', () => {
  it('an edited turn and all after it become an earlier version, and the new one starts before it', async () => {
    const [, second = '', third = ''] = await say('#1', 'read #2', '#3');
    const { turnId } = await session.rpc.call('turn/edit', { sessionId, turnId: second, text: 'read #4' });
    expect((await session.closed(turnId)).status).toBe('finished');
    expect(inForce()).toEqual(['#1', 'read #4']);
    expect(session.turn(third)?.replaced).toBe(true);
    expect(numbersRead(log())).toEqual(['1', '4']);
    expect(session.items('user').map(({ text }) => text)).toEqual(['#1', 'read #2', '#3', 'read #4']);
    const requests = world.sim.truth.requests.filter(({ endpoint }) => endpoint === '/api/chat');
    expect(JSON.stringify(requests.at(-1)?.body)).not.toMatch(/#2|#3/);
  });

  it('the same message is asked again, the first one too', async () => {
    const [first = ''] = await say('#1', '#2');
    const { turnId } = await session.rpc.call('turn/regenerate', { sessionId, turnId: first });
    await session.closed(turnId);
    expect(inForce()).toEqual(['#1']);
    expect(numbersRead(log())).toEqual(['1']);
    expect(log()[0]?.content).toContain('Workspace folder');
  });

  it('a second window and a restart show the same versions', async () => {
    const [first = ''] = await say('#1', '#2');
    const { turnId } = await session.rpc.call('turn/regenerate', { sessionId, turnId: first });
    await session.closed(turnId);
    const second = await world.openWindow().follow(sessionId);
    expect(second.state.turns).toEqual(session.state.turns);
    await world.restartHost();
    const later = await world.openWindow().follow(sessionId);
    expect(later.state.turns).toEqual(session.state.turns);
  });

  it('an earlier version is chosen again with all that followed in it, and the other one back (audit-U9)', async () => {
    const [, second = '', third = ''] = await say('#1', '#2', '#3');
    const { turnId } = await session.rpc.call('turn/edit', { sessionId, turnId: second, text: '#4' });
    await session.closed(turnId);
    expect(versionsOf(turnId)).toEqual([second, turnId]);
    await choose(second);
    expect([inForce(), numbersRead(log())]).toEqual([
      ['#1', '#2', '#3'],
      ['1', '2', '3'],
    ]);
    expect([versionsOf(second), session.turn(third)?.switchable]).toEqual([[second, turnId], undefined]);
    await say('#5');
    await choose(turnId);
    expect([inForce(), numbersRead(log())]).toEqual([
      ['#1', '#4'],
      ['1', '4'],
    ]);
    await choose(second);
    expect([inForce(), numbersRead(log())]).toEqual([
      ['#1', '#2', '#3', '#5'],
      ['1', '2', '3', '5'],
    ]);
  });

  it('versions within a version stay beside each other while the outer one changes', async () => {
    const [first = '', second = ''] = await say('#1', '#2');
    const inner = (await session.rpc.call('turn/edit', { sessionId, turnId: second, text: '#3' })).turnId;
    await session.closed(inner);
    const outer = (await session.rpc.call('turn/regenerate', { sessionId, turnId: first })).turnId;
    await session.closed(outer);
    expect(inForce()).toEqual(['#1']);
    await choose(first);
    expect(inForce()).toEqual(['#1', '#3']);
    await choose(second);
    expect([inForce(), numbersRead(log())]).toEqual([
      ['#1', '#2'],
      ['1', '2'],
    ]);
    await expect(choose(second)).resolves.toEqual({});
    await expect(choose('turn_none')).rejects.toMatchObject({ code: 'not_found' });
  });

  it('a version that was chosen again is in force after a restart, too, and in a second window', async () => {
    const [first = ''] = await say('#1', '#2');
    await session.rpc.call('todo/update', { sessionId, todo: { steps: [aStep] } });
    const { turnId } = await session.rpc.call('turn/regenerate', { sessionId, turnId: first });
    await session.closed(turnId);
    await session.rpc.call('todo/update', { sessionId, todo: { steps: [] } });
    await choose(first);
    const second = await world.openWindow().follow(sessionId);
    expect(second.state.turns).toEqual(session.state.turns);
    await world.restartHost();
    const later = await world.openWindow().follow(sessionId);
    expect(later.state.turns).toEqual(session.state.turns);
    expect(later.state.todo).toEqual({ steps: [aStep] });
    expect(numbersRead(log())).toEqual(['1', '2']);
  });

  it('a version that is taken back before it began brings back the one that was in force', async () => {
    const [first = ''] = await say('#1', '#2');
    const other = (await session.rpc.call('turn/edit', { sessionId, turnId: first, text: '#3' })).turnId;
    await session.closed(other);
    await choose(first);
    let names: string[] = [];
    await world.engineUntil(({ models }) => (names = models.map(({ name }) => name)).length > 0);
    const room = world.openEngineRoom();
    for (const model of names) await vi.waitFor(() => room.call('model/delete', { model }), 60_000);
    await world.engineUntil(({ models }) => models.length === 0);
    const { turnId } = await session.rpc.call('turn/regenerate', { sessionId, turnId: first });
    await session.until(({ turns }) => turns.some(({ waitsFor }) => waitsFor === 'model'));
    await session.rpc.call('turn/stop', { sessionId, turnId });
    expect([inForce(), numbersRead(log()), versionsOf(first)]).toEqual([
      ['#1', '#2'],
      ['1', '2'],
      [first, other],
    ]);
  });

  it('is refused while a turn runs, for an earlier version, and for what does not exist', async () => {
    const [first = ''] = await say('#1');
    const running = await session.send('hang');
    await expect(session.rpc.call('turn/regenerate', { sessionId, turnId: first })).rejects.toMatchObject(
      busy,
    );
    await session.rpc.call('turn/stop', { sessionId });
    await session.closed(running);
    const { turnId } = await session.rpc.call('turn/regenerate', { sessionId, turnId: first });
    await session.closed(turnId);
    for (const gone of [first, running, 'turn_none'])
      await expect(
        session.rpc.call('turn/edit', { sessionId, turnId: gone, text: 'x' }),
      ).rejects.toMatchObject({ code: 'not_found', advice: expect.stringMatching(/\w/) });
    expect(inForce()).toEqual(['#1']);
  });

  it('a failed or stopped turn can be asked again', async () => {
    const [, failed = ''] = await say('#1', 'refuse #2');
    const { turnId } = await session.rpc.call('turn/edit', { sessionId, turnId: failed, text: '#3' });
    await session.closed(turnId);
    expect(numbersRead(log())).toEqual(['1', '3']);
    expect(session.state.session.status).toBe('idle');
  });
});

describe('session/reset (L2)', () => {
  it('empties context, todo list and scratchpad, and what was said stays as an earlier version', async () => {
    await say('#1', 'read #2');
    await session.rpc.call('todo/update', { sessionId, todo: { steps: [aStep] } });
    await session.rpc.call('session/reset', { sessionId });
    expect(log()).toEqual([]);
    expect(inForce()).toEqual([]);
    expect(session.state).toMatchObject({ todo: { steps: [] }, context: { usedTokens: 0, estimated: true } });
    expect(session.items('user')).toHaveLength(2);
    await say('#3');
    expect(numbersRead(log())).toEqual(['3']);
    expect(inForce()).toEqual(['#3']);
  });

  it('an empty session stays one, and a running one is refused', async () => {
    await session.rpc.call('session/reset', { sessionId });
    const running = await session.send('hang');
    await expect(session.rpc.call('session/reset', { sessionId })).rejects.toMatchObject(busy);
    await session.rpc.call('turn/stop', { sessionId });
    await session.closed(running);
  });
});

const aStep = {
  id: 'step_1',
  text: 'Do it',
  milestone: null,
  executor: { kind: 'self' as const },
  status: 'pending' as const,
  check: null,
  validation: null,
  evidence: null,
  parentId: null,
};

const compact = async (): Promise<string> => {
  const { turnId } = await session.rpc.call('session/compact', { sessionId });
  await session.closed(turnId);
  return turnId;
};
const undo = (itemId: string) => session.rpc.call('session/undo-compaction', { sessionId, itemId });
const summaries = () => session.items('summary');

describe('session/compact and session/undo-compaction', () => {
  it('the model summarises older turns, shown as a phase, and undoing brings back what was before and since', async () => {
    await say('#1', 'read #2', '#3');
    const before = log();
    const turnId = await compact();
    const phases = session.events.flatMap(({ turnId: id, event }) =>
      id === turnId && event.type === 'turn/phase' ? [event.phase] : [],
    );
    expect(phases).toContain('compacting');
    expect(session.turn(turnId)?.status).toBe('finished');
    expect(summaries()).toMatchObject([{ by: 'model', text: 'Goal: go on.', turnId, undone: false }]);
    expect(numbersRead(log())).not.toContain('1');

    await say('#4');
    const since = log().slice(-2);
    await undo(summaries()[0]?.id ?? '');
    expect(log()).toEqual([...before, ...since]);
    expect(summaries()[0]?.undone).toBe(true);
    await say('#5');
    expect(numbersRead(log())).toEqual(['1', '2', '3', '4', '5']);
    await expect(undo(summaries()[0]?.id ?? '')).rejects.toMatchObject({ code: 'not_found' });
  });

  it('summaries on summaries are undone from the newest on', async () => {
    await say('#1', '#2');
    await compact();
    await say('#3');
    await compact();
    const [older = '', newer = ''] = summaries().map(({ id }) => id);
    await expect(undo(older)).rejects.toMatchObject({
      advice: expect.stringContaining('newer summary first'),
    });
    await undo(newer);
    await undo(older);
    expect(numbersRead(log())).toEqual(['1', '2', '3']);
  });

  it('can be undone after a later turn was edited and after a restart, and not when a turn before it was', async () => {
    const [, second = ''] = await say('#1', '#2');
    await compact();
    const [third = ''] = await say('#3');
    const edited = await session.rpc.call('turn/edit', { sessionId, turnId: third, text: '#4' });
    await session.closed(edited.turnId);
    await world.restartHost();
    session = await world.openWindow().follow(sessionId);
    await undo(summaries()[0]?.id ?? '');
    expect(numbersRead(log())).toEqual(['1', '2', '4']);

    await compact();
    const again = await session.rpc.call('turn/edit', { sessionId, turnId: second, text: '#5' });
    await session.closed(again.turnId);
    await expect(undo(summaries()[1]?.id ?? '')).rejects.toMatchObject({ code: 'not_found' });
    expect(inForce()).toEqual(['#1', '#5']);
  });

  it('is stopped like a turn, and the context is as it was', async () => {
    await world.close();
    world = await speakingWorld({
      sim: {
        script: (request) =>
          request.lastUser.includes('Write a summary') ? reply().prefill(60) : reply().text('x'.repeat(900)),
        speed: 1_000,
      },
    });
    session = await world.openSession();
    ({ sessionId } = session);
    await say('#1', '#2');
    const before = log();
    const { turnId } = await session.rpc.call('session/compact', { sessionId });
    await session.until(() => session.turn(turnId)?.phase === 'compacting');
    await expect(session.rpc.call('session/compact', { sessionId })).rejects.toMatchObject(busy);
    await session.rpc.call('turn/stop', { sessionId, turnId });
    expect((await session.closed(turnId)).status).toBe('stopped');
    expect(log()).toEqual(before);
    expect(summaries()).toEqual([]);
  });

  it('says when there is nothing to summarise, or no such summary', async () => {
    await say('#1');
    await expect(session.rpc.call('session/compact', { sessionId })).rejects.toMatchObject({
      code: 'not_found',
      message: expect.stringContaining('nothing to summarise'),
    });
    await expect(undo('item_none')).rejects.toMatchObject({
      code: 'not_found',
      advice: expect.stringContaining('nothing to undo'),
    });
    expect(session.state.turns).toHaveLength(1);
  });
});
