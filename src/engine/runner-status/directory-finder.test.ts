import { expect, test } from 'vitest';
import { createDirectoryFinder } from './directory-finder.ts';

const wish = {
  url: 'http://127.0.0.1:1',
  model: 'qwen3.5:9b',
  file: () => Promise.resolve(null),
  contextTokens: null,
};

test('the simulator tells where a runner is, or that there is none', async () => {
  const asked: string[] = [];
  const find = createDirectoryFinder('http://127.0.0.1:9', async (url) => {
    asked.push(url);
    return asked.length === 1
      ? { status: 200, body: '{"url":"http://127.0.0.1:4711"}' }
      : { status: 404, body: '{}' };
  });
  expect(await find(wish)).toEqual({ port: 4_711, pid: null });
  expect(await find(wish)).toBeNull();
  expect(asked[0]).toBe('http://127.0.0.1:9/?model=qwen3.5%3A9b');
});
