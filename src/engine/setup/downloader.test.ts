import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { systemClock, type Clock } from '../../platform/clock.ts';
import { nodeFiles } from '../node-deps.ts';
import { failureOf } from '../testing/fakes.ts';
import { createDownloader, type DownloadRequest } from './downloader.ts';
import { nodeSetupEdges } from './node-edges.ts';
import { startReleaseServer, type ReleaseServer } from './testing/release-server.ts';

const content = Buffer.from(Array.from({ length: 300_000 }, (_, index) => index % 251));
/** The pauses between tries last a hundredth. */
const hasty: Clock = { ...systemClock, after: (ms, run) => systemClock.after(ms / 100, run) };

let server: ReleaseServer;
let folder: string;
let part: string;

beforeEach(async () => {
  server = await startReleaseServer();
  server.files.set('/file', content);
  folder = await mkdtemp(join(tmpdir(), 'andiron-download-'));
  part = join(folder, 'file.part');
});

afterEach(async () => {
  await server.close();
  await rm(folder, { recursive: true });
});

function downloader(clock = hasty) {
  const made = createDownloader(clock, nodeSetupEdges, nodeFiles);
  const seen: [number, number | null][] = [];
  const fetchIt = (changes: Partial<DownloadRequest> = {}) =>
    made.download({
      url: `${server.url}/file`,
      part,
      signal: new AbortController().signal,
      makeRoom: () => Promise.resolve(),
      onProgress(received, total) {
        seen.push([received, total]);
        server.seen(received);
      },
      ...changes,
    });
  return { ...made, fetchIt, seen };
}

/** Compared as a whole: a picture of the difference would take minutes. */
const holds = async (expected: Buffer): Promise<boolean> => (await readFile(part)).equals(expected);

const ranges = () => server.asked.map(({ range }) => range);

test('a file comes whole, with its size known from the start', async () => {
  const { fetchIt, seen } = downloader();
  await fetchIt();
  expect(await holds(content)).toBe(true);
  expect(seen[0]).toEqual([0, content.length]);
  expect(seen.at(-1)).toEqual([content.length, content.length]);
});

test('cut in the middle, twice, it goes on where it was', async () => {
  server.cuts = [100_000, 50_000];
  await downloader().fetchIt();
  expect(await holds(content)).toBe(true);
  expect(ranges()).toEqual([undefined, 'bytes=100000-', 'bytes=150000-']);
});

test('what an earlier run left is gone on with, and known beforehand', async () => {
  server.hold = new Promise(() => undefined);
  const controller = new AbortController();
  const first = downloader();
  const failed = failureOf(
    first.fetchIt({
      signal: controller.signal,
      onProgress: (received) => received > 0 && controller.abort(new Error('enough')),
    }),
  );
  expect(await failed).toMatchObject({ message: 'enough' });
  server.hold = null;
  const left = await first.partials.find(`${server.url}/file`, part);
  expect(left?.totalBytes).toBe(content.length);
  const second = downloader();
  await second.fetchIt();
  expect(second.seen[0]).toEqual([left?.receivedBytes, content.length]);
  expect(await holds(content)).toBe(true);
});

test('a whole file is not asked for again', async () => {
  await downloader().fetchIt();
  await downloader().fetchIt();
  expect(server.asked).toHaveLength(1);
});

test('a server that knows no ranges sends it from the beginning', async () => {
  server.cuts = [100_000];
  server.ranges = false;
  await downloader().fetchIt();
  expect(ranges()).toEqual([undefined, 'bytes=100000-']);
  expect(await holds(content)).toBe(true);
});

test('another file under the same name is taken from its beginning', async () => {
  server.cuts = [100_000];
  const other = Buffer.alloc(200_000, 7);
  const { fetchIt, seen } = downloader();
  await fetchIt({
    onProgress: (received, total) => {
      seen.push([received, total]);
      server.files.set('/file', other);
      server.seen(received);
    },
  });
  expect(ranges()).toEqual([undefined, 'bytes=100000-']);
  expect(await holds(other)).toBe(true);
});

test('without a sign of what the file is, nothing is put together from two connections', async () => {
  server.cuts = [100_000];
  server.validators = false;
  await downloader().fetchIt();
  expect(ranges()).toEqual([undefined, undefined]);
  expect(await holds(content)).toBe(true);
});

