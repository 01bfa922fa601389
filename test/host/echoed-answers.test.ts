/** Answers of a guided model that say nothing: they are asked for once more, with the result in front. */
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { defineTool } from '../../src/host/tools/define-tool.ts';
import { answers, looks, opening as openingOf, small, touches } from '../helpers/small-models.ts';
import { done, profile, text, TurnWorld } from '../helpers/turn-world.ts';

const finder = (name: string, content: string) =>
  defineTool({
    name,
    description: 'Finds.',
    parameters: z.object({}),
    mutates: false,
    retrySafe: true,
    risk: 'read',
    about: 'outside',
    timeoutMs: 1_000,
    subject: () => 'a.txt',
    need: () => ({ risk: 'read', summary: '', mutates: '', sandboxed: false, scopes: ['once'] }),
    execute: async () => ({ ok: true, content, display: null }),
  });

const question = 'what does a.txt say?';
const nothing = 'Nothing in . matches a.txt.';
const reply = (value: unknown) => [text(JSON.stringify(value)), done()];
const opening = reply({
  steps: [
    { act: 'look', what: 'read a.txt' },
    { act: 'answer', what: 'what it says' },
  ],
});

/** It looks, gives these answers, and its last prompt is returned with what it said in the end. */
async function answersOf(
  first: string,
  second: string,
  result = 'the line hello',
): Promise<{ prompt: string; said: string | undefined; world: TurnWorld }> {
  const looks = reply({ call: 'echo', with: {} });
  const again = result === nothing ? { answer_why_not: second } : { answer: second };
  const world = new TurnWorld(opening, looks, reply({ answer: first }), reply(again));
  world.leased = { parameterSize: '630.17M' };
  world.entries = ['a.txt'];
  world.onExecute = () => Promise.resolve(result);
  await world.run(question);
  const prompt = JSON.stringify(world.requests.at(-1)?.messages.at(-1));
  return { prompt, said: world.messages.at(-1)?.content, world };
}

test.each([
  ['is the question', question],
  ['tells of the worked examples', 'The word tea stands in drinks.txt.'],
])('An answer that %s is asked for once more, with the result in front', async (_, first) => {
  const { prompt, said } = await answersOf(first, 'Hello.');
  expect(said).toBe('Hello.');
  expect(prompt).toContain(`the line hello\\n\\n${question}`);
});

test('Where a model writes digits without end, also asked once more, what was found is the answer', async () => {
  const endless = [text(`{"answer":"${'1234567890'.repeat(80)}`), done({}, 'length')];
  const world = new TurnWorld(
    opening,
    reply({ call: 'echo', with: {} }),
    ...Array.from({ length: 4 }, () => endless),
  );
  world.leased = { parameterSize: '630.17M' };
  world.entries = ['a.txt'];
  world.onExecute = () => Promise.resolve('the line hello');
  await world.run(question);
  expect(world.messages.at(-1)?.content).toBe('the line hello');
});

test('An answer of its own stands as it is', async () => {
  const { said } = await answersOf('It says hello.', 'Something else.');
  expect(said).toBe('It says hello.');
});

test('Where something was done, an answer that only repeats what it was to be about is asked what was done', async () => {
  const acts = openingOf('change', 'answer');
  const world = small(acts, touches, answers('what was asked'), reply({ what_was_done: 'Touched it.' }));
  await world.run('put it in order');
  expect(world.messages.at(-1)?.content).toBe('Touched it.');
  expect(JSON.stringify(world.requests.at(-1)?.format)).toContain('what_was_done');
});

test('An answer that is a line in which Andiron began a step is asked for once more', async () => {
  const acts = openingOf('look', 'change', 'answer');
  const again = reply({ what_was_done: 'Touched it.' });
  const world = small(acts, looks, touches, answers('Next: change at it'), again);
  await world.run('put it in order');
  expect(JSON.stringify(world.messages)).toContain('Next: change at it');
  expect(world.messages.at(-1)?.content).toBe('Touched it.');
});

test('Where nothing is told of what was done even then, the result tells it', async () => {
  const acts = openingOf('change', 'answer');
  const silent = reply({ what_was_done: 'The word tea stands in drinks.txt.' });
  const world = small(acts, touches, answers('what was asked'), silent);
  await world.run('put it in order');
  expect(world.messages.at(-1)?.content).toBe('touch was run');
});

test('The question over again behind an answer is left out of it', async () => {
  const { said, world } = await answersOf(`The line hello. "${question}"`, 'Something else.');
  expect(said).toBe('The line hello.');
  expect(world.events.findLast(({ type }) => type === 'item/rewritten')).toMatchObject({ text: said });
});

