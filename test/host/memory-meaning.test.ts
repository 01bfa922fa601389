/** Facts are found by what they mean: from the simulated engine's vectors to the message that the model reads. */
import { afterEach, expect, it } from 'vitest';
import { EMBEDDING_MODEL, reply, rule, script } from '../../src/sim/index.ts';
import { ownerId } from '../../src/protocol/principal.ts';
import { World, type SessionView, type WorldOptions } from '../helpers/host-world.ts';
import { skippableClock, type SkippableClock } from '../helpers/skippable-clock.ts';

const chat = { name: 'qwen3.5:9b', family: 'qwen3.5' } as const;
const { name: embedder } = EMBEDDING_MODEL;
/** Shares no word with the fact, and means it. */
const paraphrase = 'Which one do I favour for editing?';

const remembering = script([
  rule(
    { user: /remember/i, resultCount: 0 },
    reply().toolCall('memory_save', { category: 'about', key: 'favourite editor', value: 'Helix' }),
  ),
  rule({ user: /look it up/i, resultCount: 0 }, reply().toolCall('memory_search', { query: paraphrase })),
  rule({}, reply().text('Good.')),
]);

let world: World;
let clock: SkippableClock;
afterEach(() => world.close());

const start = async (options: WorldOptions = {}): Promise<World> => {
  clock = skippableClock();
  return (world = await World.start({
    clock,
    ...options,
    sim: { script: remembering, models: [chat, EMBEDDING_MODEL], ...options.sim },
  }));
};

/** A session in which the fact was told, and all of it has a vector where that is possible. */
async function told(): Promise<SessionView> {
  const session = await world.openSession();
  await session.ask('Remember which editor it is.');
  return session;
}
const meaning = async ({ rpc }: SessionView) => (await rpc.call('memory/list', {})).meaning;
/** Vectors are made once nothing has happened for that long: passed at once, not waited for. */
async function quiet(): Promise<void> {
  await world.rest();
  clock.skip(2_000);
}
async function indexed(session: SessionView): Promise<void> {
  await quiet();
  await expect.poll(async () => (await meaning(session)).indexed).toBe(1);
}
const sent = (): string => JSON.stringify(world.sim.truth.last()?.body);
const note = 'Remembered about the user:';
const embeds = () => world.sim.truth.requests.filter(({ endpoint }) => endpoint === '/api/embed');

it('a fact reaches the message that asks for it in other words (Y11)', async () => {
  await start();
  const session = await told();
  await indexed(session);
  await session.ask(paraphrase);
  expect(sent()).toContain(`${note}\\n- about: favourite_editor = Helix`);
  expect(await meaning(session)).toMatchObject({ model: embedder, indexed: 1, total: 1, problem: null });
});

it('a fact is found by words alone where no embedding model is installed (Y11)', async () => {
  await start({ sim: { models: [chat] } });
  const session = await told();
  await session.ask(paraphrase);
  expect(sent()).not.toContain(note);
  await session.ask('What is my favourite editor?');
  expect(sent()).toContain(note);
  expect(embeds()).toEqual([]);
  expect((await meaning(session)).problem).toEqual({ kind: 'no_model', text: '' });
});

it('memory_search finds a fact by its meaning, and says so to the person (Y11)', async () => {
  await start();
  const session = await told();
  await indexed(session);
  await session.ask('Look it up.');
  const call = session.items('tool').find(({ tool }) => tool === 'memory_search');
  expect(call?.display).toMatchObject({ entries: ['about: favourite_editor = Helix (by meaning)'] });
});

it('an embedding model takes no VRAM, and the model that answers keeps its place', async () => {
  await start();
  const session = await told();
  await world.rest();
  const before = world.sim.vram().freeBytes;
  await indexed(session);
  expect(world.sim.vram().freeBytes).toBe(before);
  expect(world.sim.truth.unloads).toEqual([]);
  await session.ask(paraphrase);
  expect(world.sim.truth.loads.map(({ model }) => model)).toEqual([chat.name, embedder]);
});

