/** Leases: a fan-out says what it costs before it starts. */
import { expect, it } from 'vitest';
import { AgentWorld, answer, other, spawn } from '../helpers/agent-world.ts';
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

it('The price of a fan-out tells its time in seconds, at the measured speed (audit-A14)', async () => {
  const { tokens, seconds } = await priceOf({});
  // Fifty milliseconds a token.
  expect(seconds).toBeGreaterThan(tokens * 0.03);
  expect(seconds).toBeLessThan(tokens * 0.08 + 1);
});

it('Subagents of another profile cost its prompt besides their task (audit-A14)', async () => {
  const [same, another] = [await priceOf({}), await priceOf({ profile_id: 'other' })];
  expect(another.tokens).toBeGreaterThan(same.tokens * 2);
});

/** What is said of two subagents with these arguments. */
async function priceOf(args: Record<string, unknown>): Promise<{ tokens: number; seconds: number }> {
  const world = new AgentWorld(
    [spawn(args, 'call_1'), spawn({ ...args, task: 'Count the lines.' }, 'call_2'), done()],
    answer,
    answer,
    [text('Both are done.'), done()],
  );
  world.use(other());
  world.speed.learn({ tokens: 1_000, depth: 0 }, 50_000);
  await world.run();
  const said = /about ([\d.]+)(k?) tokens .* about (\d+) s/.exec(notes(world)[0] ?? '');
  return { tokens: Number(said?.[1]) * (said?.[2] === 'k' ? 1_000 : 1), seconds: Number(said?.[3]) };
}
