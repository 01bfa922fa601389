import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { plainRequest } from '../../../test/helpers/openai-asking.ts';
import { openAiServer, refusal, saying } from '../../../test/helpers/openai-server.ts';
import { systemClock } from '../../platform/clock.ts';
import { systemFiles } from '../../platform/files.ts';
import { listHostModels } from './host-models.ts';
import type { HostConfig } from './host-kind.ts';
import { createHostProviders, hostsFileName, loadHosts } from './hosts.ts';
import { modelName, splitModelName } from '../../rules/model-names.ts';

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'andiron-hosts-'));
});
afterEach(async () => {
  await rm(folder, { recursive: true });
});

async function load(content: unknown) {
  await writeFile(
    join(folder, hostsFileName),
    typeof content === 'string' ? content : JSON.stringify(content),
  );
  return loadHosts(systemFiles, folder);
}

const lab = { id: 'lab', kind: 'openai', url: 'http://127.0.0.1:8080' };

describe('hosts.json', () => {
  it('may be missing: then there is only the engine', async () => {
    expect(await loadHosts(systemFiles, folder)).toMatchObject({ hosts: [], problem: null });
  });

  it('names hosts, and the variable in which a key is', async () => {
    const attic = { id: 'attic', name: 'The attic', kind: 'ollama', url: 'http://attic:11434/' };
    expect(await load({ hosts: [{ ...lab, apiKeyEnv: 'LAB_KEY' }, attic] })).toMatchObject({
      problem: null,
      hosts: [
        { id: 'lab', name: 'lab', kind: 'openai', url: 'http://127.0.0.1:8080/v1', apiKeyEnv: 'LAB_KEY' },
        { id: 'attic', name: 'The attic', kind: 'ollama', url: 'http://attic:11434', apiKeyEnv: undefined },
      ],
    });
  });

  it('is read without complaint as docs/hosts.md shows it (audit-N5)', async () => {
    const shown = /```json\n([^`]*)```/.exec(await readFile('docs/hosts.md', 'utf8'))?.[1] ?? '';
    const { hosts, problem } = await load(shown);
    expect(problem).toBeNull();
    expect(hosts.map(({ id, kind }) => [id, kind])).toEqual([
      ['lab', 'openai'],
      ['attic', 'ollama'],
    ]);
  });

  it('names the prices of its models in hosts.json (I8)', async () => {
    const prices = { currency: 'EUR', models: { big: { input: 0.3, output: 1.2 } } };
    expect((await load({ hosts: [{ ...lab, prices }] })).hosts[0]?.prices).toEqual(prices);
  });

  it.each([
    ['http://lab:8080', 'http://lab:8080/v1'],
    ['http://lab:8080/', 'http://lab:8080/v1'],
    ['http://lab:8080/v1/', 'http://lab:8080/v1'],
    ['http://lab:8080/v1/chat/completions', 'http://lab:8080/v1'],
    ['https://lab/openai/v3', 'https://lab/openai/v3'],
  ])('takes the address %s', async (url, root) => {
    expect((await load({ hosts: [{ ...lab, url }] })).hosts[0]?.url).toBe(root);
  });

  it.each<[string, unknown, RegExp]>([
    ['is no JSON', '{', /^hosts\.json: .*JSON/],
    ['lacks an address', { hosts: [{ id: 'lab', kind: 'openai' }] }, /hosts\.0\.url: expected an address/],
    ['has another kind of address', { hosts: [{ ...lab, url: 'file:///etc' }] }, /hosts\.0\.url/],
    [
      'has a password in an address',
      { hosts: [{ ...lab, url: 'http://a:b@lab' }] },
      /without user, password/,
    ],
    [
      'has a price in words',
      { hosts: [{ ...lab, prices: { currency: 'EUR', models: { big: { input: 'cheap', output: 1 } } } }] },
      /hosts\.0\.prices\.models\.big\.input/,
    ],
    ['names a host twice', { hosts: [lab, lab] }, /same id/],
    ['names a host as the engine', { hosts: [{ ...lab, id: 'engine' }] }, /own engine/],
    ['has an id with a slash', { hosts: [{ ...lab, id: 'a/b' }] }, /hosts\.0\.id/],
    ['has the key itself', { hosts: [{ ...lab, apiKeyEnv: 'sk-123' }] }, /not the key itself/],
    [
      'has a key for an Ollama',
      { hosts: [{ ...lab, kind: 'ollama', apiKeyEnv: 'LAB_KEY' }] },
      /hosts\.0\.apiKeyEnv: this kind of host takes no key/,
    ],
    ['has no kind', { hosts: [{ id: 'lab', url: 'http://lab' }] }, /hosts\.0\.kind/],
    ['has an unknown key', { hosts: [{ ...lab, apiKey: 'x' }] }, /apiKey/],
    ['is too long', ' '.repeat(70_000), /hosts\.json/],
  ])('that %s is told with what is expected, and no host of it is used', async (_name, content, problem) => {
    const loaded = await load(content);
    expect(loaded.hosts).toEqual([]);
    expect(loaded.problem).toMatch(problem);
  });

  it('leaves out a host of an unknown kind, names it, and uses the others (audit-N2)', async () => {
    const later = { id: 'attic', kind: 'from_later', url: 'http://attic', model: 'x' };
    expect(await load({ hosts: [later, lab] })).toMatchObject({
      hosts: [expect.objectContaining({ id: 'lab' })],
      problem: 'hosts.json: hosts.0.kind: there is no kind "from_later"; expected ollama or openai',
    });
  });

  it.each(['constructor', '__proto__', 'toString'])('knows no kind "%s"', async (kind) => {
    expect((await load({ hosts: [{ ...lab, kind }] })).hosts).toEqual([]);
  });

  it('gives the router the engine and every host, each at its own address and with its own key', async () => {
    const server = await openAiServer(saying('Hi'));
    const config: HostConfig = {
      id: 'lab',
      name: 'Lab',
      kind: 'openai',
      url: server.url,
      apiKeyEnv: 'LAB_KEY',
    };
    const providers = createHostProviders({
      hosts: [config],
      clock: systemClock,
      keys: { keyOf: ({ id }) => Promise.resolve(`k of ${id}`) },
    });
    expect(providers.get('engine')).toMatchObject({ supervised: true });
    expect(providers.get('engine')?.url).toBeUndefined();
    expect(providers.get('lab')?.url).toBe(server.url);
    const host = providers.get('lab');
    const stream = host?.provider.stream(plainRequest(server.url), new AbortController().signal);
    for await (const event of stream ?? []) expect(event).toBeDefined();
    expect(server.requests[0]?.headers.authorization).toBe('Bearer k of lab');
    await server.close();
  });
});

async function list(answer: object, status = 200) {
  const server = await openAiServer(refusal(status, JSON.stringify(answer)));
  const config: HostConfig = {
    id: 'lab',
    name: 'Lab',
    kind: 'openai',
    url: server.url,
    apiKeyEnv: undefined,
  };
  try {
    return await listHostModels(
      config,
      { readKey: () => Promise.resolve('k'), clock: systemClock },
      new AbortController().signal,
    );
  } finally {
    expect(server.requests[0]).toMatchObject({ method: 'GET', path: '/v1/models' });
    expect(server.requests[0]?.headers.authorization).toBe('Bearer k');
    await server.close();
  }
}

describe('the models of a host', () => {
  it('have their windows where llama-server and vLLM say them', async () => {
    const data = [{ id: 'a', meta: { n_ctx: 4096 } }, { id: 'b/c', max_model_len: 8192 }, { id: 'd' }];
    expect(await list({ object: 'list', data })).toEqual([
      { host: 'lab', model: 'a', name: 'lab/a', contextTokens: 4096 },
      { host: 'lab', model: 'b/c', name: 'lab/b/c', contextTokens: 8192 },
      { host: 'lab', model: 'd', name: 'lab/d', contextTokens: null },
    ]);
  });

  it('are not guessed from an answer of another kind', async () => {
    await expect(list({ hello: 'there' })).rejects.toMatchObject({ code: 'stream_broken' });
  });

  it('are not told without the key', async () => {
    await expect(list({ error: { message: 'Invalid API Key' } }, 401)).rejects.toMatchObject({
      code: 'engine_refused',
    });
  });
});

describe('the name of a model', () => {
  const hosts = new Set(['lab']);

  it.each(['qwen3:8b', 'hf.co/someone/model:Q4_K_M', 'lab/qwen', 'lab/org/qwen'])(
    '%s is read back',
    (name) => {
      const { host, model } = splitModelName(name, hosts);
      expect(modelName(host, model)).toBe(name);
    },
  );

  it('belongs to the engine unless it begins with the id of a host', () => {
    expect(splitModelName('lab/org/qwen', hosts)).toEqual({ host: 'lab', model: 'org/qwen' });
    expect(splitModelName('labs/qwen', hosts)).toEqual({ host: 'engine', model: 'labs/qwen' });
    expect(splitModelName('lab', hosts)).toEqual({ host: 'engine', model: 'lab' });
  });
});
