/** What deaths and failures once broke; each test is the shortest way to one of those bugs. */
import { afterEach, expect, test } from 'vitest';
import { messageOf } from '../helpers/message-plans.ts';
import { People } from '../helpers/people.ts';

const houses: People[] = [];
afterEach(async () => {
  for (const people of houses.splice(0)) await people.house.close();
});

async function move(sessions: number): Promise<People> {
  const people = await People.move(sessions);
  houses.push(people);
  return people;
}

test('who waits for the GPU behind a turn that loaded the same model is not shown as loading for ever', async () => {
  const people = await move(2);
  await people.send(0, 'command', true);
  await people.send(1, 'say', true);
  await people.until(() => people.session(0).question !== undefined, 'the question');
  expect(people.session(1).runningTurn).toMatchObject({ text: messageOf(2, 'say'), phase: 'lease' });
});
