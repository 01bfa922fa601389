/** A turn with a model of 0.5B: called by a grammar from its first reply on, and kept on its way (design 4). */
import { expect, test } from 'vitest';
import { assertValidHistory, call, done, profile, text, TurnWorld } from '../helpers/turn-world.ts';

function small(...replies: ConstructorParameters<typeof TurnWorld>): TurnWorld {
  const world = new TurnWorld(...replies);
  world.leased = { parameterSize: '630.17M' };
  world.entries = ['a.txt'];
  return world;
}

const formats = (world: TurnWorld): string[] =>
  world.requests.map(({ format }) => JSON.stringify(format ?? null));
const newest = (world: TurnWorld): string => JSON.stringify(world.requests.at(-1)?.messages.at(-1));
const reply = (value: unknown) => [text(JSON.stringify(value)), done()];

test('its first request already has a grammar, without an answer while nothing was looked at', async () => {
  const world = small(reply({ call: 'echo', with: { value: 'a.txt' } }), reply({ answer: 'It says hello.' }));
  await world.run('what does a.txt say?');
  expect(formats(world)[0]).toContain('"call"');
  expect(formats(world)[0]).not.toContain('"answer"');
  expect(formats(world)[1]).not.toContain('"call"');
  expect(world.ending()).toBe('turn/finished');
  assertValidHistory(world.messages);
});

test('the question stands once more behind the result that it is answered from, and nowhere in the log', async () => {
  const world = small(reply({ call: 'echo', with: { value: 'a.txt' } }), reply({ answer: 'Hello.' }));
  await world.run('what does a.txt say?');
  expect(newest(world)).toContain('what does a.txt say?');
  expect(JSON.stringify(world.messages.findLast(({ role }) => role === 'tool'))).not.toContain('what does');
});

test('it is sent no notes, and the log keeps them', async () => {
  const world = small(reply({ answer: 'Hello.' }));
  world.active = profile({ iterationBudgetEnabled: true });
  await world.run('Good morning');
  expect(JSON.stringify(world.requests[0]?.messages)).not.toContain('[andiron note]');
  expect(JSON.stringify(world.messages)).toContain('[andiron note]');
});

test('its reply is read also where the engine took it for a call of its own', async () => {
  const world = small(
    [call('touch', { call: 'echo', with: { value: 'a.txt' } }), done()],
    [call('echo', { answer: 'It says echo.' }), done()],
  );
  await world.run('what does a.txt say?');
  expect(world.executed).toEqual(['echo']);
  expect(world.messages.at(-1)).toMatchObject({ role: 'assistant', content: 'It says echo.' });
});

test('a reply that does not end is bounded', async () => {
  const world = small(reply({ call: 'echo', with: { value: 'a.txt' } }), reply({ answer: 'Hello.' }));
  await world.run('what does a.txt say?');
  expect(world.requests.every(({ maxOutputTokens }) => maxOutputTokens <= 400)).toBe(true);
});

test('where it refuses the grammar it is asked natively', async () => {
  const world = small([text('Hello.'), done()]);
  world.calling = { mode: 'native', takesGrammar: false, provenNative: true, grammarSteps: 0 };
  await world.run('what does a.txt say?');
  expect(formats(world)).toEqual(['null']);
});

test('it reads a whole file without the head of the result, and no full path of the workspace', async () => {
  const world = small(reply({ call: 'echo', with: { value: 'a.txt' } }), reply({ answer: 'Red.' }));
  world.onExecute = async () => 'lines 1-1 of 1\nred';
  await world.run('what does a.txt say?');
  expect(newest(world)).toContain('red');
  expect(newest(world)).not.toContain('lines 1-1');
});