test('a range that begins elsewhere is not glued on', async () => {
  await writeFile(part, content.subarray(0, 1_000));
  await writeFile(
    `${part}.json`,
    JSON.stringify({ url: `${server.url}/file`, validator: '"x"', totalBytes: content.length }),
  );
  const wrong = createDownloader(
    hasty,
    {
      ...nodeSetupEdges,
      async fetch(url, init) {
        const asksForRest = new Headers(init?.headers).has('range');
        if (!asksForRest) return fetch(url, init);
        return new Response(content.subarray(500), {
          status: 206,
          headers: { 'Content-Range': `bytes 500-${String(content.length - 1)}/${String(content.length)}` },
        });
      },
    },
    nodeFiles,
  );
  const signal = new AbortController().signal;
  const rest = { signal, makeRoom: () => Promise.resolve(), onProgress: () => undefined };
  await wrong.download({ url: `${server.url}/file`, part, ...rest });
  expect(await holds(content)).toBe(true);
});

test('notes that make no sense count as none', async () => {
  await writeFile(part, 'half of something');
  await writeFile(`${part}.json`, '{"url":');
  await downloader().fetchIt();
  expect(ranges()).toEqual([undefined]);
  expect(await holds(content)).toBe(true);
});

test('a connection on which nothing comes any more is left for another one', async () => {
  server.hold = new Promise(() => undefined);
  server.onHold = () => (server.hold = null);
  await downloader({ ...systemClock, after: (ms, run) => systemClock.after(ms / 200, run) }).fetchIt();
  expect(server.asked).toHaveLength(2);
  expect(await holds(content)).toBe(true);
});

test('a server that is busy is asked again; one that never sends anything is given up', async () => {
  server.refusals.set('/file', 503);
  expect(await failureOf(downloader().fetchIt())).toMatchObject({
    code: 'download_cut',
    message: expect.stringContaining('503'),
    advice: expect.stringContaining('continue'),
  });
  expect(server.asked).toHaveLength(5);
});

test('a file that is not there is said at once', async () => {
  server.files.clear();
  expect(await failureOf(downloader().fetchIt())).toMatchObject({ code: 'not_published' });
  expect(server.asked).toHaveLength(1);
});

test('a redirect is followed', async () => {
  server.redirects.set('/start', '/file');
  await downloader().fetchIt({ url: `${server.url}/start` });
  expect(await holds(content)).toBe(true);
});

test.each(['http://192.0.2.1/file', 'ftp://127.0.0.1/file', 'file:///etc/passwd'])(
  'a redirect to %s is not followed',
  async (target) => {
    server.redirects.set('/start', target);
    const failed = failureOf(downloader().fetchIt({ url: `${server.url}/start` }));
    expect(await failed).toMatchObject({ code: 'download_refused' });
    expect(server.asked).toHaveLength(1);
  },
);

test('a download that began with https is never led to plain http, loopback or not', async () => {
  const asked: string[] = [];
  const edges = {
    ...nodeSetupEdges,
    fetch: (url: Parameters<typeof fetch>[0]) => {
      asked.push(url instanceof Request ? url.url : url.toString());
      return Promise.resolve(
        new Response(null, { status: 302, headers: { Location: `${server.url}/file` } }),
      );
    },
  };
  const made = createDownloader(hasty, edges, nodeFiles);
  const signal = new AbortController().signal;
  const rest = { part, signal, makeRoom: () => Promise.resolve(), onProgress: () => undefined };
  const failed = failureOf(made.download({ url: 'https://releases.example/file', ...rest }));
  expect(await failed).toMatchObject({ code: 'download_refused' });
  expect(asked).toEqual(['https://releases.example/file']);
});

test('a circle of redirects ends', async () => {
  server.redirects.set('/start', '/start');
  const failed = failureOf(downloader().fetchIt({ url: `${server.url}/start` }));
  expect(await failed).toMatchObject({ code: 'download_refused' });
});

test('where there is no room nothing is written', async () => {
  const failed = failureOf(downloader().fetchIt({ makeRoom: () => Promise.reject(new Error('no room')) }));
  expect(await failed).toMatchObject({ message: 'no room' });
  expect(await nodeSetupEdges.files.size(part)).toBeNull();
});

test('a disk that fills up ends it, and what came is kept', async () => {
  const full = Object.assign(new Error('no space left'), { code: 'ENOSPC' });
  const files = {
    ...nodeSetupEdges.files,
    async openSink(path: string, from: number) {
      const sink = await nodeSetupEdges.files.openSink(path, from);
      let writes = 0;
      return {
        ...sink,
        write(chunk: Uint8Array) {
          writes += 1;
          return writes > 1 ? Promise.reject(full) : sink.write(chunk);
        },
      };
    },
  };
  const made = createDownloader(hasty, { ...nodeSetupEdges, files }, nodeFiles);
  const signal = new AbortController().signal;
  const rest = { part, signal, makeRoom: () => Promise.resolve(), onProgress: () => undefined };
  expect(await failureOf(made.download({ url: `${server.url}/file`, ...rest }))).toBe(full);
  expect((await made.partials.find(`${server.url}/file`, part))?.receivedBytes).toBeGreaterThan(0);
  await downloader().fetchIt();
  expect(await holds(content)).toBe(true);
});
