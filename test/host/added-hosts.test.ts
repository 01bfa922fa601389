/** Model servers that a person adds and removes in the window: found out by asking, used at once, kept in `hosts.json`. */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createHost, type Host, type HostDeps } from '../../src/host/index.ts';
import type { hostMethods } from '../../src/protocol/host-methods.ts';
import { createRpcClient, type RpcClient } from '../../src/protocol/rpc-client.ts';
import { createTransportPair } from '../../src/protocol/transport.ts';
import { reply, rule, script, startSim } from '../../src/sim/index.ts';
import { fastFolder, hostParts, startEngine } from '../helpers/host-world.ts';
import {
  callChunk,
  chunk,
  end,
  openAiServer,
  refusal,
  saying,
  stream,
  type Answer,
} from '../helpers/openai-server.ts';

const closing: (() => Promise<void> | void)[] = [];
let dir: string;
let host: Host;
let window: RpcClient<typeof hostMethods>;
let events: unknown[];

async function start(parts: Pick<HostDeps, 'keychain' | 'trustSystem'> = {}): Promise<void> {
  host = await createHost({ ...hostParts(dir), ...parts });
  const [windowEnd, hostEnd] = createTransportPair();
  host.connectWindow(hostEnd);
  window = createRpcClient<typeof hostMethods>(windowEnd);
  events = [];
  window.onEvent((_topic, _seq, event) => void events.push(event));
  await window.call('host/subscribe', {});
}

beforeEach(async () => {
  dir = mkdtempSync(join(fastFolder(), 'andiron-added-'));
  closing.push(() => rmSync(dir, { recursive: true, force: true }));
  for (const name of ['data', 'workspace']) mkdirSync(join(dir, name));
  await start();
});
afterEach(async () => {
  await host.close();
  for (const close of closing.splice(0).toReversed()) await close();
});

const locked = (): Promise<string> => Promise.reject(new Error('locked'));

/** Like LM Studio: what it does not know it answers with an error and 200. */
const studio: Answer = (response, request) => {
  if (request.path.endsWith('/models'))
    response.end(JSON.stringify({ data: [{ id: 'qwen', context_length: 32_768 }, { id: 'gemma' }] }));
  else if (request.path.endsWith('/chat/completions')) return saying('Good morning.')(response, request);
  else response.end(JSON.stringify({ error: `Unexpected endpoint (${request.path})` }));
};

async function serve(answer: Answer) {
  const server = await openAiServer(answer);
  closing.push(() => server.close());
  const address = server.url.replace('/v1', '');
  return { address, url: server.url, requests: server.requests };
}

async function serveOllama() {
  const sim = await startSim({ script: script([rule({}, reply().text('Good morning.'))]), speed: 100 });
  closing.push(() => sim.close());
  return sim;
}

const add = (address: string, name = '', key: string | null = null) =>
  window.call('model-host/add', { address, name, key });
const path = (): string => join(dir, 'data', 'hosts.json');
const written = (): unknown => JSON.parse(readFileSync(path(), 'utf8'));

async function ask(model: string): Promise<string> {
  const { session } = await window.call('session/create', {});
  await window.call('session/update', { sessionId: session.id, model });
  return (await window.call('turn/run', { sessionId: session.id, text: 'Hello' })).status;
}

it('A server that is added answers at once, is told to each window, and is there after a restart', async () => {
  const { address, url } = await serve(studio);
  expect(await add(address.replace('http://', ''), 'The Lab')).toEqual({
    host: { id: 'the-lab', name: 'The Lab', kind: 'openai', url, key: 'none' },
    models: ['the-lab/qwen', 'the-lab/gemma'],
  });
  expect(events).toContainEqual({ type: 'hosts/changed', hosts: ['the-lab'] });
  expect(await ask('the-lab/qwen')).toBe('finished');
  await host.close();
  await start();
  expect(await window.call('host/subscribe', {})).toMatchObject({ hosts: ['the-lab'] });
  expect(await ask('the-lab/qwen')).toBe('finished');
});

it('Another Ollama is known by its own way of speaking', async () => {
  const sim = await serveOllama();
  const { host: added } = await add(sim.url);
  const { host: name } = new URL(sim.url);
  expect(added).toEqual({ id: 'server', name, kind: 'ollama', url: sim.url, key: null });
});

