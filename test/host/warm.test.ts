/** Warm-ups over the whole house: what the next message still has to read, and who goes first. */
import { afterEach, describe, expect, it } from 'vitest';
import type { Warmth } from '../../src/protocol/model.ts';
import { everyFamily, tokenise, type FamilyName } from '../../src/sim/render/index.ts';
import { reply, type Script, type TruthRequest } from '../../src/sim/index.ts';
import { attach, png, sendWith } from '../helpers/attachment-world.ts';
import { numbered } from '../helpers/long-text.ts';
import { skippableClock } from '../helpers/skippable-clock.ts';
import { World, type SessionView, type WorldOptions } from '../helpers/host-world.ts';

const worlds: World[] = [];
afterEach(async () => {
  for (const world of worlds.splice(0)) await world.close();
});

const thought = numbered('It has to be thought about for a while, and then for some more. ', 20);
const thinking: Script = () => reply().thinking(thought).text('Done.');
const modelOf = (family: FamilyName) => [{ name: `${family}:test`, family }];

async function open(sim: WorldOptions['sim'] = {}) {
  const world = await World.start({ sim: { script: thinking, speed: 1000, ...sim } });
  worlds.push(world);
  return { world, session: await world.openSession() };
}

/** Also what memory asks about an idle session. */
const learning: Script = ({ lastUser }) =>
  reply().text(/category: key = value/.test(lastUser) ? 'preference: editor = Vim' : thought);

/** Raw evaluations, in order. */
const warmUps = ({ sim }: World): TruthRequest[] =>
  sim.truth.requests.filter(({ endpoint, promptTokens }) => endpoint === '/api/generate' && promptTokens > 0);

/** Every other request is answered at once. */
const slowWarmUps =
  (mark: string): Script =>
  ({ endpoint, lastUser }) =>
    endpoint === 'generate' && lastUser.includes(mark) ? reply().prefill(1).text('.') : reply().text('Done.');

const warmUpBegins = ({ sim }: World) =>
  sim.truth.next('prefill-started', ({ request }) => request?.endpoint === '/api/generate');

const is =
  (state: Warmth['state']) =>
  (session: SessionView): Promise<void> =>
    session.until(({ warmth }) => warmth?.state === state);
const hot = is('hot');

/** What is told behind it, and behind the turn that it is, up to a state in which nothing is going on. */
async function warmthAfter(session: SessionView, act: () => Promise<unknown>): Promise<Warmth[]> {
  const seen = session.events.length;
  await act();
  const told = (): Warmth[] => {
    const events = session.events.slice(seen).map(({ event }) => event);
    const closed = events.findLastIndex(({ type }) => type === 'turn/closed');
    return events
      .slice(closed + 1)
      .flatMap((event) => (event.type === 'session/warmed' ? [event.warmth] : []));
  };
  await session.until(() => !['waiting', 'warming', undefined].includes(told().at(-1)?.state));
  return told();
}

describe('the head of a new session', () => {
  it.each([...everyFamily.keys()])('is read before its first message on %s', async (family) => {
    const { world, session } = await open({ models: modelOf(family) });
    await hot(session);
    const turn = await session.ask('What is in this folder?');
    const [head] = warmUps(world);
    const missed = (head?.promptTokens ?? 0) - (turn.usage[0]?.cachedTokens ?? 0);
    expect(missed).toBeLessThanOrEqual((head?.promptTokens ?? 0) * 0.03);
    expect(world.sim.truth.loads).toHaveLength(1);
    expect(world.sim.truth.failures).toEqual([]);
  });

  it('is read before any session is there, once a window is', async () => {
    const world = await World.start({ sim: { script: thinking, speed: 1000 } });
    worlds.push(world);
    const read = world.sim.truth.next('runner-idle');
    await world.openWindow().rpc.call('host/subscribe', {});
    await read;
    expect(warmUps(world)).toHaveLength(1);
  });

  it('is not read where models are to leave the memory at once', async () => {
    const world = await World.start({ sim: { script: thinking, speed: 1000 } });
    worlds.push(world);
    await world.openEngineRoom().call('engine/set-keep-alive', { policy: 'never' });
    const session = await world.openSession();
    await session.ask('Hello');
    await session.ask('And again');
    expect(warmUps(world)).toEqual([]);
  });

  it('is not read at the price of a model that is in memory: the price is told instead', async () => {
    const { world, session } = await open();
    await hot(session);
    await world.openWindow().rpc.call('profile/update', {
      profileId: 'developer',
      changes: { models: ['gemma4:8b'] },
    });
    const other = await world.openSession();
    await is('cold')(other);
    expect(other.state.warmth?.tokens).toBeGreaterThan(0);
    expect(world.sim.truth.loads).toHaveLength(1);
  });

  it('is read with its model once a person has chosen that', async () => {
    const { world, session } = await open();
    await hot(session);
    const { rpc, sessionId } = session;
    await warmthAfter(session, () => rpc.call('session/update', { sessionId, model: 'gemma4:8b' }));
    expect(world.sim.truth.loads.map(({ model }) => model)).toEqual(['qwen3.5:9b', 'gemma4:8b']);
    expect(warmUps(world).map(({ model }) => model)).toEqual(['qwen3.5:9b', 'gemma4:8b']);
  });
});

