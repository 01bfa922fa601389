/** A model whose context size nobody knows (I7): less is used, and the person sees that. */
import { afterEach, describe, expect, it } from 'vitest';
import type { TurnEvent } from '../../src/protocol/events.ts';
import { reply, rule, script } from '../../src/sim/index.ts';
import { World } from '../helpers/host-world.ts';
import { done, model, profile, text, TurnWorld } from '../helpers/turn-world.ts';

const warnings = (events: readonly TurnEvent[]): string[] =>
  events.flatMap((event) =>
    event.type === 'item/started' && event.item.kind === 'note' && event.item.note === 'context_size'
      ? [event.item.text]
      : [],
  );

const answers = (count: number) => Array.from({ length: count }, () => [text('Yes.'), done()]);

const open = (trainedContext: number | null, planned: number, replies = 1): TurnWorld => {
  const world = new TurnWorld(...answers(replies));
  world.leased = { trainedContext };
  world.planned = planned;
  return world;
};

describe('the warning about an unknown context size', () => {
  it('names the model, the size and what to do (audit-A7, I7)', async () => {
    const world = open(null, 8_192);
    await world.run();
    expect(warnings(world.events)).toEqual([
      'How much context test-model holds is unknown, so 8,192 tokens are used. If it holds more, set the context in the profile Test.',
    ]);
  });

  it('is given once in a session, and once more for another model (audit-A7)', async () => {
    const world = open(null, 8_192, 3);
    await world.run();
    await world.run();
    expect(warnings(world.events)).toHaveLength(1);
    world.chooseModel = async () => ({ ...model, name: 'other' });
    await world.run();
    expect(warnings(world.events)[1]).toContain('other');
  });

  it.each([
    ['the size is known', 32_768, 16_384, 16_384],
    ['the model was loaded with more', null, 16_384, 16_384],
    ['the profile names the size', null, 32_768, 32_768],
    ['the profile names just this size', null, 8_192, 8_192],
  ])('is not given where %s (audit-A7)', async (_, trained, planned, contextTokens) => {
    const world = open(trained, planned);
    world.active = profile({ contextTokens });
    await world.run();
    expect(warnings(world.events)).toEqual([]);
  });
});

let world: World | undefined;
afterEach(() => world?.close());

it('a model that tells no context size is loaded with 8,192 and the person is told (audit-A7, I7)', async () => {
  const card = { modelInfo: { 'general.architecture': 'odd' } };
  world = await World.start({
    sim: {
      models: [{ name: 'odd:1b', family: 'template-qwen2.5', card }],
      script: script([rule({}, reply().text('Yes.'))]),
    },
  });
  const session = await world.openSession();
  await session.ask('Hello');
  expect(world.sim.truth.loads.map(({ numCtx }) => numCtx)).toEqual([8_192]);
  const notes = session.items('note').filter(({ note }) => note === 'context_size');
  expect(notes.map((item) => item.text)).toEqual([expect.stringContaining('odd:1b')]);
  await session.ask('And again');
  expect(session.items('note').filter(({ note }) => note === 'context_size')).toHaveLength(1);
});