it('A server of the dialect below a path is found where its root is given', async () => {
  const { address } = await serve((response, request) =>
    request.path === '/llm/v1/models' ? studio(response, request) : refusal(404, 'none')(response, request),
  );
  const { host: added } = await add(`${address}/llm/v1/chat/completions`);
  expect(added).toMatchObject({ kind: 'openai', url: `${address}/llm/v1` });
});

it('Where nothing answers nothing is added', async () => {
  await expect(add('http://127.0.0.1:9', 'Off')).rejects.toMatchObject({
    code: 'engine_unavailable',
    message: expect.stringMatching(/^Off does not answer at http:\/\/127\.0\.0\.1:9\/v1 /) as string,
    advice: 'Start the server, check the address, then try again.',
  });
  expect(existsSync(path())).toBe(false);
});

it.each(['ftp://lab', 'http://me:secret@lab', 'http://lab/?key=1', 'http://', 'a b'])(
  '%s is no address of a server',
  async (address) => {
    await expect(add(address)).rejects.toMatchObject({ code: 'invalid_params' });
    expect(existsSync(path())).toBe(false);
  },
);

it('A server that wants a key says so, and with it is added; the key is not in the list', async () => {
  const { address } = await serve((response, request) =>
    request.headers.authorization === 'Bearer sk-1234'
      ? studio(response, request)
      : refusal(401, '{"error":"no key"}')(response, request),
  );
  await expect(add(address, 'Lab')).rejects.toMatchObject({
    code: 'engine_refused',
    message: 'The server asks for an API key.',
  });
  await expect(add(address, 'Lab', 'wrong')).rejects.toMatchObject({
    message: expect.stringContaining('Lab does not accept the key') as string,
    advice: 'Check the key, then try again.',
  });
  await expect(add(address, 'Lab', 'two words')).rejects.toMatchObject({ code: 'invalid_params' });
  expect(existsSync(path())).toBe(false);
  expect((await add(address, 'Lab', ' sk-1234\n')).host.key).toBe('kept');
  expect(readFileSync(path(), 'utf8')).not.toContain('sk-1234');
  expect(await ask('lab/qwen')).toBe('finished');
});

it('What a person wrote into the file stays, also what this Andiron does not know', async () => {
  const hosts = [
    { id: 'lab', kind: 'openai', url: 'http://127.0.0.1:9', prices: { currency: 'EUR', models: {} } },
    { id: 'later', kind: 'vertex', region: 'x' },
  ];
  writeFileSync(path(), JSON.stringify({ hosts }));
  const { address, url } = await serve(studio);
  expect((await add(address, 'Lab')).host.id).toBe('lab-2');
  const added = { id: 'lab-2', name: 'Lab', kind: 'openai', url };
  expect(written()).toEqual({ hosts: [...hosts, added] });
  await window.call('model-host/remove', { hostId: 'lab' });
  expect(written()).toEqual({ hosts: [hosts[1], added] });
});

it('A file that cannot be used is left as it is', async () => {
  writeFileSync(path(), '{"hosts": [');
  const { address } = await serve(studio);
  await expect(add(address)).rejects.toMatchObject({
    code: 'invalid_params',
    message: expect.stringContaining('The list of servers cannot be changed.') as string,
  });
  expect(readFileSync(path(), 'utf8')).toBe('{"hosts": [');
});

it('A server that is removed is asked no more, and its key is gone', async () => {
  const { address, requests } = await serve(studio);
  await add(address, 'Lab', 'sk-1234');
  await window.call('model-host/remove', { hostId: 'lab' });
  expect(events).toContainEqual({ type: 'hosts/changed', hosts: [] });
  expect(await window.call('model-host/list', {})).toMatchObject({ hosts: [], problem: null });
  expect(readFileSync(join(dir, 'data', 'keys.json'), 'utf8')).not.toContain('sk-1234');
  const asked = requests.length;
  expect(await window.call('model-host/models', {})).toEqual({ hosts: [] });
  expect(requests).toHaveLength(asked);
});

it('Neither a server that is there already nor the engine’s own Ollama is added', async () => {
  const { address } = await serve(studio);
  await add(address, 'Lab');
  await expect(add(`${address}/v1/`)).rejects.toMatchObject({ message: 'Lab already has this address.' });
  const sim = await serveOllama();
  const engine = startEngine(sim.url, true);
  closing.push(() => engine.stop());
  const [hostEnd, engineEnd] = createTransportPair();
  engine.connect(engineEnd);
  host.connectEngine(hostEnd);
  await window.call('model/list', {});
  const own = { message: 'Andiron’s own Ollama already has this address.' };
  await expect(add(sim.url.replace('127.0.0.1', 'localhost'))).rejects.toMatchObject(own);
  await expect(add(`${sim.url}/v1`)).rejects.toMatchObject(own);
});

