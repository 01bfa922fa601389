/** Warm-ups over the whole house (design 5.8, 5.9, 7): what the next message still has to read. */
import { afterEach, expect, it } from 'vitest';
import type { TruthRequest } from '../../src/sim/index.ts';
import { reply } from '../../src/sim/index.ts';
import { World, type SessionView } from '../helpers/host-world.ts';

const worlds: World[] = [];
afterEach(async () => {
  for (const world of worlds.splice(0)) await world.close();
});

async function open(sim: Parameters<typeof World.start>[0] = {}): Promise<World> {
  const world = await World.start(sim);
  worlds.push(world);
  return world;
}

const warmUps = ({ sim }: World): TruthRequest[] =>
  sim.truth.requests.filter(({ endpoint, promptTokens }) => endpoint === '/api/generate' && promptTokens > 0);

const hot = (session: SessionView): Promise<void> => session.until(({ warmth }) => warmth?.state === 'hot');

it('a session that is opened has its head evaluated, and its first message reads hardly more than itself', async () => {
  const world = await open({ sim: { script: () => reply().text('Done.') } });
  const session = await world.openSession();
  await hot(session);
  const [warmUp] = warmUps(world);
  const turn = await session.ask('What is in this folder?');
  expect(turn.usage[0]?.evaluatedTokens).toBeLessThan((warmUp?.evaluated ?? 0) * 0.1);
});
