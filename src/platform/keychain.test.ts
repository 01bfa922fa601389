import { expect, test } from 'vitest';
import { answerQuestion, createDistantKeychain, type Keychain, type KeychainQuestion } from './keychain.ts';

/** The host's side, whose questions are answered by the parent's keychain in the order that the test wants. */
function connected(keychain: Keychain | null) {
  const asked: KeychainQuestion[] = [];
  const { keychain: distant, receive } = createDistantKeychain('gnome', (question) => asked.push(question));
  return {
    distant,
    receive,
    asked,
    answer: async (at: number) => receive(await answerOf(keychain, asked[at])),
  };
}

async function answerOf(keychain: Keychain | null, question: KeychainQuestion | undefined) {
  if (!question) throw new Error('Nothing was asked.');
  return answerQuestion(keychain, question);
}

const marking: Keychain = {
  name: 'gnome',
  seal: (text) => Promise.resolve(`sealed ${text}`),
  open: (text) =>
    text.startsWith('sealed ') ? Promise.resolve(text.slice(7)) : Promise.reject(new Error('no')),
};

test('Each question gets its own answer, in whatever order they come', async () => {
  const { distant, answer } = connected(marking);
  const sealed = distant.seal('one');
  const opened = distant.open('sealed two');
  await answer(1);
  await answer(0);
  expect([await sealed, await opened]).toEqual(['sealed one', 'two']);
});

test('What the system refuses is told in its words', async () => {
  const { distant, answer } = connected(marking);
  const opened = distant.open('something else');
  await answer(0);
  await expect(opened).rejects.toThrow('no');
});

test('A parent without a keychain refuses', async () => {
  const { distant, answer } = connected(null);
  const sealed = distant.seal('one');
  await answer(0);
  await expect(sealed).rejects.toThrow('There is no keychain.');
});

test('An answer that nobody waits for changes nothing', async () => {
  const { distant, receive, answer } = connected(marking);
  const sealed = distant.seal('one');
  receive({ type: 'keychain', id: 7, text: 'of nobody' });
  await answer(0);
  receive({ type: 'keychain', id: 1, text: 'late' });
  expect(await sealed).toBe('sealed one');
});