test('A long result is not read once more', async () => {
  const { prompt, said } = await answersOf(question, 'Hello.', 'hello '.repeat(200));
  expect(said).toBe('Hello.');
  expect(prompt).not.toContain('hello hello');
});

const guessed = (world: TurnWorld): boolean =>
  world.items().some((item) => item.kind === 'note' && item.note === 'guessed');

describe('An answer with a figure from nowhere, behind a look that found nothing,', () => {
  const guess = 'It says 123.';

  test('is asked for once more, with what was not found in front', async () => {
    const { prompt, said, world } = await answersOf(guess, 'There is no a.txt.', nothing);
    expect(JSON.stringify(world.requests.at(-1)?.format)).toContain('answer_why_not');
    expect(said).toBe('There is no a.txt.');
    expect(prompt).toContain(`${nothing}\\n\\n${question}`);
    expect(guessed(world)).toBe(false);
  });

  test('is called a guess where it stays', async () => {
    const { said, world } = await answersOf(guess, 'It says 124.', nothing);
    expect(said).toBe('It says 124.');
    expect(guessed(world)).toBe(true);
  });

  test('stands as it is where something was found', async () => {
    const { said, world } = await answersOf(guess, 'Something else.');
    expect(said).toBe(guess);
    expect(guessed(world)).toBe(false);
  });
});

test('Where what was to be changed was not found, the answer stands, and a note says that nothing was changed', async () => {
  const world = small(
    openingOf('look', 'change', 'answer'),
    looks,
    reply({ answer_why_not: 'There is no a.txt.' }),
    reply({ answer: 'Asked in vain.' }),
  );
  world.onExecute = () => Promise.resolve(nothing);
  await world.run('put a.txt in order');
  expect(world.messages.at(-1)?.content).toBe('There is no a.txt.');
  expect(world.items().flatMap((item) => (item.kind === 'note' ? [item.note] : []))).toEqual(['unproven']);
});

test('What Andiron put behind a result is not written with it, and the card says so', async () => {
  const acts = openingOf('look', 'change', 'answer');
  const change = reply({ call: 'touch', with: { value: 'echo was run\n\nNext: change at it' } });
  const world = small(acts, looks, change, answers('Done.'));
  await world.run('put it in order');
  expect(world.items().find((item) => item.kind === 'tool' && item.tool === 'touch')).toMatchObject({
    args: { value: 'echo was run' },
    repairs: ['left out a note that Andiron had added to a result'],
  });
});

/** What the answer is after a change that the person declined, and how often the model was asked. */
async function saidAfterDecline(
  first: string,
): Promise<{ said: string | undefined; requests: number; world: TurnWorld }> {
  const again = reply({ answer_why_not: 'It was not done, as it was declined.' });
  const world = small(openingOf('change', 'answer'), touches, answers(first), again);
  world.decision = () => 'deny';
  await world.run('put it in order');
  return { said: world.messages.at(-1)?.content, requests: world.requests.length, world };
}

test('An answer that is the error of a declined call is asked for once more', async () => {
  const { said, world } = await saidAfterDecline('Error: the person declined this call.');
  expect(said).toBe('It was not done, as it was declined.');
  // Nobody may have been there to decline it.
  expect(world.requests.at(-1)?.messages.at(-1)?.content).toContain(
    'This was not done: it was not approved.',
  );
});

test('Any other answer after a declined call stands: the person knows what was not done', async () => {
  expect(await saidAfterDecline('I left it as it is.')).toMatchObject({
    said: 'I left it as it is.',
    requests: 3,
  });
});

test('What was found after a declined call may be the answer, word for word', async () => {
  const again = reply({ answer_why_not: 'Asked in vain.' });
  const world = small(openingOf('change', 'look', 'answer'), touches, looks, answers('It holds tea.'), again);
  world.decision = ({ item }) => (item.tool === 'touch' ? 'deny' : 'allow');
  world.onExecute = () => Promise.resolve('It holds tea.');
  await world.run('put it in order');
  expect(world.messages.at(-1)?.content).toBe('It holds tea.');
});

test.each([
  ['a list', 'list_files', 'a.csv\nb.csv', 'a.csv\nb.csv'],
  ['a file', 'read_file', 'lines 1-1 of 1\nhello', 'hello'],
])(
  'Where both answers only say the question over, %s that was found is the answer',
  async (_, tool, result, said) => {
    const world = new TurnWorld(
      opening,
      reply({ call: tool, with: {} }),
      reply({ answer: question }),
      reply({ answer: question }),
    );
    world.leased = { parameterSize: '630.17M' };
    world.entries = ['a.txt'];
    world.moreTools.push(finder(tool, result));
    world.active = profile({ tools: ['echo', 'touch', tool] });
    await world.run(question);
    expect(world.messages.at(-1)?.content).toBe(said);
  },
);