describe('the history at the end of a turn', () => {
  it('is not read in advance where it shows images: a raw prompt has none, and would push them out', async () => {
    const capabilities = ['completion', 'tools', 'thinking', 'vision'];
    const { world, session } = await open({
      models: [{ name: 'eyes:8b', family: 'gemma4-small', capabilities }],
    });
    await hot(session);
    await warmthAfter(session, () => session.ask('First'));
    const before = warmUps(world).length;
    expect(before).toBe(2);
    const image = await attach(session, 'dot.png', png);
    await warmthAfter(session, async () => session.closed(await sendWith(session, 'What is this?', image)));
    await world.restartHost();
    const again = await world.openWindow().follow(session.sessionId);
    await is('cold')(again);
    expect(warmUps(world)).toHaveLength(before);
  });

  it('is read as it will render, so that the next message waits for itself alone', async () => {
    const { world, session } = await open();
    await hot(session);
    expect((await warmthAfter(session, () => session.ask('First'))).map(({ state }) => state)).toEqual([
      'waiting',
      'warming',
      'hot',
    ]);
    const [, again] = warmUps(world);
    const second = await session.ask('Second');
    expect(second.usage[0]?.cachedTokens).toBeGreaterThanOrEqual((again?.promptTokens ?? Infinity) - 4);
    expect(second.usage[0]?.evaluatedTokens).toBeLessThan(40);
    expect(session.items('note')).toEqual([]);
  });

  it('is not asked for where the template keeps everything and the memory goes back to any token', async () => {
    const { world, session } = await open({ models: modelOf('template-qwen2.5') });
    await hot(session);
    await warmthAfter(session, () => session.ask('First'));
    const asked = world.sim.truth.requests.length;
    await warmthAfter(session, () => session.ask('Second'));
    const since = world.sim.truth.requests.slice(asked).map(({ endpoint }) => endpoint);
    expect(since.filter((endpoint) => /generate|render/.test(endpoint))).toEqual([]);
  });

  it('stays unread after a stop before the first line', async () => {
    const { world, session } = await open({
      script: ({ endpoint }) => (endpoint === 'chat' ? reply().prefill(2).text('never') : reply().text('.')),
    });
    await hot(session);
    await session.send('Hello');
    await session.until(({ turns }) => turns.at(-1)?.phase === 'prefill');
    const before = warmUps(world).length;
    await session.rpc.call('turn/stop', { sessionId: session.sessionId });
    await session.until(({ turns }) => turns.at(-1)?.closed ?? false);
    await world.rest();
    expect(warmUps(world)).toHaveLength(before);
  });

  it('is read again when something was asked beside it', async () => {
    const clock = skippableClock();
    const world = await World.start({ clock, sim: { script: learning, speed: 1000 } });
    worlds.push(world);
    const session = await world.openSession();
    await warmthAfter(session, () => session.ask('My editor is Vim, always.'));
    await world.rest();
    await warmthAfter(session, async () => {
      const asked = world.sim.truth.next('runner-idle', ({ request }) => request?.endpoint === '/api/chat');
      clock.skip(31 * 60_000);
      clock.skip(6 * 60_000);
      await asked;
    });
    expect((await session.ask('And now?')).usage[0]?.evaluatedTokens).toBeLessThan(40);
  });

  it('is read once after a stop against lines: that is the proof of the slot, too', async () => {
    const { world, session } = await open({
      script: ({ endpoint }) => (endpoint === 'chat' ? reply().text('One moment').hang() : reply().text('.')),
    });
    await hot(session);
    await session.send('Hello');
    await session.until(() => session.items('text').length > 0);
    await warmthAfter(session, async () => {
      await session.rpc.call('turn/stop', { sessionId: session.sessionId });
      await session.until(({ turns }) => turns.at(-1)?.closed ?? false);
    });
    await world.rest();
    expect(warmUps(world)).toHaveLength(2);
    expect(session.state.warmth).toMatchObject({ state: 'hot', tokens: warmUps(world)[1]?.promptTokens });
  });
});

