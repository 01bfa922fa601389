import { expect, test } from 'vitest';
import { createStateStore, initialState } from '../state.ts';
import { failureOf, fakeDeps } from '../testing/fakes.ts';
import { canonicalName, createCatalogue } from './catalogue.ts';

function open({ watched = false } = {}) {
  const deps = fakeDeps();
  const state = createStateStore(initialState);
  const catalogue = createCatalogue(deps, state, {
    url: () => 'http://127.0.0.1:11434',
    watched: () => watched,
    onLost: () => undefined,
  });
  const shows = () => deps.ollama.sent.filter(({ call }) => call === 'show').length;
  return { deps, state, catalogue, shows };
}

test('an empty list is told apart from one that was not read yet', async () => {
  const { state, catalogue } = open();
  expect(state.current().modelsReadAt).toBeNull();
  await catalogue.read();
  expect(state.current()).toMatchObject({ models: [], modelsReadAt: expect.any(Number) });
});

test('every model is listed and described once per digest', async () => {
  const { deps, state, catalogue, shows } = open();
  deps.ollama.install('qwen3:8b');
  deps.ollama.install('nomic:latest', { show: { capabilities: ['embedding'] } });
  await catalogue.read();
  await catalogue.read();
  expect(state.current().models.map((model) => [model.name, model.capabilities])).toEqual([
    ['qwen3:8b', ['completion', 'tools']],
    ['nomic:latest', ['embedding']],
  ]);
  expect(shows()).toBe(2);
  deps.ollama.install('qwen3:8b', { digest: 'pulled again' });
  await catalogue.read();
  expect(shows()).toBe(3);
});

test('an unchanged list is no news', async () => {
  const { deps, state, catalogue } = open();
  deps.ollama.install('qwen3:8b');
  await catalogue.read();
  const before = state.current();
  await deps.clock.advance(120_000);
  expect(state.current()).toBe(before);
});

test('a model pulled elsewhere is seen within two seconds by a window that shows none', async () => {
  const { deps, state, catalogue } = open({ watched: true });
  await catalogue.read();
  deps.ollama.install('qwen3:8b');
  await deps.clock.advance(2_000);
  expect(state.current().models).toHaveLength(1);
});

test('one that refuses to be described stays listed, with nothing known', async () => {
  const { deps, state, catalogue } = open();
  deps.ollama.install('stub:cloud');
  deps.ollama.show = () => Promise.reject(new Error('403'));
  await catalogue.read();
  expect(state.current().models).toMatchObject([{ name: 'stub:cloud', capabilities: null }]);
});

test('a list that cannot be read leaves the old one', async () => {
  const { deps, state, catalogue } = open();
  deps.ollama.install('qwen3:8b');
  await catalogue.read();
  deps.ollama.failure = new Error('500');
  await catalogue.read();
  expect(state.current().models).toHaveLength(1);
});

test('a first reading that failed is repeated soon: every message waits for it', async () => {
  const { deps, state, catalogue } = open();
  deps.ollama.install('qwen3:8b');
  deps.ollama.failure = new Error('reset');
  await catalogue.read();
  deps.ollama.failure = undefined;
  await deps.clock.advance(2_000);
  expect(state.current().models).toHaveLength(1);
});

test('names are found without their tag and in any case', async () => {
  const { deps, catalogue } = open();
  deps.ollama.install('Qwen3:latest');
  await expect(catalogue.find('qwen3')).resolves.toMatchObject({ name: 'Qwen3:latest' });
});

test('a model that is not there is asked for once more before it is called missing', async () => {
  const { deps, catalogue } = open();
  await catalogue.read();
  deps.ollama.install('new:latest');
  await expect(catalogue.find('new')).resolves.toMatchObject({ name: 'new:latest' });
  expect(await failureOf(catalogue.find('nope'))).toMatchObject({
    code: 'model_missing',
    advice: expect.stringContaining('ollama pull nope'),
  });
});

test('when the list cannot be read, that is said, not that the model is missing', async () => {
  const { deps, catalogue } = open();
  deps.ollama.listensAt.clear();
  expect(await failureOf(catalogue.find('qwen3:8b'))).toMatchObject({ code: 'engine_unavailable' });
});

test.each([
  ['qwen3', 'qwen3:latest'],
  ['Qwen3:8B', 'qwen3:8b'],
  ['localhost:5000/team/model', 'localhost:5000/team/model:latest'],
])('%s means %s', (name, canonical) => {
  expect(canonicalName(name)).toBe(canonical);
});