it('A server out in the internet is given a key over TLS alone', async () => {
  await expect(add('http://api.example.com/v1', '', 'sk-1234')).rejects.toMatchObject({
    code: 'invalid_params',
    message: 'Over http anybody on the way could read the key.',
  });
  await expect(add('no.example.invalid', '', 'sk-1234')).rejects.toMatchObject({
    code: 'engine_unavailable',
    message: expect.stringContaining('https://no.example.invalid/v1') as string,
  });
});

it.each(['https://no.example.invalid', 'HTTPS://no.example.invalid'])(
  'Before %s is asked, what the system trusts is trusted',
  async (address) => {
    let times = 0;
    await host.close();
    await start({ trustSystem: () => (times += 1) });
    await expect(add(address)).rejects.toMatchObject({ code: 'engine_unavailable' });
    expect(times).toBe(1);
  },
);

it('Where the key cannot be kept the server is not added, and may be added again', async () => {
  await host.close();
  await start({ keychain: { name: 'gnome', seal: locked, open: locked } });
  const { address } = await serve(studio);
  await expect(add(address, 'Lab', 'sk-1234')).rejects.toMatchObject({ code: 'invalid_params' });
  expect(written()).toEqual({ hosts: [] });
  expect((await add(address, 'Lab')).host).toMatchObject({ id: 'lab', key: 'none' });
});

it('A turn whose server is removed ends, and asks nobody else what that was asked', async () => {
  const chats: string[] = [];
  const { address, url } = await serve(async (response, request) => {
    if (request.path.endsWith('/models')) return studio(response, request);
    chats.push(request.path);
    await window.call('model-host/remove', { hostId: 'lab' });
    const call = { id: 'c1', name: 'read_file', arguments: '{"path":"none.txt"}' };
    await stream(callChunk(0, call), chunk({}, 'tool_calls'), end)(response, request);
  });
  // Nobody asks a service anything before the person does.
  const prices = { currency: 'EUR', models: {} };
  writeFileSync(path(), JSON.stringify({ hosts: [{ id: 'lab', kind: 'openai', url: address, prices }] }));
  await host.close();
  await start();
  const { session } = await window.call('session/create', {});
  await window.call('session/update', { sessionId: session.id, model: 'lab/qwen' });
  const result = await window.call('turn/run', { sessionId: session.id, text: 'Hello' });
  expect(result).toMatchObject({
    status: 'failed',
    text: expect.stringContaining('no model server lab') as string,
  });
  expect(chats).toEqual([`${new URL(url).pathname}/chat/completions`]);
});

it('What a session calls a removed server’s model never means another server’s', async () => {
  const [one, two] = [await serve(studio), await serve(studio)];
  expect((await add(one.address)).host.id).toBe('server');
  const { session } = await window.call('session/create', {});
  await window.call('session/update', { sessionId: session.id, model: 'server/qwen' });
  await window.call('model-host/remove', { hostId: 'server' });
  expect((await add(two.address)).host.id).toBe('server-2');
});

it('What was learnt of a removed server’s models is not believed of the next that has its name', async () => {
  const [one, two] = [await serve(studio), await serve(studio)];
  await add(one.address, 'Lab');
  expect(await ask('lab/qwen')).toBe('finished');
  const { sessions } = await window.call('host/subscribe', {});
  const learnt = async () =>
    (await window.call('model/abilities', { model: 'lab/qwen' })).abilities.some(({ at }) => at !== null);
  expect(await learnt()).toBe(true);
  for (const { id } of sessions) await window.call('session/update', { sessionId: id, model: null });
  await window.call('model-host/remove', { hostId: 'lab' });
  expect((await add(two.address, 'Lab')).host.id).toBe('lab');
  expect(await learnt()).toBe(false);
});

it('Two servers that are added at once are both kept', async () => {
  const [one, two] = [await serve(studio), await serve(studio)];
  const ids = (await Promise.all([add(one.address, 'Lab'), add(two.address, 'Lab')])).map(
    ({ host: { id } }) => id,
  );
  expect(ids.toSorted()).toEqual(['lab', 'lab-2']);
});