it('a turn that begins meanwhile is not held up by vectors, which are made after it', async () => {
  await start();
  const session = await told();
  // Of the engine's own work nothing is fast any more: a handful of texts takes minutes.
  world.sim.setLoad(embedder, { seconds: 300 });
  await quiet();
  await expect.poll(() => world.sim.truth.loads.some(({ model }) => model === embedder)).toBe(true);
  const turn = await session.ask('And now?');
  expect(turn.status).toBe('finished');
  const load = world.sim.truth.loads.find(({ model }) => model === embedder);
  await expect.poll(() => load?.outcome).toBe('aborted');
  world.sim.setLoad(embedder);
  await indexed(session);
});

it('vectors go on after Ollama was started again in the middle', async () => {
  await start();
  const session = await told();
  world.sim.setLoad(embedder, { seconds: 300 });
  await quiet();
  await expect.poll(() => world.sim.truth.loads.some(({ model }) => model === embedder)).toBe(true);
  world.sim.setLoad(embedder);
  await world.sim.restart();
  await expect.poll(async () => (await meaning(session)).problem?.kind).toBe('failed');
  clock.skip(61_000);
  await indexed(session);
  await session.ask(paraphrase);
  expect(sent()).toContain(note);
});

it('vectors outlive the host, and their model is not measured again', async () => {
  await start();
  await indexed(await told());
  const before = embeds().length;
  await world.restartHost();
  const session = await world.openSession();
  expect(await meaning(session)).toMatchObject({ indexed: 1, total: 1 });
  await session.ask('Hello');
  await expect
    .poll(() => {
      clock.skip(5_000);
      return embeds().length;
    })
    .toBeGreaterThan(before);
  const texts = embeds()
    .slice(before)
    .flatMap(({ body }) => (body as { input: string[] }).input);
  // The message and what it asks, never the facts: these are known.
  expect(texts.filter((text) => text.includes('Helix'))).toEqual([]);
});

it('tokens of vectors are counted, for the person and apart from all others', async () => {
  await start();
  const session = await told();
  await indexed(session);
  await session.ask(paraphrase);
  await world.rest();
  const { groups } = await session.rpc.call('usage/query', { groupBy: 'purpose' });
  const vectors = groups.find(({ key }) => key === 'vectors');
  expect(vectors?.inputTokens).toBeGreaterThan(0);
  const { groups: users } = await session.rpc.call('usage/query', { groupBy: 'user' });
  expect(users.map(({ key }) => key)).toEqual([ownerId]);
});

it('a person who wants words alone gets no vector, and every fact again with another choice', async () => {
  await start();
  const session = await told();
  await indexed(session);
  await session.rpc.call('memory/choose-model', { model: '' });
  const before = embeds().length;
  await session.ask(paraphrase);
  expect(sent()).not.toContain(note);
  // One that was asked for before the choice may still arrive.
  const since = embeds().slice(before);
  expect(since.filter(({ body }) => JSON.stringify(body).includes(paraphrase))).toEqual([]);
  expect((await meaning(session)).problem?.kind).toBe('off');
  await session.rpc.call('memory/choose-model', { model: null });
  await session.ask(paraphrase);
  expect(sent()).toContain(note);
});

it('the usual beginning is read before the first message although an embedding model is loaded', async () => {
  await start();
  await world.engineUntil(({ models }) => models.some(({ name }) => name === embedder));
  const room = world.openEngineRoom();
  await room.call('model/embed', { model: embedder, texts: [], urgent: false });
  await world.openWindow().rpc.call('host/subscribe', {});
  await expect
    .poll(() => world.sim.truth.loads.map(({ model, outcome }) => [model, outcome]))
    .toEqual([
      [embedder, 'loaded'],
      [chat.name, 'loaded'],
    ]);
});
