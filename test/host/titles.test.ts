/** Sessions get their titles from the model that answered them, while nobody waits for it. */
import { demoOptions } from '../../src/sim/demo/index.ts';
import { afterEach, expect, it } from 'vitest';
import {
  FAMILY_MODELS,
  reply,
  rule,
  script,
  sequence,
  type Script,
  type SimModelOptions,
} from '../../src/sim/index.ts';
import { World, type SessionView, type WorldOptions } from '../helpers/host-world.ts';
import { skippableClock } from '../helpers/skippable-clock.ts';

const question = 'The retry delay is doubled once too often';
const isTitle = { user: /^Write a title for this conversation/ };
const naming = (...titles: string[]): Script => {
  const left = [...titles];
  return script([
    rule(isTitle, () => reply().text(left.shift() ?? 'Nothing is left')),
    rule({}, reply().text('It grows only between retries now.')),
  ]);
};

let world: World;
afterEach(() => world.close());

async function start(options: WorldOptions) {
  const clock = skippableClock();
  world = await World.start({ clock, ...options });
  return {
    clock,
    /** Nobody does anything for a while: longer than a question takes to reach the engine, and until it is answered. */
    idle: async (): Promise<void> => {
      await world.rest();
      clock.skip(3_000);
      const room = world.openEngineRoom();
      for (let times = 0; times < 5; times += 1) await room.call('engine/refresh', {});
      await world.rest();
    },
  };
}

const asked = () =>
  world.sim.truth.requests.filter(({ body }) => JSON.stringify(body).includes('Write a title for this'));
const titled = (view: SessionView, title: string): Promise<void> =>
  view.until(({ session }) => session.title === title);
const titleOf = ({ state }: SessionView): string => state.session.title;

it('the model that answered names the session once it is idle, and the list hears of it (audit-U7)', async () => {
  const { idle } = await start({ sim: { script: naming('Retry delay') } });
  const session = await world.openSession();
  await session.ask(question);
  expect([titleOf(session), asked().length]).toEqual([question, 0]);
  await idle();
  await titled(session, 'Retry delay');
  const { sessions } = await session.rpc.call('host/subscribe', {});
  expect(sessions[0]).toMatchObject({ title: 'Retry delay', titledBy: 'model' });
});

it('a title that the person wrote is never asked for again, nor is one that they write meanwhile replaced (audit-U7)', async () => {
  const { idle } = await start({ sim: { script: naming('Retry delay') } });
  const session = await world.openSession();
  const { rpc, sessionId } = session;
  await session.ask(question);
  await rpc.call('session/update', { sessionId, title: 'Mine' });
  await idle();
  await session.ask('And the tests?');
  await idle();
  expect([titleOf(session), asked().length]).toEqual(['Mine', 0]);
});

it('a useless reply keeps what the session was called, and is not asked for again after the next answer', async () => {
  const { idle } = await start({ sim: { script: naming('{"call":"read_file"}', 'Retry delay') } });
  const session = await world.openSession();
  await session.ask(question);
  await idle();
  await session.ask('And the tests?');
  await idle();
  expect([titleOf(session), asked().length]).toEqual([question, 1]);
});

it('a session that goes on is asked about at its fourth answer, and renamed only for another subject', async () => {
  const { idle } = await start({ sim: { script: naming('Retry delay', 'Release notes') } });
  const session = await world.openSession();
  await session.ask(question);
  await idle();
  for (const message of ['One', 'Two']) await session.ask(message);
  await idle();
  expect(asked()).toHaveLength(1);
  await session.ask('Three');
  await idle();
  await titled(session, 'Release notes');
  expect(JSON.stringify(asked()[1]?.body)).toContain('It is called “Retry delay” so far');
});

it('a copy keeps the title with its number until something is answered in it, and then has its own', async () => {
  const { idle } = await start({ sim: { script: naming('Retry delay', 'Retry delay with jitter') } });
  const session = await world.openSession();
  await session.ask(question);
  await idle();
  await titled(session, 'Retry delay');
  const { session: copy } = await session.rpc.call('session/fork', { sessionId: session.sessionId });
  expect(copy).toMatchObject({ title: 'Retry delay (2)', forkedFrom: session.sessionId, titledBy: 'model' });
  const view = await world.openWindow().follow(copy.id);
  await view.ask('Add jitter');
  await idle();
  await titled(view, 'Retry delay with jitter');
  expect(titleOf(session)).toBe('Retry delay');
});

