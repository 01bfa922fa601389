import type { ElicitRequestParams } from '@modelcontextprotocol/client';
import { expect, test } from 'vitest';
import type { AskForm } from '../tools/tool.ts';
import { Elicitations } from './elicitations.ts';

const { signal } = new AbortController();
const naming: ElicitRequestParams = {
  message: 'Who are you?',
  requestedSchema: { type: 'object', properties: { name: { type: 'string' } } },
};

/** What was asked, and the answers that a test gives to it. */
function person() {
  const asked: string[] = [];
  const answers: ((answer: Awaited<ReturnType<AskForm>>) => void)[] = [];
  const ask: AskForm = ({ server, message }) => {
    asked.push(`${server}: ${message}`);
    return new Promise((resolve) => answers.push(resolve));
  };
  return { asked, answers, ask };
}

/** A call that goes on for as long as the test wants. */
function openCall(elicitations: Elicitations, ask: AskForm | null) {
  const { promise, resolve } = Promise.withResolvers<void>();
  const done = elicitations.during(ask, () => promise);
  return async () => {
    resolve();
    await done;
  };
}
const settled = () => new Promise((resolve) => setImmediate(resolve));

test('What the person fills in goes back to the server whose tool runs', async () => {
  const elicitations = new Elicitations('notes');
  const { ask, asked, answers } = person();
  openCall(elicitations, ask);
  const answered = elicitations.answer(naming, signal);
  await settled();
  answers[0]?.({ action: 'accept', values: { name: 'Ada' } });
  expect(await answered).toEqual({ action: 'accept', content: { name: 'Ada' } });
  expect(asked).toEqual(['notes: Who are you?']);
});

test('A server that asks while none of its tools runs is declined', async () => {
  const elicitations = new Elicitations('notes');
  const { ask, asked } = person();
  const end = openCall(elicitations, ask);
  await end();
  expect(await elicitations.answer(naming, signal)).toEqual({ action: 'decline' });
  expect(asked).toEqual([]);
});

test('A server is declined at once where nobody sits in front of the session', async () => {
  const elicitations = new Elicitations('notes');
  openCall(elicitations, null);
  expect(await elicitations.answer(naming, signal)).toEqual({ action: 'decline' });
});

test('A question is cancelled while tools of one server run for two sessions', async () => {
  const elicitations = new Elicitations('notes');
  const { ask, asked } = person();
  openCall(elicitations, ask);
  openCall(elicitations, ask);
  expect(await elicitations.answer(naming, signal)).toEqual({ action: 'cancel' });
  expect(asked).toEqual([]);
});

test('A server asks one question at a time, and too many of them are cancelled', async () => {
  const elicitations = new Elicitations('notes');
  const { ask, asked, answers } = person();
  openCall(elicitations, ask);
  const [first, ...others] = Array.from({ length: 6 }, () => elicitations.answer(naming, signal));
  expect(await Promise.all(others.slice(-2))).toEqual([{ action: 'cancel' }, { action: 'cancel' }]);
  expect(asked).toHaveLength(1);
  answers[0]?.({ action: 'decline' });
  expect(await first).toEqual({ action: 'decline' });
  await settled();
  expect(asked).toHaveLength(2);
});

test('A question that its server took back while it waited is never asked', async () => {
  const elicitations = new Elicitations('notes');
  const { ask, asked, answers } = person();
  openCall(elicitations, ask);
  const withdrawn = new AbortController();
  void elicitations.answer(naming, signal);
  const second = elicitations.answer(naming, withdrawn.signal);
  withdrawn.abort();
  await settled();
  answers[0]?.({ action: 'cancel' });
  expect(await second).toEqual({ action: 'cancel' });
  expect(asked).toHaveLength(1);
});

test.each<[string, ElicitRequestParams]>([
  ['an address of a file', { mode: 'url', message: '', elicitationId: '1', url: 'file:///etc/passwd' }],
  ['an address of a script', { mode: 'url', message: '', elicitationId: '1', url: 'javascript:alert(1)' }],
  ['no address', { mode: 'url', message: '', elicitationId: '1', url: 'nowhere' }],
  [
    'an address that is too long to be read',
    { mode: 'url', message: '', elicitationId: '1', url: `https://example.com/${'x'.repeat(2_000)}` },
  ],
  [
    'more fields than a person fills in',
    {
      message: '',
      requestedSchema: {
        type: 'object',
        properties: Object.fromEntries(
          Array.from({ length: 33 }, (_, index) => [`f${String(index)}`, { type: 'boolean' as const }]),
        ),
      },
    },
  ],
  [
    'a choice of nothing',
    { message: '', requestedSchema: { type: 'object', properties: { a: { type: 'string', enum: [] } } } },
  ],
])('%s is declined without being shown', async (_, params) => {
  const elicitations = new Elicitations('notes');
  const { ask, asked } = person();
  openCall(elicitations, ask);
  expect(await elicitations.answer(params, signal)).toEqual({ action: 'decline' });
  expect(asked).toEqual([]);
});
