/** Whoever waits for the GPU is shown how many have it before. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { reply, rule, script } from '../../src/sim/index.ts';
import { World, type SessionView } from '../helpers/host-world.ts';

let world: World;
beforeEach(async () => {
  world = await World.start({ sim: { script: script([rule({}, reply().text('An answer.'))]) } });
});
afterEach(() => world.close());

const places = ({ events }: SessionView): (number | undefined)[] =>
  events.flatMap(({ event }) =>
    event.type === 'turn/phase' && event.phase === 'lease' ? [event.ahead] : [],
  );

describe('a turn that waits for the GPU', () => {
  it('says how many come before it, and says it anew as the line moves', async () => {
    const room = world.openEngineRoom();
    const held = await room.call('lease/acquire', {
      model: 'qwen3.5:9b',
      contextTokens: 8_192,
      label: 'other work',
      purpose: 'turn',
    });
    const [first, second] = [await world.openSession(), await world.openSession()];
    const one = await first.send('One.');
    await first.until(() => first.turn(one)?.ahead === 1);
    const two = await second.send('Two.');
    await second.until(() => second.turn(two)?.ahead === 2);
    const since = second.turn(two)?.phaseSince;
    await first.rpc.call('turn/stop', { sessionId: first.sessionId, turnId: one });
    await second.until(() => second.turn(two)?.ahead === 1);
    expect(second.turn(two)?.phaseSince).toBe(since);

    await room.call('lease/release', { leaseId: held.leaseId, failed: false });
    await second.closed(two);

    expect(second.turn(two)).not.toHaveProperty('ahead');
    expect(places(second).slice(0, 3)).toEqual([undefined, 2, 1]);
  });
});
