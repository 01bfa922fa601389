/** Answers of a guided model that say nothing: they are asked for once more, with the result in front. */
import { expect, test } from 'vitest';
import { done, text, TurnWorld } from '../helpers/turn-world.ts';

const question = 'what does a.txt say?';
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
): Promise<{ prompt: string; said: string | undefined }> {
  const looks = reply({ call: 'echo', with: {} });
  const world = new TurnWorld(opening, looks, reply({ answer: first }), reply({ answer: second }));
  world.leased = { parameterSize: '630.17M' };
  world.entries = ['a.txt'];
  world.onExecute = () => Promise.resolve(result);
  await world.run(question);
  const prompt = JSON.stringify(world.requests.at(-1)?.messages.at(-1));
  return { prompt, said: world.messages.at(-1)?.content };
}

test.each([
  ['is the question', question],
  ['tells of the worked examples', 'The word tea stands in drinks.txt.'],
])('An answer that %s is asked for once more, with the result in front', async (_, first) => {
  const { prompt, said } = await answersOf(first, 'Hello.');
  expect(said).toBe('Hello.');
  expect(prompt).toContain(`the line hello\\n\\n${question}`);
});

test('An answer of its own stands as it is', async () => {
  const { said } = await answersOf('It says hello.', 'Something else.');
  expect(said).toBe('It says hello.');
});

test('A long result is not read once more', async () => {
  const { prompt, said } = await answersOf(question, 'Hello.', 'hello '.repeat(200));
  expect(said).toBe('Hello.');
  expect(prompt).not.toContain('hello hello');
});
