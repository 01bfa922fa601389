import { expect, test } from 'vitest';
import { silentLog } from '../../platform/log.ts';
import { createFacts } from '../base/engine-facts.ts';
import { createStateStore, initialState } from '../base/state.ts';
import { failureOf, fakeDeps } from '../testing/fakes.ts';
import { canonicalName, createCatalogue } from './catalogue.ts';

function open({ watched = false } = {}) {
  const warnings: string[] = [];
  const deps = {
    ...fakeDeps(),
    log: { ...silentLog, warn: (message: string) => void warnings.push(message) },
  };
  const state = createStateStore(initialState);
  const catalogue = createCatalogue(deps, state, {
    url: () => 'http://127.0.0.1:11434',
    watched: () => watched,
    facts: createFacts(silentLog),
  });
  const shows = () => deps.ollama.sent.filter(({ call }) => call === 'show').length;
  return { deps, state, catalogue, shows, warnings };
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

test('of 20,000 models some are described at each reading, and any at once when it is wanted (audit-S23)', async () => {
  const { deps, state, catalogue, shows } = open();
  for (let index = 0; index < 20_000; index++) deps.ollama.install(`model-${String(index)}:latest`);
  await catalogue.read();
  const capable = () => state.current().models.filter(({ capabilities }) => capabilities !== null);
  expect(state.current().models).toHaveLength(20_000);
  expect(shows()).toBe(200);
  // The choice of a model that nobody named goes by the first of the list.
  expect(capable().map(({ name }) => name)).toContain('model-0:latest');
  await expect(catalogue.find('model-19999')).resolves.toMatchObject({
    capabilities: ['completion', 'tools'],
  });
  expect(shows()).toBe(201);
  expect(capable()).toHaveLength(201);
  await catalogue.read();
  expect(capable()).toHaveLength(401);
});

test('models that refuse to be described keep no others from it, and are told in the log once (audit-S23)', async () => {
  const { deps, state, catalogue, warnings } = open();
  const show = deps.ollama.show.bind(deps.ollama);
  for (let index = 0; index < 300; index++) deps.ollama.install(`stub-${String(index)}:cloud`);
  deps.ollama.install('qwen3:8b');
  deps.ollama.show = (at, model, signal) =>
    model.startsWith('stub') ? Promise.reject(new Error('403')) : show(at, model, signal);
  await catalogue.read();
  await catalogue.read();
  expect(state.current().models.at(-1)).toMatchObject({ capabilities: ['completion', 'tools'] });
  await catalogue.read();
  expect(warnings).toHaveLength(300);
  expect(new Set(warnings)).toEqual(new Set(['a model could not be described']));
});

test('1,000 models that are wanted at once are described a few at a time, and told once (audit-S23)', async () => {
  const { deps, state, catalogue, shows } = open();
  for (let index = 0; index < 2_000; index++) deps.ollama.install(`model-${String(index)}:latest`);
  await catalogue.read();
  const show = deps.ollama.show.bind(deps.ollama);
  let [now, most] = [0, 0];
  deps.ollama.show = async (...about) => {
    now += 1;
    most = Math.max(most, now);
    const reply = await show(...about);
    now -= 1;
    return reply;
  };
  let changes = 0;
  state.onChange(() => (changes += 1));
  const wanted = Array.from({ length: 1_000 }, (_, index) =>
    catalogue.find(`model-${String(1_000 + index)}`),
  );
  const found = await Promise.all(wanted);
  expect(found.every(({ capabilities }) => capabilities !== null)).toBe(true);
  expect({ most, changes, shows: shows() }).toEqual({ most: 4, changes: 1, shows: 1_200 });
});

test('what was told of a model is forgotten once the server no longer lists it (audit-S23)', async () => {
  const { deps, catalogue, shows } = open();
  deps.ollama.install('qwen3:8b');
  await catalogue.read();
  deps.ollama.installed.clear();
  await catalogue.read();
  deps.ollama.install('qwen3:8b');
  await catalogue.read();
  expect(shows()).toBe(2);
});

test('a server that describes slowly keeps nobody waiting for its whole list (audit-S23)', async () => {
  const { deps, state, catalogue, shows } = open();
  for (let index = 0; index < 150; index++) deps.ollama.install(`model-${String(index)}:latest`);
  const show = deps.ollama.show.bind(deps.ollama);
  deps.ollama.show = async (...about) => {
    const reply = await show(...about);
    await new Promise<void>((resolve) => deps.clock.after(1_000, resolve));
    return reply;
  };
  const reading = catalogue.read();
  await deps.clock.advance(12_000);
  await reading;
  expect(state.current().models).toHaveLength(150);
  expect(shows()).toBe(40);
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
