/** Which model a turn names: the one that was leased, or the one that answered in its place. */
import { describe, expect, it } from 'vitest';
import { call, done, profile, text, TurnWorld, type ScriptedReply } from '../helpers/turn-world.ts';

/** Each reply comes from the model that is named beside it. */
const answeredBy = (...replies: [string | undefined, ScriptedReply][]): TurnWorld => {
  const world = new TurnWorld();
  world.provider = {
    async *stream() {
      const [model, events = []] = replies.shift() ?? [];
      yield { type: 'opened', model };
      for (const event of events) {
        if (typeof event === 'string' || event instanceof Error) continue;
        yield event.type === 'done' ? { ...event, model } : event;
      }
    },
  };
  return world;
};
const told = (world: TurnWorld): string[] =>
  world.events.flatMap((event) => (event.type === 'turn/model' ? [event.model] : []));

describe('the model of a turn', () => {
  it('is the one that answered in place of another, from its first line on (audit-A9, F9)', async () => {
    const world = answeredBy(
      ['spare/m', [call('echo'), done()]],
      ['spare/m', [call('echo'), done()]],
      ['test-model', [text('Here'), done()]],
    );
    await world.run();
    expect(told(world)).toEqual(['test-model', 'spare/m', 'test-model']);
    const used = world.events.flatMap((event) =>
      event.type === 'usage/measured' ? [event.usage.model] : [],
    );
    expect(used).toEqual(['spare/m', 'spare/m', 'test-model']);
    const at = (type: string): number => world.types().indexOf(type);
    expect(world.types().lastIndexOf('turn/model')).toBeLessThan(at('item/delta'));
  });

  it('is told once where nobody stood in for it (audit-A9)', async () => {
    const world = answeredBy([undefined, [call('echo'), done()]], ['test-model', [text('Here'), done()]]);
    await world.run();
    expect(told(world)).toEqual(['test-model']);
  });

  it('is also that of a plan which another model wrote (audit-A9)', async () => {
    const world = answeredBy(['spare/m', [text('DIRECT'), done()]], ['spare/m', [text('Here'), done()]]);
    world.active = profile({ planningEnabled: true });
    await world.run();
    expect(told(world)).toEqual(['test-model', 'spare/m']);
    const [side] = world.events.flatMap((event) => (event.type === 'usage/measured' ? [event.usage] : []));
    expect(side).toMatchObject({ iteration: 0, model: 'spare/m' });
  });
});
