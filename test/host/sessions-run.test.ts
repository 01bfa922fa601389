/** A1: a program sends a message and gets the final text. */
import { afterEach, describe, expect, it } from 'vitest';
import { reply, sequence } from '../../src/sim/index.ts';
import { type SessionView, type World } from '../helpers/host-world.ts';
import { speakingWorld } from '../helpers/session-world.ts';

const worlds: World[] = [];
afterEach(async () => {
  for (const world of worlds.splice(0)) await world.close();
});

async function open(options: Parameters<typeof speakingWorld>[0] = {}) {
  const world = await speakingWorld(options);
  worlds.push(world);
  return { world, session: await world.openSession() };
}

const run = (session: SessionView, text: string) =>
  session.rpc.call('turn/run', { sessionId: session.sessionId, text });

describe('turn/run (A1)', () => {
  it('runs the whole loop, tools included, and resolves with the final text when the turn is closed', async () => {
    const { session } = await open({
      sim: {
        script: sequence(
          reply().text('First I read.').toolCall('read_file', { path: 'notes.txt' }),
          reply().text('It says milk.'),
        ),
      },
    });
    const result = await run(session, 'What do the notes say?');
    expect(result).toEqual({
      turnId: expect.any(String),
      status: 'finished',
      text: 'It says milk.',
      code: null,
      cut: false,
      files: [],
      timedOut: false,
      usage: {
        inputTokens: expect.any(Number) as number,
        cachedTokens: expect.any(Number) as number,
        outputTokens: expect.any(Number) as number,
      },
    });
    expect(session.turn(result.turnId)?.closed).toBe(true);
    expect(session.items('tool')[0]?.state).toBe('done');
  });

  it('makes no plan where a message of a person makes one', async () => {
    const { world } = await open();
    const { profile } = await world.openWindow().rpc.call('profile/update', {
      profileId: 'developer',
      changes: { planningEnabled: true },
    });
    const session = await world.openSession(profile.id);
    const planned = new Set<string | null>();
    const { turnId } = await run(session, 'Do #1 and then #2');
    const person = await session.ask('Do #1 and then #2');
    for (const { turnId: id, event } of session.events) if (event.type === 'planning/status') planned.add(id);
    expect([...planned]).toEqual([person.id]);
    expect(planned.has(turnId)).toBe(false);
  });

  it('waits behind a running turn and never runs beside it (X12 o)', async () => {
    const { session } = await open();
    const hanging = await session.send('hang');
    await session.until(() => session.items('text').length > 0);
    const waiting = run(session, '#1');
    await session.until((state) => state.turns.some(({ status }) => status === 'queued'));
    await session.rpc.call('turn/stop', { sessionId: session.sessionId, turnId: hanging });
    const { turnId, status } = await waiting;
    expect(status).toBe('finished');
    const order = session.events.flatMap(({ turnId: id, event }) =>
      event.type === 'turn/started' || event.type === 'turn/closed' ? [`${String(id)} ${event.type}`] : [],
    );
    expect(order).toEqual([
      `${hanging} turn/started`,
      `${hanging} turn/closed`,
      `${turnId} turn/started`,
      `${turnId} turn/closed`,
    ]);
  });

  it('says that it was cancelled after a stop, and when it was taken back before it began', async () => {
    const { session } = await open();
    const { sessionId } = session;
    const running = run(session, 'hang');
    await session.until(() => session.items('text').length > 0);
    const waiting = run(session, '#2');
    await session.until((state) => state.turns.length === 2);
    await session.rpc.call('turn/stop', { sessionId, turnId: session.state.turns[1]?.id ?? '' });
    expect(await waiting).toMatchObject({ status: 'stopped', text: 'operation cancelled by user' });
    await session.rpc.call('turn/stop', { sessionId });
    expect(await running).toMatchObject({
      status: 'stopped',
      text: 'operation cancelled by user',
      code: null,
    });
  });

  it('a queued turn/run that outlives its host is not planned when it is sent again (audit-A4)', async () => {
    const { world } = await open();
    const { profile } = await world.openWindow().rpc.call('profile/update', {
      profileId: 'developer',
      changes: { planningEnabled: true },
    });
    const before = await world.openSession(profile.id);
    const { sessionId } = before;
    const asked = [run(before, 'hang')];
    await before.until(() => before.items('text').length > 0);
    asked.push(run(before, 'Do #1 and then #2'));
    await before.until((state) => state.turns.some(({ status }) => status === 'queued'));
    await world.restartHost();
    await Promise.allSettled(asked);
    const session = await world.openWindow().follow(sessionId);
    const queued = session.state.turns.find(({ status }) => status === 'queued');
    await session.rpc.call('turn/resume', { sessionId });
    const turn = await session.closed(queued?.id ?? '');
    expect(turn.status).toBe('finished');
    expect(session.events.filter(({ event }) => event.type === 'planning/status')).toEqual([]);
  });

  it('gives what there is at the step limit', async () => {
    const { session } = await open();
    const result = await run(session, 'forever');
    expect(result).toMatchObject({ status: 'max_iterations', code: null });
    expect(result.text).toMatch(/^Step \d+$/);
  });

  it('turn/run gives the text of an answer cut at its output limit (audit-A3, F7, F9)', async () => {
    const { session } = await open({
      sim: { script: sequence(reply().text('The first half').stop('limit'), reply().text('The rest.')) },
    });
    const result = await run(session, 'Tell me everything');
    expect(result).toMatchObject({ status: 'finished', text: 'The first half', code: null, cut: true });
    expect(session.turn(result.turnId)).toMatchObject({ status: 'finished', cut: true });
    expect(session.items('text')[0]?.cut).toBe(true);
    expect(await run(session, 'Continue.')).toMatchObject({ text: 'The rest.', cut: false });
  });

  it('gives the error as text, with its code', async () => {
    const { session } = await open();
    const result = await run(session, 'refuse');
    expect(result).toMatchObject({ status: 'failed', code: 'engine_refused' });
    expect(result.text).not.toBe('');
  });
});
