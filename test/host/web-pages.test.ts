/** Pages that are made to hurt whoever reads them: each ends in time, in words, and without holding this process up. */
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createPageReader } from '../../src/host/web/page-reader.ts';
import { decodeText } from '../../src/host/web/decode-text.ts';
import { fetchPage, type FetchedPage } from '../../src/host/web/fetch-page.ts';
import { systemClock } from '../../src/platform/clock.ts';
import { systemProcesses } from '../../src/platform/processes.ts';
import { noSandbox } from '../../src/platform/sandbox/sandbox.ts';
import { sandboxHere } from '../helpers/mcp/mcp-world.ts';
import { leadsTo, page, WebServer, type Answer } from '../helpers/web/web-server.ts';

const megabyte = 1024 * 1024;
const html = { 'content-type': 'text/html' };

const answers: Record<string, Answer> = {
  '/endless': (_request, response) => {
    response.writeHead(200, html);
    const more = (): void => {
      while (response.write('<p>'.repeat(20_000)));
    };
    response.on('drain', more);
    more();
  },
  '/bomb': (_request, response) =>
    void response
      .writeHead(200, { ...html, 'content-encoding': 'gzip' })
      .end(gzipSync(Buffer.alloc(200 * megabyte, 'a'))),
  '/one-line': page('x'.repeat(10 * megabyte)),
  '/too-short': (_request, response) => {
    response.writeHead(200, { ...html, 'content-length': '1000' });
    response.write('<p>half');
    setImmediate(() => response.destroy());
  },
  '/no-gzip': (_request, response) =>
    void response.writeHead(200, { ...html, 'content-encoding': 'gzip' }).end('<p>plain'),
  '/unknown-packing': (_request, response) =>
    void response.writeHead(200, { ...html, 'content-encoding': 'br' }).end('x'),
  '/round': leadsTo('/round'),
  '/nowhere': leadsTo('http://'),
  // A header goes out as latin1: these are the bytes of UTF-8, and of a text in latin1.
  '/to-utf8': leadsTo(Buffer.from('/wiki/Grüße').toString('latin1')),
  '/to-latin1': leadsTo('/wiki/Grüße'),
  '/wiki/Gr%C3%BC%C3%9Fe': page('<p>Hello'),
  '/image': page('x', 'image/png'),
  '/binary': page('\0\0\0', 'text/html'),
  '/headers': (_request, response) =>
    void response.writeHead(200, { ...html, 'x-long': 'x'.repeat(60_000) }).end('x'),
  '/error': (_request, response) => void response.writeHead(500).end('x'),
  '/cookie': (request, response) =>
    void response
      .writeHead(200, { ...html, 'set-cookie': 'a=b' })
      .end(`<p>cookies: ${request.headers.cookie ?? 'none'}`),
};

let server: WebServer;
beforeAll(async () => {
  server = await WebServer.start(answers);
});
afterAll(() => server.close());

const reach = () => Promise.resolve({ isAllowed: true });
const get = (path: string, signal = new AbortController().signal): Promise<FetchedPage> =>
  fetchPage(server.url(path), { reach, signal }, {});

test.each([
  ['/endless', 'larger than 2 MB'],
  ['/bomb', 'larger than 2 MB'],
  ['/one-line', 'larger than 2 MB'],
  ['/too-short', 'could not be read'],
  ['/no-gzip', 'could not be read'],
  ['/unknown-packing', 'cannot be read'],
  ['/round', 'more than 5 times'],
  ['/nowhere', 'not an address'],
  ['/image', 'no page of text: image/png'],
  ['/headers', 'could not be read'],
  ['/error', 'answers with 500'],
])('%s is refused in words: %s', async (path, words) => {
  await expect(get(path)).rejects.toThrow(words);
});

test('what is no text is none, whatever its server says', async () => {
  const { body, type } = await get('/binary');
  expect(decodeText(body, type)).toBeNull();
});

test.each(['/to-utf8', '/to-latin1'])(
  'a page that leads on to letters beyond ASCII is followed: %s',
  async (path) => {
    expect((await get(path)).url.pathname).toBe('/wiki/Gr%C3%BC%C3%9Fe');
  },
);

test('no cookie is kept for the next page', async () => {
  await get('/cookie');
  expect(Buffer.from((await get('/cookie')).body).toString()).toContain('cookies: none');
});

