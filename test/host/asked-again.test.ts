/** A step whose reply is of no use is asked again in another way, at most three times (audit E3). */
import { expect, test } from 'vitest';
import { requestIdentity } from '../../src/host/loop/calls/ways.ts';
import { AndironError } from '../../src/protocol/errors.ts';
import { provenAbilities, withoutOpening } from '../helpers/proven-models.ts';
import { done, profile, text, TurnWorld, words, type ScriptedReply } from '../helpers/turn-world.ts';

/** A model that writes the same, whatever the dice, as long as it is asked in the same way. */
function stubborn(reply: (constrained: boolean) => string): TurnWorld {
  const world = new TurnWorld();
  world.provider = {
    async *stream({ format }) {
      yield { type: 'opened' };
      yield text(reply(format !== undefined));
      yield done();
    },
  };
  return world;
}

const identities = ({ requests }: TurnWorld): string[] =>
  requests.map(({ messages, format, sampling }) => requestIdentity(messages, format, sampling));
const brokenCall = '{"name": "echo", "arguments": {"value": "a';

test.each([{ temperature: 0 }, {}, { temperature: 0.7 }, { temperature: 0.7, seed: 1 }])(
  'No request of a step is sent twice with %j, and after three tries the person is told (audit-E3)',
  async (sampling) => {
    const world = stubborn(() => brokenCall);
    world.active = profile({ sampling });
    await world.run();
    expect(world.requests.length).toBeLessThanOrEqual(4);
    expect(new Set(identities(world)).size).toBe(world.requests.length);
    expect(world.ending()).toBe('turn/failed');
    expect(world.items().at(-1)).toMatchObject({
      kind: 'error',
      message: expect.stringContaining('did not get its reply right in 4 tries'),
    });
  },
);

test('The same reply twice is not asked for a third time in the same way (audit-E3)', async () => {
  const world = stubborn(() => '');
  // The seed that a second try would have anyway.
  world.active = profile({ sampling: { temperature: 0.7, seed: 1 } });
  await world.run();
  expect(new Set(identities(world)).size).toBe(world.requests.length);
  const constrained = world.requests.map(({ format }) => format !== undefined);
  expect(constrained.slice(0, 3)).toEqual([false, false, true]);
});

test('A model that is only wrong in one way is right in the next (audit-E3)', async () => {
  const world = stubborn((isConstrained) => (isConstrained ? '{"answer":"Four."}' : brokenCall));
  await world.run();
  expect(world.ending()).toBe('turn/finished');
  expect(world.messages.at(-1)).toMatchObject({ content: 'Four.' });
});

test('A constrained reply that stays broken is asked for under another grammar, then as text (audit-E3)', async () => {
  const world = stubborn((isConstrained) => (isConstrained ? '{"call":"ec' : 'Four.'));
  world.active = profile({ calls: 'constrained' });
  world.abilities = withoutOpening(provenAbilities());
  await world.run();
  const formats = world.requests.map(({ format }) => JSON.stringify(format ?? null));
  expect(formats[1]).toBe(formats[0]);
  expect(formats[2]).not.toBe(formats[0]);
  expect(formats[3]).toBe('null');
  expect(new Set(identities(world)).size).toBe(4);
  expect(world.ending()).toBe('turn/finished');
});

test('Where no grammar is taken, a model that repeats itself is told so behind its reply, and the prompt only grows (audit-E3)', async () => {
  const world = new TurnWorld();
  world.provider = {
    async *stream({ messages, format }) {
      if (format) throw new AndironError('grammar_refused', 'No grammar.');
      yield { type: 'opened' };
      const isCorrected = messages.at(-1)?.content.includes('neither a call') ?? false;
      yield text(isCorrected ? 'Four.' : brokenCall);
      yield done();
    },
  };
  await world.run();
  expect(world.messages.at(-1)).toMatchObject({ content: 'Four.' });
  const prompts = world.requests.map(({ messages }) => JSON.stringify(messages).slice(0, -1));
  expect(prompts.every((prompt, at) => prompt.startsWith(prompts[at - 1] ?? ''))).toBe(true);
  expect(world.messages.filter(({ content }) => content === brokenCall)).toHaveLength(1);
});

test('A model that repeats itself all the same is corrected once in a step (audit-E3)', async () => {
  const world = stubborn((isConstrained) => {
    if (isConstrained) throw new AndironError('grammar_refused', 'No grammar.');
    return brokenCall;
  });
  await world.run();
  const corrections = world.messages.filter(({ content }) => content.includes('neither a call'));
  expect(corrections).toHaveLength(1);
  expect(world.ending()).toBe('turn/failed');
  expect(new Set(identities(world)).size).toBe(world.requests.length);
});

test('A reply that only broke off on the way is asked for as it was (audit-E3)', async () => {
  const broken = new AndironError('stream_cut', 'The connection broke.');
  const world = new TurnWorld([text('Half'), broken], [text(words(3)), done()]);
  world.active = profile({ sampling: { temperature: 0 } });
  await world.run();
  expect(new Set(identities(world)).size).toBe(1);
  expect(world.ending()).toBe('turn/finished');
});

/** Some engines take `format` and write as they like. */
function ignoresForm(...replies: ScriptedReply[]): TurnWorld {
  const world = new TurnWorld(...replies);
  world.active = profile({ calls: 'constrained' });
  world.abilities = withoutOpening(provenAbilities());
  return world;
}

const said = (world: TurnWorld): string[] =>
  world.shown().flatMap(({ kind, text: shown }) => (kind === 'text' ? [shown] : []));

test('Prose of an engine that ignores the form is the answer, for the person and in the log', async () => {
  const world = ignoresForm([text('It is four.'), done()]);
  await world.run();
  expect(world.messages.at(-1)).toMatchObject({ content: 'It is four.' });
  expect(said(world)).toEqual(['It is four.']);
});

test('Prose that an engine cut at its limit, in no form, is shown and said to be cut', async () => {
  const world = ignoresForm([text('It is fo'), done({}, 'length')]);
  await world.run();
  expect(said(world)).toEqual(['It is fo']);
  expect(world.events).toContainEqual({ type: 'turn/finished', cut: true });
});
