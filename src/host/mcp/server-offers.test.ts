import { expect, test } from 'vitest';
import { passingClock } from '../../../test/helpers/passing-clock.ts';
import { ServerOffers } from './server-offers.ts';

type Ask = (
  asked: { method: string; params: { cursor?: string } },
  options: { signal?: AbortSignal },
) => unknown;

/** A server that answers as the test wants, with what it was asked. */
function server(answer: Ask, capabilities: object = { resources: {}, prompts: {} }) {
  const asked: string[] = [];
  const { clock, pass } = passingClock();
  const client = {
    getServerCapabilities: () => capabilities,
    request: async (...[request, options]: Parameters<Ask>) => {
      asked.push(request.method);
      return answer(request, options);
    },
  };
  return { offers: new ServerOffers(client as never, clock), asked, pass };
}
const resource = (uri: string, more: object = {}) => ({ uri, name: uri, ...more });

test('A list is asked for once, and again after the server said that it changed', async () => {
  const { offers, asked } = server(() => ({ resources: [resource('a')] }));
  await offers.resources();
  await offers.resources();
  expect(asked).toEqual(['resources/list']);
  offers.forget('prompts');
  await offers.resources();
  expect(asked).toHaveLength(1);
  offers.forget('resources');
  expect(await offers.resources()).toEqual([{ uri: 'a', name: 'a', description: '' }]);
  expect(asked).toHaveLength(2);
});

test('A server that has none is not asked', async () => {
  const { offers, asked } = server(() => ({}), { tools: {} });
  expect(await offers.resources()).toEqual([]);
  expect(await offers.prompts()).toEqual([]);
  expect(asked).toEqual([]);
});

test('Pages are read until there are no more, and what comes before a failure is kept', async () => {
  const { offers } = server(({ params: { cursor = '0' } }) => {
    if (cursor === '2') throw new Error('gone');
    return { resources: [resource(cursor)], nextCursor: String(Number(cursor) + 1) };
  });
  expect((await offers.resources()).map(({ uri }) => uri)).toEqual(['0', '1']);
});

test('A server that takes its time for each page is listed as far as it got', async () => {
  const slow = server(({ params: { cursor = '0' } }) => {
    slow.pass(3_000);
    return { resources: [resource(cursor)], nextCursor: String(Number(cursor) + 1) };
  });
  expect((await slow.offers.resources()).map(({ uri }) => uri)).toEqual(['0', '1']);
});

test('The title of a resource is its name, and nothing hides in it', async () => {
  const { offers } = server(() => ({ resources: [resource('a', { title: 'Plan\u202E\nof today' })] }));
  expect((await offers.resources())[0]?.name).toBe(String.raw`Plan\u202e\nof today`);
});

test.each(['read', 'prompt'] as const)('A server that never answers a %s is not waited for', async (what) => {
  const { offers, pass } = server(
    (_asked, { signal }) =>
      new Promise((_resolve, reject) => {
        signal?.addEventListener('abort', () => reject(new Error('aborted')));
      }),
  );
  const answer = what === 'read' ? offers.read('a') : offers.prompt('a', {});
  pass(20_000);
  await expect(answer).rejects.toThrow('It did not answer in time.');
});

test('What a server answers as a failure is said as it came', async () => {
  const { offers } = server(() => {
    throw new Error('no such note');
  });
  await expect(offers.read('a')).rejects.toThrow('no such note');
});
