/** The guard of the web, against a server on this computer that counts what reaches it. The person allows every public host. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { addressClass } from '../../src/host/web/address-class.ts';
import { fetchPage, type FetchDeps } from '../../src/host/web/fetch-page.ts';
import type { Reach } from '../../src/host/tools/tool.ts';
import { addressForms } from '../helpers/web/address-forms.ts';
import { leadsTo, page, WebServer, type Answer } from '../helpers/web/web-server.ts';

const seed = Number(process.env['ADDRESS_SEED'] ?? Date.now() % 1_000_000);
/** Mulberry32. */
function randomOf(start: number): () => number {
  let state = start;
  return () => {
    state = (state + 0x6d_2b_79_f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

let inside: WebServer;
let outside: WebServer;
const redirects: Record<string, Answer> = { '/': page('<p>public') };
beforeAll(async () => {
  inside = await WebServer.start({ '/': page('<p>secret') });
  // Another address of this computer stands for the internet.
  outside = await WebServer.start(redirects, '127.0.0.2');
});
afterAll(async () => {
  await inside.close();
  await outside.close();
});
beforeEach(() => {
  inside.reached.length = 0;
  inside.connections = 0;
});

const publicOnly: Reach = ({ isPrivate }) => Promise.resolve({ isAllowed: !isPrivate });
const nobody: Reach = () => Promise.resolve({ isAllowed: false });
const leadsInside = () => Promise.resolve(['127.0.0.1']);
const everything: Reach = () => Promise.resolve({ isAllowed: true });

/** The reason why it was refused; null = it was read. */
async function refusalOf(
  url: string,
  deps: FetchDeps = {},
  reach: Reach = publicOnly,
): Promise<string | null> {
  const { signal } = new AbortController();
  return fetchPage(url, { reach, signal }, deps).then(
    () => null,
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  );
}

/** The server of the test at 127.0.0.2 is public, as are names that lead there. */
const withInternet: FetchDeps = {
  resolve: () => Promise.resolve(['127.0.0.2']),
  classOf: (address) => (address === '127.0.0.2' ? 'public' : addressClass(address)),
};

test('none of more than 500 forms of an address reaches this computer or its network', async () => {
  const forms = addressForms(inside.port, randomOf(seed));
  expect(new Set(forms.map(({ url }) => url)).size).toBeGreaterThanOrEqual(500);
  const read: string[] = [];
  // Whatever is a name after all leads inside as well.
  const resolve = leadsInside;
  for (const { url } of forms) if ((await refusalOf(url, { resolve })) === null) read.push(url);

  expect(read, `ADDRESS_SEED=${String(seed)}`).toEqual([]);
  expect(inside.connections).toBe(0);
});

test('with a yes to it, an address of this computer is read: the guard alone keeps the others out', async () => {
  for (const host of ['127.0.0.1', 'localhost', '2130706433', '[::ffff:127.0.0.1]'])
    expect(await refusalOf(inside.url('/', host), {}, everything)).toBeNull();
  expect(inside.reached).toHaveLength(4);
});

describe.each([301, 302, 303, 307, 308])('A page that leads inside by %i', (status) => {
  test.each([
    '127.0.0.1',
    '[::1]',
    'localhost',
    '2130706433',
    '0x7f.1',
    '[::ffff:7f00:1]',
    '169.254.169.254',
  ])('is not followed to %s, whatever the person allows', async (host) => {
    redirects['/lead'] = leadsTo(inside.url('/', host), status);
    expect(await refusalOf(outside.url('/lead', 'a.example'), withInternet, everything)).not.toBeNull();
    expect(inside.connections).toBe(0);
  });
});

test('a page that leads inside by a refresh in its head is read as it is', async () => {
  redirects['/meta'] = page(`<meta http-equiv="refresh" content="0;url=${inside.url('/')}"><p>here`);
  expect(await refusalOf(outside.url('/meta', 'a.example'), withInternet)).toBeNull();
  expect(inside.connections).toBe(0);
});

test('a page that leads inside after four others is not followed', async () => {
  for (const at of [1, 2, 3, 4]) redirects[`/hop${String(at)}`] = leadsTo(`/hop${String(at + 1)}`);
  redirects['/hop5'] = leadsTo(inside.url('/'));
  expect(await refusalOf(outside.url('/hop1', 'a.example'), withInternet, everything)).not.toBeNull();
  expect(inside.connections).toBe(0);
});

test('a page leads on five times, and not six', async () => {
  for (const at of [1, 2, 3, 4, 5]) redirects[`/on${String(at)}`] = leadsTo(`/on${String(at + 1)}`);
  redirects['/on6'] = page('<p>end');
  expect(await refusalOf(outside.url('/on1', 'a.example'), withInternet)).toBeNull();
  redirects['/on0'] = leadsTo('/on1');
  expect(await refusalOf(outside.url('/on0', 'a.example'), withInternet)).toContain('more than 5 times');
});

test('a name is looked up once: one that leads elsewhere the second time reaches nothing else', async () => {
  let asked = 0;
  const resolve = () => Promise.resolve([(asked += 1) === 1 ? '127.0.0.2' : '127.0.0.1']);
  const url = `http://rebind.example:${String(inside.port)}/`;
  // Nothing listens at that port of the address that was looked at.
  expect(await refusalOf(url, { ...withInternet, resolve })).not.toBeNull();
  expect([asked, inside.connections]).toEqual([1, 0]);
});

test.each([
  ['a public address beside one of this computer', ['127.0.0.2', '127.0.0.1']],
  ['a public address beside a private one of the other kind', ['127.0.0.2', '::1']],
  ['an address of the network alone', ['10.0.0.7']],
  ['addresses of neighbours', ['169.254.169.254']],
  ['an address within another', ['::ffff:127.0.0.1']],
  ['an address by NAT64', ['64:ff9b::7f00:1']],
  ['an address with a zone', ['fe80::1%eth0']],
  ['a name of its own, as one that was not followed to its end', ['internal.example']],
  ['nothing', []],
])('a name with %s reaches nothing', async (_, addresses) => {
  const resolve = () => Promise.resolve(addresses);
  const url = `http://a.example:${String(inside.port)}/`;
  expect(await refusalOf(url, { ...withInternet, resolve })).not.toBeNull();
  expect(inside.connections).toBe(0);
});

test.each([
  ['NAT64', '64:ff9b::8c52:7904'],
  ['neighbours', '169.254.169.254'],
])('a host with an address of %s that no page is read from is read from its other one', async (_, closed) => {
  const resolve = () => Promise.resolve([closed, '127.0.0.2']);
  expect(await refusalOf(outside.url('/', 'a.example'), { ...withInternet, resolve })).toBeNull();
});

test('an address that no page is read from is not connected to where another one of its host does not answer', async () => {
  const refused = await refusalOf(inside.url('/', 'a.example'), {
    resolve: () => Promise.resolve(['127.0.0.1', '127.0.0.2']),
    classOf: (address) => (address === '127.0.0.1' ? 'closed' : 'public'),
  });
  expect(refused).not.toBeNull();
  expect(inside.connections).toBe(0);
});

test('beside an address that no page is read from, one of the own network is asked about all the same', async () => {
  const asked: string[] = [];
  const reach: Reach = ({ host }) => Promise.resolve({ isAllowed: asked.push(host) > 0 });
  const deps: FetchDeps = { resolve: () => Promise.resolve(['64:ff9b::7f00:1', '127.0.0.1']) };
  expect(await refusalOf(inside.url('/', 'a.example'), deps, reach)).toBeNull();
  expect(asked).toEqual(['a.example', '127.0.0.1']);
});

test('a host is not looked up before the person allows it, since a name can carry what was read', async () => {
  const looked: string[] = [];
  const resolve = (host: string): Promise<string[]> => {
    looked.push(host);
    return Promise.resolve(['127.0.0.2']);
  };
  expect(await refusalOf('http://secret.a.example/', { ...withInternet, resolve }, nobody)).not.toBeNull();
  expect(looked).toEqual([]);
});

test('the person is asked by name, then by the private address that lies behind it', async () => {
  const asked: unknown[] = [];
  const reach: Reach = (wanted) => Promise.resolve({ isAllowed: asked.push(wanted) > 0 });
  const resolve = leadsInside;
  const { port } = inside;
  expect(await refusalOf(inside.url('/', 'printer.example'), { resolve }, reach)).toBeNull();
  expect(asked).toEqual([
    { host: 'printer.example', port, isPrivate: false },
    { host: '127.0.0.1', port, isPrivate: true },
  ]);
  expect(inside.reached).toEqual([`printer.example:${String(port)}/`]);
});

test.each([
  ['http://me:pass@a.example/', 'user name'],
  ['http://me@a.example/', 'user name'],
  ['ftp://a.example/', 'Only http and https'],
  ['file:///etc/passwd', 'Only http and https'],
  ['a.example', 'not an address'],
  [`http://a.example/${'x'.repeat(5_000)}`, 'not an address'],
])('%s is refused before anybody is asked: %s', async (url, words) => {
  const asked: unknown[] = [];
  const reach: Reach = (wanted) => Promise.resolve({ isAllowed: asked.push(wanted) > 0 });
  expect(await refusalOf(url, withInternet, reach)).toContain(words);
  expect(asked).toEqual([]);
});

test('each host on the way is asked about, and what stands behind # is not sent', async () => {
  const asked: string[] = [];
  const reach: Reach = ({ host }) => Promise.resolve({ isAllowed: asked.push(host) > 0 });
  redirects['/away'] = leadsTo(outside.url('/#secret', 'b.example'));
  outside.reached.length = 0;
  expect(await refusalOf(outside.url('/away#mine', 'a.example'), withInternet, reach)).toBeNull();
  expect(asked).toEqual(['a.example', 'b.example']);
  const at = String(outside.port);
  expect(outside.reached).toEqual([`a.example:${at}/away`, `b.example:${at}/`]);
});

test('without anybody to ask, nothing is reached', async () => {
  const { signal } = new AbortController();
  const read = fetchPage(outside.url('/', 'a.example'), { reach: undefined, signal }, withInternet);
  await expect(read).rejects.toThrow('Nobody can be asked');
});

test('whatever a resolver says of localhost, nothing but this computer is meant by it', async () => {
  expect(await refusalOf(inside.url('/', 'localhost'), { resolve: leadsInside }, publicOnly)).not.toBeNull();
  expect(inside.connections).toBe(0);
});
