import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { systemClock } from '../platform/clock.ts';
import { createLibraryApi, type PullLine } from './library.ts';

const servers: Server[] = [];

afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

async function serve(handle: (request: IncomingMessage, response: ServerResponse) => void): Promise<string> {
  const server = createServer(handle);
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const api = createLibraryApi(systemClock);
const never = new AbortController().signal;

/** What came, and what it ended in. */
async function pull(url: string, signal = never): Promise<{ lines: PullLine[]; error?: unknown }> {
  const lines: PullLine[] = [];
  try {
    for await (const line of api.pull(url, 'm:1b', signal)) lines.push(line);
    return { lines };
  } catch (error) {
    return { lines, error };
  }
}

const manifest = '{"status":"pulling manifest"}\n';
const layer = (more: string): string => `{"status":"pulling abc","digest":"sha256:abc"${more}}\n`;
const success = '{"status":"success"}\n';

test('a pull yields every line, the last one done', async () => {
  let body = '';
  const url = await serve((request, response) => {
    request.on('data', (part: Buffer) => (body += part.toString()));
    request.on('end', () => response.end(manifest + layer(',"total":100,"completed":40') + success));
  });
  const { lines, error } = await pull(url);
  expect(error).toBeUndefined();
  expect(JSON.parse(body)).toEqual({ model: 'm:1b', stream: true });
  expect(lines).toMatchObject([
    { status: 'pulling manifest', done: false },
    { digest: 'sha256:abc', total: 100, completed: 40, done: false },
    { status: 'success', done: true },
  ]);
});

test.each(['/ollama', '/ollama/'])('an Ollama below a path is asked there (%s)', async (path) => {
  const asked: (string | undefined)[] = [];
  const url = await serve((request, response) => {
    asked.push(request.url);
    response.end(request.url?.endsWith('/pull') === true ? success : '{"recommendations":[]}');
  });
  const { error } = await pull(`${url}${path}`);
  await api.recommendations(`${url}${path}`, never);
  expect(error).toBeUndefined();
  expect(asked).toEqual(['/ollama/api/pull', '/ollama/api/experimental/model-recommendations']);
});

test.each([
  [',"total":-5,"completed":-1'],
  [',"total":1e400,"completed":1e300'],
  [',"total":"many","completed":null'],
  [',"total":1.5,"completed":{}'],
])('sizes that make no sense are unknown, and the pull goes on: %s', async (sizes) => {
  const { lines, error } = await pull(await serve((_, response) => response.end(layer(sizes) + success)));
  expect(error).toBeUndefined();
  expect(lines[0]).toMatchObject({ total: undefined, completed: undefined });
});

test('a status of ten megabytes is cut, unknown fields are dropped', async () => {
  const long = `{"status":"${'x'.repeat(10_000_000)}","surprise":{"a":[1]}}\n`;
  const { lines, error } = await pull(await serve((_, response) => response.end(long + success)));
  expect(error).toBeUndefined();
  expect(lines[0]?.status).toHaveLength(500);
  expect(lines[0]).not.toHaveProperty('surprise');
});

test.each([
  ['{"error":"pull model manifest: file does not exist"}\n', 'model_missing', 'The library has no m:1b.'],
  [
    '{"error":"write /x/blobs/sha256-1-partial: no space left on device"}\n',
    'storage',
    'The disk on which Ollama keeps its models became full',
  ],
  [
    '{"error":"pull model manifest: Get \\"https://r\\": dial tcp: lookup r on 127.0.0.53:53: no such host"}\n',
    'stream_cut',
    "Ollama's connection to the library broke",
  ],
  ['{"error":"max retries exceeded: unexpected EOF"}\n', 'stream_cut', 'connection to the library'],
  [
    '{"error":"pull model manifest: 412: The model you are attempting to pull requires a newer version of Ollama."}\n',
    'engine_refused',
    'm:1b needs a newer Ollama.',
  ],
  [
    '{"error":"digest mismatch, file must be downloaded again: want sha256:1, got sha256:2"}\n',
    'engine_refused',
    'damaged',
  ],
  ['{"error":"something else"}\n', 'engine_refused', 'Ollama could not pull m:1b: something else'],
  ['{"status":"pulling\n', 'stream_broken', 'a line is not JSON'],
  ['{"state":1}\n', 'stream_broken', 'a line has an unknown shape'],
  ['[]\n', 'stream_broken', 'a line has an unknown shape'],
  ['', 'stream_cut', 'The connection to Ollama broke while m:1b was being downloaded.'],
])('what came before the fault is told, then the fault: %s', async (fault, code, message) => {
  const { lines, error } = await pull(await serve((_, response) => response.end(manifest + fault)));
  expect(lines).toHaveLength(1);
  expect(error).toMatchObject({ code, message: expect.stringContaining(message) });
});

test('a connection that breaks is an interrupted download, not an interrupted answer', async () => {
  const url = await serve((_, response) => {
    response.write(manifest, () => response.destroy());
  });
  const { error } = await pull(url);
  expect(error).toMatchObject({ code: 'stream_cut', message: expect.stringContaining('download') });
});

test('a refused name is told in the words of the library', async () => {
  const url = await serve((_, response) => {
    response.writeHead(400, { 'Content-Type': 'application/json' });
    response.end('{"error":"invalid model name"}');
  });
  const { error } = await pull(url);
  expect(error).toMatchObject({
    code: 'engine_refused',
    message: 'Ollama could not pull m:1b: invalid model name.',
  });
});

test('an abort closes the connection and throws its reason', async () => {
  const controller = new AbortController();
  const reason = new Error('paused');
  const gone = Promise.withResolvers<void>();
  const url = await serve((request, response) => {
    request.socket.on('close', () => gone.resolve());
    response.write(manifest);
  });
  const lines: PullLine[] = [];
  const reading = (async () => {
    for await (const line of api.pull(url, 'm', controller.signal)) {
      lines.push(line);
      controller.abort(reason);
    }
  })();
  await expect(reading).rejects.toBe(reason);
  await gone.promise;
  expect(lines).toHaveLength(1);
});

test('a delete sends the name and takes the empty answer', async () => {
  let seen = '';
  const url = await serve((request, response) => {
    request.on('data', (part: Buffer) => (seen += `${String(request.method)} ${part.toString()}`));
    request.on('end', () => response.end());
  });
  await api.remove(url, 'm:1b', never);
  expect(seen).toBe('DELETE {"name":"m:1b"}');
});

test('a delete of a model that is not there says so', async () => {
  const url = await serve((_, response) => {
    response.writeHead(404, { 'Content-Type': 'application/json' });
    response.end(`{"error":"model 'm' not found"}`);
  });
  await expect(api.remove(url, 'm', never)).rejects.toMatchObject({ code: 'model_missing' });
});

test('suggestions that make no sense are left out', async () => {
  const good = { model: 'gemma4', description: 'Fast.', vram_bytes: 12e9, context_length: 131_072 };
  const list = [good, { model: '' }, 7, null, { model: 'odd', description: 1, vram_bytes: -1 }];
  const url = await serve((_, response) => response.end(JSON.stringify({ recommendations: list })));
  expect(await api.recommendations(url, never)).toEqual([
    { ...good, required_plan: undefined },
    { model: 'odd', description: '', vram_bytes: undefined, context_length: undefined },
  ]);
});

test.each([
  [403, '{"error":"ollama cloud is disabled: "}'],
  [404, '404 page not found'],
  [200, '{"recommendations":3}'],
  [200, '<html>'],
])('without suggestions it throws: %d %s', async (status, body) => {
  const url = await serve((_, response) => {
    response.writeHead(status);
    response.end(body);
  });
  await expect(api.recommendations(url, never)).rejects.toMatchObject({ code: 'engine_refused' });
});