describe('an old session', () => {
  it('is read when it is opened, and its price is told before', async () => {
    const { world, session } = await open();
    await warmthAfter(session, () => session.ask('First'));
    await world.restartHost();
    const again = await world.openWindow().follow(session.sessionId);
    await hot(again);
    const states = again.events.flatMap(({ event }) =>
      event.type === 'session/warmed' ? [event.warmth] : [],
    );
    expect(states[0]).toMatchObject({ state: 'waiting', tokens: expect.any(Number) as number });
    expect((await again.ask('Second')).usage[0]?.evaluatedTokens).toBeLessThan(40);
  });

  it('that is hot is not read again when another window opens it', async () => {
    const { world, session } = await open();
    await hot(session);
    const before = warmUps(world).length;
    await warmthAfter(session, () => world.openWindow().follow(session.sessionId));
    expect(warmUps(world)).toHaveLength(before);
  });

  const waysToLeave: [how: string, leave: (session: SessionView) => unknown][] = [
    ['shows it', ({ rpc, sessionId }) => rpc.call('session/unsubscribe', { sessionId })],
    ['is there to show it', ({ rpc }) => rpc.close()],
  ];
  it.each(waysToLeave)('is not read any more once no window %s', async (_how, leave) => {
    const { world, session } = await open({ script: slowWarmUps('#1') });
    await session.ask('#1');
    await world.restartHost();
    const begun = warmUpBegins(world);
    const shown = await world.openWindow().follow(session.sessionId);
    await begun;
    await leave(shown);
    await world.sim.truth.waitFor(() => warmUps(world).at(-1)?.outcome !== 'running');
    expect(warmUps(world).at(-1)?.outcome).toBe('closed');
  });
});

describe('a prompt that the person changed without a message', () => {
  it('is read again where they chose another folder for what the model was told', async () => {
    const { world, session } = await open();
    await warmthAfter(session, () => session.ask(numbered('A line of it. ', 200)));
    const { sessionId, rpc } = session;
    const { snapshot } = await rpc.call('session/export', { sessionId });
    const { session: imported } = await rpc.call('session/import', { snapshot });
    const view = await world.openWindow().follow(imported.id);
    await hot(view);
    const before = warmUps(world).length;
    const change = { sessionId: imported.id, workspace: world.workspace };
    const told = await warmthAfter(view, () => rpc.call('session/update', change));
    expect(told.map(({ state }) => state)).toEqual(['waiting', 'warming', 'hot']);
    expect(warmUps(world).length).toBe(before + 1);
    expect((await view.ask('Second')).usage[0]?.evaluatedTokens).toBeLessThan(40);
  });

  it('is not read for a folder that they chose for a session that no window shows', async () => {
    const { world, session } = await open();
    await warmthAfter(session, () => session.ask(numbered('A line of it. ', 200)));
    const { snapshot } = await session.rpc.call('session/export', { sessionId: session.sessionId });
    const { session: imported } = await session.rpc.call('session/import', { snapshot });
    const left = await world.openWindow().follow(imported.id);
    await hot(left);
    await left.rpc.call('session/unsubscribe', { sessionId: imported.id });
    const before = warmUps(world).length;
    const change = { sessionId: imported.id, workspace: world.workspace };
    await session.rpc.call('session/update', change);
    // One at a time: what was wanted before this is read before it.
    await hot(await world.openSession());
    expect(warmUps(world)).toHaveLength(before + 1);
  });

  it('is read again where they switched the profile before the first message', async () => {
    const { world, session } = await open();
    await hot(session);
    const { sessionId, rpc } = session;
    const switching = { sessionId, profileId: 'reader' };
    const told = await warmthAfter(session, () => rpc.call('session/set-profile', switching));
    expect(told.at(-1)).toMatchObject({ state: 'hot' });
    const head = warmUps(world).at(-1)?.promptTokens ?? 0;
    const [usage] = (await session.ask('First')).usage;
    expect(usage?.cachedTokens).toBeGreaterThan(head * 0.97);
  });
});

