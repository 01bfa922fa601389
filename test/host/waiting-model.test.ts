/** Messages that are sent while no model can answer: they keep, and go as soon as one can. */
import { afterEach, expect, it } from 'vitest';
import { freePort } from '../helpers/free-port.ts';
import { AndironError } from '../../src/protocol/errors.ts';
import { openDatabase } from '../../src/host/store/sqlite.ts';
import { reply, startSim, type SimOptions } from '../../src/sim/index.ts';
import { House, type HouseOptions, type SessionView } from '../helpers/host-world.ts';

const cleanUps: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).toReversed()) await cleanUp();
});

const model = { name: 'qwen3.5:9b', family: 'qwen3.5' } as const;

/** A house that has found no engine at its address. */
async function withoutEngine(options: HouseOptions = {}) {
  const port = await freePort();
  const house = await House.open(`http://127.0.0.1:${String(port)}`, { ...options, simulated: true });
  cleanUps.push(() => house.close());
  await house.engineUntil(({ status }) => status.kind === 'absent');
  return { house, port, session: await house.openSession() };
}

/** An engine appears at that address, and is looked for. */
async function appear(house: House, port: number, options: SimOptions = {}) {
  const sim = await startSim({
    port,
    speed: 200,
    models: [model],
    script: () => reply().text('Here.'),
    ...options,
  });
  cleanUps.push(() => sim.close());
  await house.openEngineRoom().call('engine/refresh', {});
  return sim;
}

const waits = ({ state }: SessionView): (string | undefined)[] =>
  state.turns.filter(({ status }) => status === 'queued').map(({ waitsFor }) => waitsFor);

it('a message without an engine waits, fails nothing, and is sent when a model is ready (audit-U5)', async () => {
  const { house, port, session } = await withoutEngine();
  const [first, second] = [await session.send('First'), await session.send('Second')];
  await session.until(({ turns }) => turns.every(({ waitsFor }) => waitsFor === 'model'));
  expect(waits(session)).toEqual(['model', 'model']);
  expect(session.state.items).toEqual([]);
  expect(session.state.session.status).toBe('idle');
  await appear(house, port);
  expect((await session.closed(first)).status).toBe('finished');
  expect((await session.closed(second)).status).toBe('finished');
  expect(session.items('user').map(({ text }) => text)).toEqual(['First', 'Second']);
  expect(session.items('error')).toEqual([]);
});

it('a message waits for a model that is still to be installed (audit-U5)', async () => {
  const { house, port, session } = await withoutEngine();
  const pullable = [{ ...model, bytes: 1e6, bytesPerSecond: 1e9 }];
  await appear(house, port, { models: [], pullable });
  await house.engineUntil(({ modelsReadAt, models }) => modelsReadAt !== null && models.length === 0);
  const turnId = await session.send('First');
  await session.until(({ turns }) => turns[0]?.waitsFor === 'model');
  await house.openEngineRoom().call('model/pull', { model: model.name });
  expect((await session.closed(turnId)).status).toBe('finished');
});

it('a message that waits for a model is kept over a restart, and sent without its session being opened (audit-U5)', async () => {
  const { house, port, session } = await withoutEngine();
  const turnId = await session.send('First');
  await house.restartHost();
  const { sessions } = await house.openWindow().rpc.call('host/subscribe', {});
  expect(sessions.map(({ title, status }) => `${title} ${status}`)).toEqual(['First idle']);
  const sim = await appear(house, port);
  await sim.truth.next('request-finished', ({ request }) => request?.endpoint === '/api/chat');
  const again = await house.openWindow().follow(session.sessionId);
  expect((await again.closed(turnId)).status).toBe('finished');
});

it('a message whose session cannot be read when a model is there is sent with the next change (audit-U5)', async () => {
  let isBroken = false;
  const failed = Promise.withResolvers<void>();
  const { house, port, session } = await withoutEngine({
    openDatabase(path) {
      const database = openDatabase(path);
      return {
        ...database,
        query(sql, row) {
          const query = database.query(sql, row);
          if (!/FROM turns WHERE session_id/.test(sql)) return query;
          const all: typeof query.all = (...params) => {
            if (!isBroken) return query.all(...params);
            failed.resolve();
            throw new AndironError('storage', 'The disk cannot be read.', 'Look at the disk.');
          };
          return { ...query, all };
        },
      };
    },
  });
  const turnId = await session.send('First');
  await house.restartHost();
  isBroken = true;
  const pullable = [{ name: 'spare:1b', family: 'qwen3.5', bytes: 1e6, bytesPerSecond: 1e9 } as const];
  const sim = await appear(house, port, { pullable });
  await failed.promise;
  isBroken = false;
  const sent = sim.truth.next('request-finished', ({ request }) => request?.endpoint === '/api/chat');
  await house.openEngineRoom().call('model/pull', { model: 'spare:1b' });
  await sent;
  const again = await house.openWindow().follow(session.sessionId);
  expect((await again.closed(turnId)).status).toBe('finished');
});

it('a message that waits for a model is changed and taken back like any other (audit-U5)', async () => {
  const { house, port, session } = await withoutEngine();
  const { sessionId } = session;
  const [first, second] = [await session.send('First'), await session.send('Second')];
  await session.rpc.call('turn/edit-queued', { sessionId, turnId: second, text: 'Another' });
  await session.rpc.call('turn/stop', { sessionId, turnId: first });
  await appear(house, port);
  await session.closed(second);
  expect(session.items('user').map(({ text }) => text)).toEqual(['Another']);
});

it('a message for a model that is gone is sent when another one is chosen (audit-U5)', async () => {
  const { house, port, session } = await withoutEngine();
  await appear(house, port);
  await house.engineUntil(({ models }) => models.length > 0);
  const { sessionId } = session;
  await session.rpc.call('session/update', { sessionId, model: 'gone:1b' });
  const turnId = await session.send('First');
  await session.until(({ turns }) => turns[0]?.waitsFor === 'model');
  await session.rpc.call('session/update', { sessionId, model: null });
  expect((await session.closed(turnId)).status).toBe('finished');
});

it('a program that asks without an engine is told so at once (audit-U5)', async () => {
  const { session } = await withoutEngine();
  const { sessionId } = session;
  const waiting = await session.send('First');
  const told = await session.rpc.call('turn/run', { sessionId, text: 'Second' });
  expect(told).toMatchObject({ status: 'failed', code: 'engine_unavailable' });
  expect(session.turn(waiting)).toMatchObject({ status: 'queued', waitsFor: 'model' });
});
