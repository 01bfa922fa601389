import { existsSync, statSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { addressKind } from './host-addresses.ts';
import { openHostProxy, type HostProxy, type HostProxyDeps, type WantedHost } from './host-proxy.ts';

let server: Server;
let port: number;
let heard: IncomingMessage[];
let asked: WantedHost[];
let looked: string[];
let proxy: HostProxy | undefined;

beforeEach(async () => {
  [heard, asked, looked] = [[], [], []];
  server = createServer((request, response) => {
    heard.push(request);
    let body = '';
    request.on('data', (piece: Buffer) => (body += piece.toString()));
    request.on('end', () => response.end(`${request.method ?? ''} ${request.url ?? ''} ${body}`));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  port = (server.address() as AddressInfo).port;
});
afterEach(async () => {
  await proxy?.close();
  proxy = undefined;
  server.closeAllConnections();
  server.close();
});

/** Every name leads to the server of this test, which counts as one elsewhere. */
async function open(deps: Partial<HostProxyDeps> = {}): Promise<void> {
  const { mayReach = async () => true } = deps;
  proxy = await openHostProxy({
    resolve: async (host) => (looked.push(host), ['127.0.0.1']),
    kindOf: () => 'public',
    ...deps,
    mayReach: (wanted) => (asked.push(wanted), mayReach(wanted)),
  });
}

/** All that comes back until the other side ends it. */
function say(words: string): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(proxy?.path ?? '');
    let said = '';
    socket.on('data', (piece) => (said += piece.toString()));
    socket.on('error', () => undefined);
    socket.on('close', () => resolve(said));
    socket.write(words);
  });
}

const page = (host: string, more = ''): string =>
  `GET http://${host}/a?b=c HTTP/1.1\r\nConnection: close\r\n${more}\r\n`;
const tunnel = (host: string, through: string): string => `CONNECT ${host} HTTP/1.1\r\n\r\n${through}`;
const request = 'GET /inside HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n';

test('a tunnel to a host that is allowed carries what both sides say', async () => {
  await open();
  const said = await say(tunnel(`there.example:${String(port)}`, request));
  expect(said).toContain('200 Connection established');
  expect(said).toContain('GET /inside');
  expect(asked).toEqual([{ host: 'there.example', port, isPrivate: false }]);
});

test('a page of a host that is allowed is asked for in its own name, with its body', async () => {
  await open();
  const head = 'Host: other.example\r\nProxy-Authorization: secret\r\nX-Mine: 1\r\nContent-Length: 4\r\n';
  const said = await say(
    `POST http://There.example:${String(port)}/a?b=c HTTP/1.1\r\nConnection: close\r\n${head}\r\nbody`,
  );
  expect(said).toContain('POST /a?b=c body');
  expect(heard[0]?.headers).toMatchObject({ host: `there.example:${String(port)}`, 'x-mine': '1' });
  expect(heard[0]?.headers).not.toHaveProperty('proxy-authorization');
});

test.each([
  ['tunnel', (host: string) => tunnel(`${host}:443`, 'x')],
  ['page', (host: string) => page(host)],
])('a %s that is not allowed reaches nobody, and the name is not even looked up', async (_kind, words) => {
  await open({ mayReach: async () => false });
  const said = await say(words('secret-words.example'));
  expect(said).toMatch(/^HTTP\/1.1 403 /);
  expect(said).toContain('The person did not let this command reach secret-words.example.');
  expect([looked, heard]).toEqual([[], []]);
});

test('an answer that never came is a no', async () => {
  await open({ mayReach: async () => Promise.reject(new Error('The turn was stopped.')) });
  expect(await say(page('there.example'))).toMatch(/^HTTP\/1.1 403 /);
});

test('a name that leads to this computer reaches nobody, though it was allowed', async () => {
  await open({ kindOf: (address) => (address === '127.0.0.1' ? 'own' : 'public') });
  const said = await say(tunnel(`there.example:${String(port)}`, request));
  expect(said).toMatch(/^HTTP\/1.1 403 /);
  expect(said).toContain('is this computer itself');
  expect(heard).toEqual([]);
});

test.each(['127.0.0.1', 'localhost', 'LOCALHOST.', 'a.localhost', '[::1]', '0x7f.1'])(
  '%s is this computer, which is not even asked about',
  async (host) => {
    await open({ kindOf: addressKind });
    expect(await say(tunnel(`${host}:${String(port)}`, request))).toMatch(/^HTTP\/1.1 403 /);
    expect([asked, heard]).toEqual([[], []]);
  },
);

test('a name that leads into the own network is asked about once more, by that address', async () => {
  await open({ kindOf: () => 'private', mayReach: async ({ isPrivate }) => !isPrivate });
  const said = await say(tunnel(`there.example:${String(port)}`, request));
  expect(said).toMatch(/^HTTP\/1.1 403 /);
  expect(asked).toEqual([
    { host: 'there.example', port, isPrivate: false },
    { host: '127.0.0.1', port, isPrivate: true },
  ]);
  expect(heard).toEqual([]);
});

test('an address is asked about with the network that it is in', async () => {
  await open({ kindOf: () => 'private' });
  expect(await say(tunnel(`127.0.0.1:${String(port)}`, request))).toContain('GET /inside');
  expect(asked).toEqual([{ host: '127.0.0.1', port, isPrivate: true }]);
});

test('it connects to the addresses that were looked at, and looks a name up once', async () => {
  await open();
  await say(page(`there.example:${String(port)}`));
  expect(looked).toEqual(['there.example']);
});

test('a host that is not there, and one that nobody listens at, are told', async () => {
  await open({ resolve: async () => [] });
  expect(await say(page('nowhere.example'))).toContain('There is no host nowhere.example.');
  await proxy?.close();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  await open();
  const said = await say(tunnel(`there.example:${String(port)}`, 'x'));
  expect(said).toMatch(/^HTTP\/1.1 502 /);
  expect(said).toContain('could not be reached');
});

test.each([
  'GET / HTTP/1.1\r\nHost: there.example',
  'GET file:///etc/passwd HTTP/1.1',
  'GET https://a.example/ HTTP/1.1',
  'CONNECT x HTTP/1.1',
])('%j is refused without a question', async (words) => {
  await open();
  expect(await say(`${words}\r\nConnection: close\r\n\r\n`)).toMatch(/^HTTP\/1.1 [45]\d\d /);
  expect(asked).toEqual([]);
});

test('what is no HTTP, or is cut, breaks nothing', async () => {
  await open();
  await say('\x16\x03\x01\r\n\r\n');
  const socket = connect(proxy?.path ?? '');
  socket.write('CONNECT there.example:4');
  await new Promise((resolve) => socket.write('x', resolve));
  socket.destroy();
  expect(await say(page(`there.example:${String(port)}`))).toContain('GET /a?b=c');
});

test('closing it ends what goes on through it, and leaves no file', async () => {
  await open();
  const path = proxy?.path ?? '';
  expect(statSync(path).mode & 0o777).toBe(0o600);
  const socket = connect(path);
  const ended = new Promise<void>((resolve) => socket.on('close', () => resolve()));
  await new Promise<void>((resolve) => {
    socket.once('data', () => resolve());
    socket.write(tunnel(`there.example:${String(port)}`, ''));
  });
  await proxy?.close();
  await ended;
  expect(existsSync(path)).toBe(false);
});
