/** Leases: a fan-out says what it costs before it starts (design 7). */
import { expect, it } from 'vitest';
import { AgentWorld, answer, spawn } from '../helpers/agent-world.ts';
import { done, text } from '../helpers/turn-world.ts';

const notes = (world: AgentWorld): string[] =>
  world.items().flatMap((item) => (item.kind === 'note' && item.note === 'fan_out' ? [item.text] : []));

it('several subagents of one reply are priced together, before the first begins', async () => {
  const world = new AgentWorld(
    [spawn({}, 'call_1'), spawn({ task: 'Count the lines.' }, 'call_2'), done()],
    answer,
    answer,
    [text('Both are done.'), done()],
  );
  world.speed.learn({ tokens: 1_000, depth: 0 }, 50_000);
  await world.run();
  expect(notes(world)).toEqual([
    expect.stringMatching(
      /^2 subagents, one after another on the one GPU: about \d+ tokens .*, about \d+ s\.$/,
    ),
  ]);
  const kinds = world.events.map(({ type }) => type);
  const note = world.events.findIndex((event) => event.type === 'item/started' && event.item.kind === 'note');
  expect(note).toBeLessThan(kinds.indexOf('agent/changed'));
  expect(world.agents()).toHaveLength(2);
});

it('a single one is not', async () => {
  const world = new AgentWorld([spawn(), done()], answer, [text('Done.'), done()]);
  await world.run();
  expect(notes(world)).toEqual([]);
});
