/** The services that search the web, played by a server in the form of their documentation, and how their keys are kept. */
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { openWeb } from '../../src/host/open-web.ts';
import { createSourceNumbers } from '../../src/host/web/source-numbers.ts';
import { searxngAddress } from '../../src/host/web/search-services.ts';
import { systemClock } from '../../src/platform/clock.ts';
import { systemFiles } from '../../src/platform/files.ts';
import type { Keychain } from '../../src/platform/keychain.ts';
import { systemProcesses } from '../../src/platform/processes.ts';
import { noSandbox } from '../../src/platform/sandbox/sandbox.ts';
import type { KeyedService } from '../../src/protocol/web-methods.ts';
import { WebServer, type Answer } from '../helpers/web/web-server.ts';
import { internet, publicAddress } from '../helpers/web/web-world.ts';

interface Seen {
  method: string | undefined;
  path: string | undefined;
  headers: IncomingMessage['headers'];
  body: string;
}
let seen: Seen[] = [];
const pages = (name: string) => [
  { title: 'One', url: 'https://one.example/', [name]: 'About one' },
  { title: 'Two', url: 'https://two.example/', [name]: null },
  { title: 'Bad', url: 'javascript:alert(1)', [name]: 'x' },
];
const answer =
  (value: unknown, status = 200): Answer =>
  (request, response) => {
    const body: Buffer[] = [];
    request.on('data', (piece: Buffer) => body.push(piece));
    request.on('end', () => {
      const { method, url, headers } = request;
      seen.push({ method, path: url, headers, body: Buffer.concat(body).toString() });
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
    });
  };
const answers: Record<string, Answer> = {
  '/brave': answer({
    web: {
      results: [{ ...pages('description')[0], description: 'About <strong>one</strong>' }, pages('x')[1]],
    },
  }),
  '/tavily': answer({ results: pages('content') }),
  '/exa': answer({ results: pages('text') }),
  '/ollama': answer({ results: pages('content') }),
  '/search': answer({ results: pages('content') }),
  '/html/search': (_request, response) => void response.end('<html>no results for machines</html>'),
  '/refusing/search': answer({}, 403),
};

let server: WebServer;
const dataDir = mkdtempSync(join(tmpdir(), 'andiron-web-'));
beforeAll(async () => {
  server = await WebServer.start(answers, publicAddress);
});
afterAll(async () => {
  await server.close();
  rmSync(dataDir, { recursive: true });
});
afterEach(() => {
  seen = [];
  rmSync(join(dataDir, 'web-keys.json'), { force: true });
});

const addressOf = (service: KeyedService): string => server.url(`/${service}`, `${service}.example`);

function open(keychain: Keychain | null = null) {
  const settings = new Map<string, unknown>();
  const services: KeyedService[] = ['brave', 'tavily', 'exa', 'ollama'];
  return openWeb({
    number: createSourceNumbers(),
    store: {
      readSetting: (key, schema) => {
        const value = settings.get(key);
        return value === undefined ? undefined : schema.parse(value);
      },
      writeSetting: (key, value) => void settings.set(key, value),
    },
    files: systemFiles,
    dataDir,
    keychain,
    processes: systemProcesses,
    sandbox: noSandbox('system'),
    dataDirs: [],
    clock: systemClock,
    webEdges: { ...internet, addresses: Object.fromEntries(services.map((each) => [each, addressOf(each)])) },
  });
}
const reach = () => Promise.resolve({ isAllowed: true });
const refuse = () => Promise.resolve({ isAllowed: false });
const way = { reach, turnId: 't', signal: new AbortController().signal };
const key = 'key-not-to-be-seen-4711';

describe.each<[KeyedService, string, string, object]>([
  ['brave', 'GET', 'x-subscription-token', {}],
  ['tavily', 'POST', 'authorization', { query: 'bread & butter', max_results: 4 }],
  [
    'exa',
    'POST',
    'x-api-key',
    { query: 'bread & butter', numResults: 4, contents: { text: { maxCharacters: 500 } } },
  ],
  ['ollama', 'POST', 'authorization', { query: 'bread & butter', max_results: 4 }],
])('%s', (service, method, header, body) => {
  test('is asked in its own form with its key, and its answer becomes numbered pages', async () => {
    const { web, control } = open();
    await control.change({ key: { service, value: key } });
    const found = await web.search('bread & butter', 4, way);
    expect(found).toEqual([
      { number: 1, title: 'One', url: 'https://one.example/', text: 'About one' },
      { number: 2, title: 'Two', url: 'https://two.example/', text: '' },
    ]);
    const [asked] = seen;
    expect(asked?.method).toBe(method);
    expect(asked?.headers[header]).toBe(header === 'authorization' ? `Bearer ${key}` : key);
    expect(asked?.body === '' ? {} : JSON.parse(asked?.body ?? '')).toEqual(body);
    expect(asked?.path).toBe(method === 'GET' ? '/brave?q=bread+%26+butter&count=4' : `/${service}`);
  });
});

