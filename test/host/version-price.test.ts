/** What another version of a message costs is known before it is asked for, and is what it then costs. */
import { afterEach, describe, expect, it, test } from 'vitest';
import { reply } from '../../src/sim/index.ts';
import { World, type SessionView } from '../helpers/host-world.ts';

/** The engine evaluates a few tokens again whatever is asked. */
const slack = 20;

let world: World;
let session: SessionView;
afterEach(() => world.close());

async function open(family: 'qwen3.5' | 'template-llama3.1'): Promise<void> {
  const models = [{ name: 'model:9b', family }];
  world = await World.start({ sim: { speed: 1_000, models, script: () => reply().text('It says alpha.') } });
  session = await world.openSession();
}

const long = (topic: string): string =>
  `Tell me about ${topic}. ${'It matters a great deal to me. '.repeat(60)}`;

const isQuiet = new Set(['hot', 'cold', 'off']);

/** Asks, and lets the warm-up behind the answer end: it changes what the engine holds. */
async function ask(topic: string): Promise<string> {
  const { id } = await session.ask(long(topic));
  await session.until(() => {
    const closed = session.events.findIndex(
      ({ turnId, event }) => turnId === id && event.type === 'turn/closed',
    );
    return session.events
      .slice(closed)
      .some(({ event }) => event.type === 'session/warmed' && isQuiet.has(event.warmth.state));
  });
  await world.rest();
  return id;
}

const price = async (turnId: string, text?: string) =>
  (
    await session.rpc.call('turn/price-version', {
      sessionId: session.sessionId,
      turnId,
      ...(text !== undefined && { text }),
    })
  ).price;

/** Of the first request of a turn. */
async function reread(turnId: string): Promise<number> {
  const turn = await session.closed(turnId);
  return turn.usage[0]?.reading?.rereadTokens ?? Number.NaN;
}

async function regenerate(turnId: string): Promise<number> {
  const { sessionId } = session;
  return reread((await session.rpc.call('turn/regenerate', { sessionId, turnId })).turnId);
}

async function edit(turnId: string, text: string): Promise<number> {
  const { sessionId } = session;
  return reread((await session.rpc.call('turn/edit', { sessionId, turnId, text })).turnId);
}

describe.each(['qwen3.5', 'template-llama3.1'] as const)('on %s', (family) => {
  it.each([0, 1, 2])('regenerating message %i costs what its price says (audit-U9)', async (at) => {
    await open(family);
    const turns = [await ask('one'), await ask('two'), await ask('three')];
    const turnId = turns[at] ?? '';
    const before = await price(turnId);
    expect(before).toMatchObject({ model: 'model:9b' });
    const after = await regenerate(turnId);
    expect(Math.abs((before?.rereadTokens ?? Number.NaN) - after)).toBeLessThanOrEqual(slack);
  });

  it('editing a message costs what its price says (audit-U9)', async () => {
    await open(family);
    const [, second] = [await ask('one'), await ask('two'), await ask('three')];
    const text = long('four');
    const before = await price(second, text);
    const after = await edit(second, text);
    expect(Math.abs((before?.rereadTokens ?? Number.NaN) - after)).toBeLessThanOrEqual(slack);
  });
});

test('a price tells how long reading again takes, where that is known (audit-U9)', async () => {
  await open('qwen3.5');
  const [first] = [await ask('one'), await ask('two')];
  const { rereadTokens = 0, ms } = (await price(first, long('four'))) ?? {};
  expect(rereadTokens).toBeGreaterThan(slack);
  expect(ms).toBeGreaterThan(0);
});

test('asking for a price changes nothing of what is read next (audit-U9)', async () => {
  await open('qwen3.5');
  const [first] = [await ask('one'), await ask('two')];
  for (const text of [undefined, 'Something else']) await price(first, text);
  await ask('three');
  const reading = session.state.turns.at(-1)?.usage[0]?.reading;
  expect(reading?.predictedCached).toBe(reading?.cachedTokens);
});

test('without a request since Andiron started there is no price, as for a turn that is replaced (audit-U9)', async () => {
  await open('qwen3.5');
  const first = await ask('one');
  await regenerate(first);
  expect(await price(first)).toBeNull();
  await world.restartHost();
  session = await world.openWindow().follow(session.sessionId);
  expect(await price(session.state.turns.at(-1)?.id ?? '')).toBeNull();
});