it('a warm-up for a message that the person then writes anew is no warm-up for nothing', async () => {
  const { session } = await open();
  const long = numbered('A line of it. ', 60);
  await warmthAfter(session, () => session.ask('First'));
  await warmthAfter(session, () => session.ask(long));
  const turnId = session.state.turns.at(-1)?.id ?? '';
  const { sessionId, rpc } = session;
  const told = await warmthAfter(session, async () => {
    const edit = await rpc.call('turn/edit', { sessionId, turnId, text: `Again: ${long}` });
    await session.closed(edit.turnId);
  });
  expect(told.at(-1)).toMatchObject({ state: 'hot' });
});

describe('a message that meets a warm-up', () => {
  it('of another session ends that at once', async () => {
    const { world, session } = await open({ script: slowWarmUps('#1') });
    await hot(session);
    const other = await world.openSession();
    await hot(other);
    const begun = warmUpBegins(world);
    await session.ask('#1');
    await begun;
    const met = warmUps(world).at(-1);
    expect((await other.ask('Quick')).status).toBe('finished');
    expect(met?.closeSeenAt).toBeDefined();
    expect(session.state.warmth?.state).not.toBe('hot');
  });

  it('of its own prompt lets it finish', async () => {
    const { world, session } = await open({ script: slowWarmUps('') });
    await warmUpBegins(world);
    const turn = await session.ask('Hello');
    const [head] = warmUps(world);
    expect(head?.outcome).toBe('done');
    expect(turn.usage[0]?.cachedTokens).toBeGreaterThanOrEqual((head?.promptTokens ?? Infinity) - 4);
  });

  it('is stopped together with what it waited for', async () => {
    const { world, session } = await open({ script: slowWarmUps('') });
    await warmUpBegins(world);
    const turnId = await session.send('Hello');
    await session.rpc.call('turn/stop', { sessionId: session.sessionId });
    await session.closed(turnId);
    await world.sim.truth.waitFor(() => warmUps(world)[0]?.outcome !== 'running');
    expect(warmUps(world)[0]?.outcome).toBe('closed');
  });
});

/** A prompt that a reply follows begins with a token of its own: what was warmed is never found. */
const parted = (text: string): string[] =>
  text.slice(-40).includes('<|im_start|>assistant') ? ['#', ...tokenise(text)] : tokenise(text);

it('a warm-up whose tokens are read again is switched off, and says so', async () => {
  const { session } = await open({
    models: [{ name: 'odd:test', family: 'qwen3.5', tokenise: parted }],
    script: () => reply().thinking(thought).text(thought),
  });
  await warmthAfter(session, () => session.ask('First'));
  const told = await warmthAfter(session, () => session.ask('Second'));
  expect(told.at(-1)?.state).toBe('off');
});

it('the prompt comes back with the GPU that was lent', async () => {
  const { world, session } = await open();
  await warmthAfter(session, () => session.ask('First'));
  const room = world.openEngineRoom();
  await room.call('engine/lend', {});
  await is('cold')(session);
  await warmthAfter(session, () => room.call('engine/take-back', {}));
  expect((await session.ask('Second')).usage[0]?.evaluatedTokens).toBeLessThan(40);
});

it('a warm-up whose load still runs gives way once to whoever frees the GPU, and is not begun again before that', async () => {
  const { world, session } = await open();
  await hot(session);
  world.sim.setLoad('gemma4:8b', { seconds: 600 });
  const { rpc, sessionId } = session;
  await rpc.call('session/update', { sessionId, model: 'gemma4:8b' });
  await world.engineUntil(({ loading }) => loading?.model === 'gemma4:8b');
  let begun = 0;
  let waiting = 0;
  world.engine.onChange(({ queue }) => {
    const warm = queue.filter(({ purpose }) => purpose === 'warm').length;
    if (warm > waiting) begun += 1;
    waiting = warm;
  });
  const room = world.openEngineRoom();
  const freed = room.call('engine/lend', {});
  await world.engineUntil(({ queue }) => queue.some(({ purpose }) => purpose === 'turn'));
  // Whatever follows from one answer has happened before the next.
  for (let round = 0; round < 20; round += 1) await room.call('engine/subscribe', {});
  expect(begun).toBe(0);
  await room.call('model/cancel-load', {});
  await freed.catch(() => undefined);
});

it('nothing is warmed after the close, and a warm-up that runs does not hold it up', async () => {
  const { world, session } = await open({ script: slowWarmUps('') });
  await warmUpBegins(world);
  await world.host.close();
  expect(warmUps(world)).toHaveLength(1);
  expect(session.state.warmth?.state).toBe('warming');
});
