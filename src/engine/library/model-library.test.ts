import { expect, test } from 'vitest';
import { AndironError } from '../../protocol/errors.ts';
import { failureOf, gib } from '../testing/fakes.ts';
import { openLibrary, openPulling } from '../testing/open-library.ts';

test('a deleted model leaves the memory first, then the list', async () => {
  const house = await openLibrary();
  house.deps.ollama.install('old:8b');
  await house.catalogue.read();
  await house.remove('OLD:8b');
  expect(house.unloaded).toEqual(['old:8b']);
  expect(house.state.current().models).toEqual([]);
});

test('a model is not deleted at the Ollama that took over while it was being unloaded', async () => {
  const world = { url: 'http://gpu.lan:11434' };
  const unload = async (): Promise<void> => void (world.url = 'http://127.0.0.1:11434');
  const house = await openLibrary({}, { url: () => world.url, unload });
  house.deps.ollama.install('old:8b');
  await house.catalogue.read();
  expect(await failureOf(house.remove('old:8b'))).toMatchObject({
    code: 'engine_unavailable',
    message: expect.stringContaining('http://gpu.lan:11434'),
  });
  expect(house.deps.ollama.installed.has('old:8b')).toBe(true);
});

test.each([
  ['lease', { lease: { id: 'l', model: 'old:8b', purpose: 'turn' as const, label: 't', since: 1 } }],
  [
    'waiting lease',
    { queue: [{ id: 'l', model: 'old:8b', purpose: 'turn' as const, label: 't', since: 1 }] },
  ],
  ['load', { loading: { model: 'old:8b', since: 1, expectedMs: null } }],
])('a model under a %s is not deleted', async (_, changes) => {
  const house = await openLibrary();
  house.deps.ollama.install('old:8b');
  await house.catalogue.read();
  house.state.update(changes);
  expect(await failureOf(house.remove('old:8b'))).toMatchObject({ code: 'busy' });
  expect(house.deps.ollama.installed.has('old:8b')).toBe(true);
});

test('nor while another tag of it is used, or while another program keeps it in memory', async () => {
  const inMemory = new AndironError('busy', 'old:8b is still in memory.', 'Wait.');
  const house = await openLibrary({}, { unload: () => Promise.reject(inMemory) });
  house.deps.ollama.install('old:8b', { digest: 'same' });
  house.deps.ollama.install('copy:8b', { digest: 'same' });
  await house.catalogue.read();
  const lease = { id: 'l', model: 'copy:8b', purpose: 'turn' as const, label: 't', since: 1 };
  house.state.update({ lease });
  expect(await failureOf(house.remove('old:8b'))).toMatchObject({ code: 'busy' });
  house.state.update({ lease: null });
  expect(await failureOf(house.remove('old:8b'))).toBe(inMemory);
  expect(house.deps.ollama.installed.size).toBe(2);
});

test('a model that is being pulled is not deleted meanwhile', async () => {
  const house = await openPulling();
  house.deps.ollama.install('new:1b');
  await house.catalogue.read();
  expect(await failureOf(house.remove('new:1b'))).toMatchObject({ code: 'busy' });
});

test('a model that is not there cannot be deleted', async () => {
  const house = await openLibrary();
  expect(await failureOf(house.remove('nope'))).toMatchObject({ code: 'model_missing' });
});

test('details say what the model is and what hangs on it', async () => {
  const house = await openLibrary({}, { cacheBytesPerToken: () => 4_096 });
  house.deps.ollama.install('old:8b', {
    digest: 'same',
    show: {
      capabilities: ['completion', 'tools'],
      license: 'Do good.',
      parameters: 'temperature 0.6',
      model_info: {
        'general.architecture': 'qwen3',
        'qwen3.block_count': 36,
        'qwen3.context_length': 32_768,
      },
    },
  });
  house.deps.ollama.install('copy:8b', { digest: 'same' });
  await house.catalogue.read();
  house.state.update({
    loaded: [
      {
        name: 'old:8b',
        sizeBytes: gib,
        vramBytes: gib,
        contextTokens: 4_096,
        expiresAt: '',
        asPlanned: null,
      },
    ],
  });
  expect(await house.details('old:8b')).toMatchObject({
    architecture: 'qwen3',
    layers: 36,
    trainedContext: 32_768,
    cacheBytesPerToken: 4_096,
    parameters: 'temperature 0.6',
    licence: 'Do good.',
    dependents: [
      { kind: 'loaded', name: 'old:8b' },
      { kind: 'tag', name: 'copy:8b' },
    ],
  });
});

test('a description that says nothing, or nonsense, leaves things unknown', async () => {
  const house = await openLibrary();
  house.deps.ollama.install('odd', {
    show: { model_info: { 'general.architecture': 7, 'x.block_count': 1.5 } },
  });
  await house.catalogue.read();
  expect(await house.details('odd')).toMatchObject({
    architecture: null,
    layers: null,
    trainedContext: null,
    licence: '',
  });
});

test('without Ollama the own list is offered, judged and marked where installed', async () => {
  const house = await openLibrary({}, { fitOf: ({ forVramGib }) => (forVramGib === 8 ? 'fits' : 'too_big') });
  house.deps.ollama.install('qwen3.5:4b');
  await house.catalogue.read();
  const entries = await house.entries();
  expect(entries.length).toBeGreaterThan(10);
  expect(entries.find(({ name }) => name === 'qwen3.5:4b')).toMatchObject({
    installed: true,
    source: 'offline',
    verdict: 'fits',
  });
  expect(entries.find(({ name }) => name === 'qwen3.8:27b')).toMatchObject({
    installed: false,
    verdict: 'too_big',
  });
});

test("Ollama's suggestions come behind the own list, each once, without those that run elsewhere", async () => {
  const house = await openLibrary();
  house.deps.ollama.suggestions = [
    { model: 'gemma4', description: 'Theirs.', vram_bytes: 12 * gib },
    { model: 'qwen3.5:9b', description: 'Theirs.' },
    { model: 'gemma4:12b', description: 'Theirs.', context_length: 131_072 },
    { model: 'huge:cloud', description: 'Elsewhere.' },
    { model: 'paid', description: 'Elsewhere.', required_plan: 'pro' },
  ];
  const entries = await house.entries();
  const names = entries.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  expect(entries.filter(({ source }) => source === 'ollama')).toMatchObject([
    { name: 'gemma4', description: 'Theirs.', forVramGib: 12, downloadBytes: null, installed: false },
  ]);
  expect(entries.find(({ name }) => name === 'gemma4:12b')?.trainedContext).toBe(131_072);
});

test('suggestions are asked for once an hour', async () => {
  const house = await openLibrary();
  house.deps.ollama.suggestions = [{ model: 'first', description: '' }];
  await house.entries();
  house.deps.ollama.suggestions = [{ model: 'second', description: '' }];
  expect((await house.entries()).map(({ name }) => name)).toContain('first');
  await house.deps.clock.advance(60 * 60_000);
  expect((await house.entries()).map(({ name }) => name)).toContain('second');
});

test('a judgement that fails is an unknown one', async () => {
  const house = await openLibrary({}, { fitOf: () => Promise.reject(new Error('no numbers')) });
  expect((await house.entries()).every(({ verdict }) => verdict === 'unknown')).toBe(true);
});