test('the SearXNG of the person comes before every key, and gets none of them', async () => {
  const { web, control } = open();
  await control.change({ key: { service: 'exa', value: key } });
  expect(await control.change({ searxng: server.url('/search', 's.example') })).toMatchObject({
    used: 'searxng',
  });
  await web.search('bread', 5, way);
  expect(seen.map(({ path }) => path)).toEqual(['/search?q=bread&format=json']);
  expect(JSON.stringify(seen)).not.toContain(key);
  expect(await control.change({ searxng: null })).toMatchObject({ used: 'exa' });
});

test.each([
  ['/html/', 'something else than results'],
  ['/refusing/', 'answers with 403'],
  ['/nothing/', 'answers with 404'],
])('a SearXNG at %s fails in words, for the model and for the trial: %s', async (path, words) => {
  const { web, control } = open();
  await control.change({ searxng: server.url(path, 's.example') });
  await expect(web.search('bread', 5, way)).rejects.toThrow(words);
  await expect(control.try('bread', way.signal)).rejects.toMatchObject({ code: 'engine_refused' });
});

test('a trial shows what was really found, and asks nobody', async () => {
  const { control } = open();
  await control.change({ searxng: server.url('/', 's.example') });
  expect(await control.try('bread', way.signal)).toEqual({
    service: 'searxng',
    results: [
      { title: 'One', url: 'https://one.example/' },
      { title: 'Two', url: 'https://two.example/' },
    ],
  });
});

test('a SearXNG on this computer is one question like any host, since the person named it', async () => {
  const { web, control } = open();
  await control.change({ searxng: `http://127.0.0.1:${String(server.port)}/` });
  const asked: unknown[] = [];
  const count = (wanted: unknown) => Promise.resolve({ isAllowed: asked.push(wanted) > 0 });
  await web.search('bread', 5, { ...way, reach: count }).catch(() => undefined);
  expect(asked).toEqual([{ host: '127.0.0.1', port: server.port, isPrivate: false }]);
});

test('a no of the person keeps the query from the service', async () => {
  const { web, control } = open();
  await control.change({ searxng: server.url('/', 's.example') });
  await expect(web.search('bread', 5, { ...way, reach: refuse })).rejects.toThrow('did not let it reach');
  expect(seen).toEqual([]);
});

test('a key never comes back, and lies in a file that only this person reads', async () => {
  const { control } = open();
  const settings = await control.change({ key: { service: 'brave', value: ` ${key}\n` } });
  expect(settings).toEqual({ searxng: null, keys: ['brave'], used: 'brave' });
  const path = join(dataDir, 'web-keys.json');
  expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual({ brave: { secret: key } });
  expect(statSync(path).mode & 0o077).toBe(0);
  expect(await control.change({ key: { service: 'brave', value: null } })).toMatchObject({ used: null });
  expect(readFileSync(path, 'utf8')).not.toContain(key);
});

test('where there is a keychain, a key is sealed by it', async () => {
  const keychain: Keychain = {
    name: 'macos',
    seal: (text) => Promise.resolve(Buffer.from(text).toString('base64')),
    open: (sealed) => Promise.resolve(Buffer.from(sealed, 'base64').toString()),
  };
  const { web, control } = open(keychain);
  await control.change({ key: { service: 'tavily', value: key } });
  expect(readFileSync(join(dataDir, 'web-keys.json'), 'utf8')).not.toContain(key);
  await web.search('bread', 1, way);
  expect(seen[0]?.headers.authorization).toBe(`Bearer ${key}`);
});

test.each(['a b', 'schlüssel', ''])('%j is no key, and nothing is kept', async (value) => {
  const { control } = open();
  await expect(control.change({ key: { service: 'exa', value } })).rejects.toMatchObject({
    code: 'invalid_params',
  });
  expect(control.settings().used).toBeNull();
});

test.each([
  ['http://localhost:8888', 'http://localhost:8888/'],
  ['https://a.example/searx/', 'https://a.example/searx/'],
  ['https://a.example/searx/search', 'https://a.example/searx/'],
  [' https://a.example/search?q=x ', 'https://a.example/'],
])('the address %j is kept as %s', (given, kept) => {
  expect(searxngAddress(given)).toBe(kept);
});

test.each(['localhost:8888', 'ftp://a.example', 'http://me:pass@a.example', ''])(
  '%j is no address of a SearXNG',
  (given) => {
    expect(() => searxngAddress(given)).toThrow('not the address');
  },
);
