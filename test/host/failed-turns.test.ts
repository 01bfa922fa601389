/** A failed turn says what to do next, whatever ended it: the item that a person reads, and the reply to a program. */
import { describe, expect, it } from 'vitest';
import { AndironError, errorCodes, type ErrorCode } from '../../src/protocol/errors.ts';
import { TurnWorld } from '../helpers/turn-world.ts';

/** The loop asks again after some codes: each of its requests ends in the same way. */
async function failing(error: Error): Promise<TurnWorld> {
  const world = new TurnWorld(...Array.from({ length: 12 }, () => [error]));
  await world.run('Hello');
  return world;
}

const told = (world: TurnWorld) => ({
  item: world.items().find((item) => item.kind === 'error'),
  event: world.events.find((event) => event.type === 'turn/failed')?.error,
});

describe('a turn that fails', () => {
  it.each<ErrorCode>(errorCodes)('with %s and no word of what to do names a next step', async (code) => {
    const { item, event } = told(await failing(new AndironError(code, 'It went wrong.')));
    expect(item?.advice).toMatch(/\w/);
    expect(event).toEqual({ code: item?.code, message: item?.message, advice: item?.advice });
  });

  // A reply that its engine ended for a circle is a reply: what came before it is kept, or it is asked for again.
  const failures = errorCodes.filter((code) => code !== 'reply_repeated');
  it.each<ErrorCode>(failures)('with %s keeps the advice that the error has', async (code) => {
    const { item } = told(await failing(new AndironError(code, 'It went wrong.', 'Turn it off and on.')));
    expect(item).toMatchObject({ code, message: 'It went wrong.', advice: 'Turn it off and on.' });
  });

  it('because a model says nothing but one token over and over tells that it said nothing', async () => {
    const { item } = told(await failing(new AndironError('reply_repeated', 'It went wrong.')));
    expect(item).toMatchObject({ code: 'empty_reply', advice: expect.stringContaining('another model') });
  });

  it('by a mistake of Andiron says so, without its text, and names a next step', async () => {
    const world = await failing(new Error('secret of the machine'));
    expect(told(world).item).toMatchObject({ code: 'internal', advice: expect.stringMatching(/\w/) });
    expect(JSON.stringify(world.events)).not.toContain('secret of the machine');
    expect(world.internalErrors).toHaveLength(1);
  });
});