test('a page that comes drop by drop ends with the signal, and its connection with it', async () => {
  const begun = Promise.withResolvers<void>();
  const gone = Promise.withResolvers<void>();
  answers['/drip'] = (_request, response) => {
    response.writeHead(200, html).write('<p>');
    begun.resolve();
    response.on('close', () => gone.resolve());
  };
  const ending = new AbortController();
  const read = get('/drip', ending.signal);
  await begun.promise;
  ending.abort(new Error('enough'));
  await expect(read).rejects.toThrow('enough');
  await gone.promise;
});

const long = 'Bread needs flour, water and time. '.repeat(20);
const readers = {
  'a process in the sandbox': async () => ({ sandbox: await sandboxHere(), nodePath: process.execPath }),
  'a process': async () => ({ sandbox: noSandbox('system'), nodePath: process.execPath }),
  'a thread': async () => ({ sandbox: noSandbox('system'), nodePath: null }),
};
type Place = keyof typeof readers;
const places = Object.keys(readers) as Place[];

async function readIn(place: Place, text: string, signal = new AbortController().signal) {
  const read = createPageReader({
    processes: systemProcesses,
    dataDirs: [],
    clock: systemClock,
    ...(await readers[place]()),
  });
  return read({ html: text, url: 'https://a.example/' }, signal);
}

test.each(places)('the text of a page is read in %s', async (place) => {
  const { title, text } = await readIn(
    place,
    `<html><head><title>Bread &amp; water</title></head><body><nav>Menu</nav><article><h2>How</h2><p>${long}</p>
     <p>See <a href="https://b.example/">more</a>.</p></article></body></html>`,
  );
  expect(title).toBe('Bread & water');
  expect(text).toContain('## How\n\nBread needs flour');
  expect(text).toContain('more (https://b.example/)');
});

test('a script of a page does not run, and is not read', async () => {
  const script = '<script>document.body.innerHTML = "owned"; globalThis.process?.exit(3)</script>';
  const { text } = await readIn('a process', `${script}<p onclick="x()">${long}</p><noscript>no</noscript>`);
  expect(text).toBe(long.trim());
});

test.each(places.filter((place) => place !== 'a process'))(
  'a page nested 100,000 deep is read or refused in time in %s, and holds nobody up',
  async (place) => {
    const stalls = monitorEventLoopDelay({ resolution: 5 });
    stalls.enable();
    const begun = performance.now();
    const deep = `${'<div>'.repeat(100_000)}deep`;
    const text = await readIn(place, deep).then(
      (page) => page.text,
      (error: unknown) => String(error),
    );
    stalls.disable();
    expect(text).toMatch(/^(?:deep|.*takes too much to be read\.)$/);
    expect(performance.now() - begun).toBeLessThan(20_000);
    // Read in here, it would be all of that time.
    expect(stalls.max / 1e6).toBeLessThan(1_000);
  },
);

test.each(places)('Stop ends the reading of a page at once in %s', async (place) => {
  const ending = new AbortController();
  const read = readIn(place, '<ul><li>'.repeat(120_000), ending.signal);
  systemClock.after(400, () => ending.abort(new Error('stopped')));
  const begun = performance.now();
  await expect(read).rejects.toThrow('stopped');
  expect(performance.now() - begun).toBeLessThan(8_000);
});

test.each([
  ['what its head says', Buffer.from('<meta charset="iso-8859-1"><p>caf\u00e9', 'latin1'), '', 'café'],
  [
    'what its server says before its head',
    Buffer.from('<meta charset="utf-16"><p>café'),
    'text/html; charset=utf-8',
    'café',
  ],
  ['a head that lies about UTF-16', Buffer.from('<meta charset=utf-16le><p>café'), '', 'café'],
  ['a mark before what its server says', Buffer.from('\ufeff<p>café'), 'text/html; charset=latin1', 'café'],
  ['no word of it, as UTF-8', Buffer.from('<p>café'), 'text/html', 'café'],
  [
    'no word of it, as what Windows writes',
    Buffer.from('<p>caf\u00e9 \x80', 'latin1'),
    'text/html',
    'café €',
  ],
  ['a set that nobody knows', Buffer.from('<p>café'), 'text/html; charset=klingon', 'café'],
])('a page is decoded by %s', (_, body, type, words) => {
  expect(decodeText(body, type)).toContain(words);
});