it('a message that comes meanwhile calls the question off, and the session is asked about after its answer', async () => {
  const slow = script([
    rule(isTitle, sequence(reply().tokensPerSecond(1).text('Retry delay'), reply().text('Retry delay'))),
    rule({}, reply().text('Done.')),
  ]);
  const { idle, clock } = await start({ sim: { script: slow } });
  const session = await world.openSession();
  await session.ask(question);
  await world.rest();
  clock.skip(3_000);
  await expect.poll(() => asked().length).toBe(1);
  await expect.poll(() => asked()[0]?.generated ?? 0).toBeGreaterThan(0);
  expect((await session.ask('And the tests?')).status).toBe('finished');
  const [title] = asked();
  expect([titleOf(session), title?.outcome]).toEqual([question, 'closed']);
  // It waits for nothing but its own tokens: the question had left before, and took nothing of the cache with it.
  const message = world.sim.truth.requests.findLast(
    ({ endpoint, body }) => endpoint === '/api/chat' && JSON.stringify(body).includes('And the tests?'),
  );
  expect(message?.receivedAt).toBeGreaterThanOrEqual(title?.closedByClientAt ?? Infinity);
  expect(message?.evaluated).toBeLessThan(80);
  await idle();
  await expect.poll(() => asked().length).toBe(2);
  await titled(session, 'Retry delay');
});

it('nothing is asked once another session has the cache, and nothing of a turn that a program sent', async () => {
  const { idle, clock } = await start({ sim: { script: naming('Retry delay') } });
  const session = await world.openSession();
  await session.rpc.call('turn/run', { sessionId: session.sessionId, text: question });
  await idle();
  await session.ask('And the tests?');
  const other = await world.openSession();
  await other.rpc.call('session/update', { sessionId: other.sessionId, title: 'Mine' });
  await other.ask('Something else');
  await world.rest();
  clock.skip(3_000);
  await world.rest();
  expect(asked()).toEqual([]);
});

/** Tokens that the engine read for a session of two messages: for its title, for the second message, and for all of it. */
async function read(model: SimModelOptions, isNamed: boolean) {
  const { idle } = await start({ sim: { script: naming('Retry delay'), models: [model] } });
  const session = await world.openSession();
  await session.ask(question);
  await world.rest();
  if (isNamed) await session.rpc.call('session/update', { sessionId: session.sessionId, title: 'Mine' });
  await idle();
  await session.ask('And the tests?');
  await idle();
  const { requests } = world.sim.truth;
  const next = requests.find(({ body }) => JSON.stringify(body).includes('And the tests?'));
  const title = asked().map(({ evaluated }) => evaluated);
  const all = requests.reduce((sum, { evaluated }) => sum + evaluated, 0);
  await world.close();
  return { title, next: next?.evaluated ?? -1, all };
}

it.each(FAMILY_MODELS.map((model) => [model.family, model] as const))(
  'a title has only its question read, and nothing is read again for it, on a model like %s',
  async (family, model) => {
    const [named, untitled] = [await read(model, true), await read(model, false)];
    // Its template writes the tools into the newest message, so nothing can be asked beside a conversation.
    const isAskable = family !== 'native-mistral-small-3.2';
    expect([named.title.length, untitled.title.length]).toEqual([0, isAskable ? 1 : 0]);
    // Paths of two runs differ by some tokens.
    expect(untitled.next).toBeLessThan(named.next + 8);
    expect(untitled.all - named.all).toBeLessThan(100);
  },
);

it('a title costs a model that thinks and keeps checkpoints nothing but its question', async () => {
  const { idle } = await start({ isDemo: true, sim: { ...demoOptions(), speed: 100 } });
  const session = await world.openSession();
  await session.ask('Hello there');
  // The next prompt is read ahead first.
  await world.rest();
  const ahead = () =>
    world.sim.truth.requests.filter(
      ({ endpoint, evaluated }) => endpoint === '/api/generate' && evaluated > 0,
    ).length;
  await expect.poll(ahead).toBe(2);
  await idle();
  await session.ask('Thanks');
  const [title] = asked();
  const next = world.sim.truth.requests.find(({ body }) => JSON.stringify(body).includes('Thanks'));
  expect([title?.evaluated, next?.evaluated]).toEqual([expect.any(Number), expect.any(Number)]);
  expect(Math.max(title?.evaluated ?? 0, next?.evaluated ?? 0)).toBeLessThan(100);
});

it('no model is asked for a title where the environment of Andiron turns that off', async () => {
  const { idle } = await start({ env: { ANDIRON_TITLES: 'off' }, sim: { script: naming('Retry delay') } });
  const session = await world.openSession();
  await session.ask(question);
  await idle();
  expect([titleOf(session), asked().length]).toEqual([question, 0]);
});
