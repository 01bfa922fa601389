/** Files of exported sessions that are too large for one request: they come in pieces and are read piece by piece. */
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { z } from 'zod';
import { maxAttachmentBytes } from '../../src/protocol/attachment-limits.ts';
import { maxPieceBytes, maxUploads } from '../../src/protocol/limits.ts';
import { World, type Window } from '../helpers/host-world.ts';
import { startApp, type App } from '../helpers/measured-app.ts';
import { isThorough, someOf } from '../helpers/thorough.ts';
import { importFile, upload } from '../helpers/uploading.ts';

const MB = 1024 * 1024;
const line = 'a line of text, and "more"\n';

let world: World;
beforeEach(async () => {
  world = await World.start();
});
afterEach(() => world.close());

const leftUploads = (dir: string): Promise<string[]> => readdir(join(dir, 'data', 'uploads')).catch(() => []);

/** The folder is emptied by the host in its own time. */
async function noneLeft(dir: string): Promise<void> {
  while ((await leftUploads(dir)).length > 0) await new Promise((resolve) => setTimeout(resolve, 5));
}

/** An exported session of about so many bytes, in messages of 100 kB. */
async function sessionOf({ rpc }: Window, workspace: string, bytes: number): Promise<string> {
  const { session } = await rpc.call('session/create', { workspace });
  const { snapshot } = await rpc.call('session/export', { sessionId: session.id });
  const content = line.repeat(3_700);
  const count = Math.floor(bytes / JSON.stringify(content).length);
  const context = Array.from({ length: count }, (_, index) => ({
    message:
      index % 2 === 0 ? { role: 'user', content } : { role: 'assistant', content, thinking: '', calls: [] },
    turnId: null,
  }));
  return JSON.stringify({ ...z.looseObject({}).parse(snapshot), context });
}

/** Of 25 MB each; and the memory that they may take, which is not twice as much for twice as many. */
const [large, maxMB] = isThorough ? [4, 150] : [2, 100];

it('an import of many megabytes takes little memory, and leaves no temporary file (audit-S21)', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'andiron-imports-'));
  const app: App = await startApp(dir, world.sim.url);
  const window = app.openWindow();
  const one = await sessionOf(window, dir, 25 * MB);
  const file = `[${Array.from({ length: large }, () => one).join(',')}]`;

  await app.watchMemory();
  const before = await app.measure();
  const { sessions, failed } = await importFile(window.rpc, file);
  const after = await app.measure();
  expect([sessions.length, failed]).toEqual([large, null]);
  expect(after.peak - before.memory).toBeLessThan(maxMB * MB);
  expect(after.peakResident - before.resident).toBeLessThan(300 * MB);
  expect(await leftUploads(dir)).toEqual([]);
  await app.stop();
  await rm(dir, { recursive: true });
});

it('a session larger than 50 MB is refused while its file is read, and leaves no temporary file (audit-S21)', async () => {
  const window = world.openWindow();
  const file = await sessionOf(window, world.workspace, 60 * MB);
  await expect(importFile(window.rpc, file)).rejects.toMatchObject({
    code: 'snapshot_invalid',
    message: 'The session is larger than 50 MB. Nothing was imported.',
  });
  expect(await leftUploads(world.dir)).toEqual([]);
});

it.each(['0', '{}'])(
  'a session with millions of %s takes the host less than 150 MB, and is refused (audit-S21)',
  async (entry) => {
    const dir = await mkdtemp(join(tmpdir(), 'andiron-imports-'));
    const app = await startApp(dir, world.sim.url);
    const window = app.openWindow();
    await app.watchMemory();
    const before = await app.measure();
    const many = `${entry},`.repeat(isThorough ? 4_000_000 : 1_500_000);
    for (const file of someOf([`{"turns":[${many}`, `{"scratchpad":{"a":[${many}`], 2)) {
      await expect(importFile(window.rpc, file)).rejects.toMatchObject({ code: 'snapshot_invalid' });
    }
    const after = await app.measure();
    expect(after.peak - before.memory).toBeLessThan(150 * MB);
    await app.stop();
    await rm(dir, { recursive: true });
  },
  120_000,
);

it('An import that is cancelled, or whose window is gone, leaves no temporary file (audit-S21)', async () => {
  const window = world.openWindow();
  const other = world.openWindow();
  const file = await sessionOf(window, world.workspace, 3 * MB);
  const cancelled = await upload(window.rpc, file);
  const lost = await upload(other.rpc, file);
  const aborted = await upload(window.rpc, `[${Array.from({ length: 20 }, () => file).join(',')}]`);
  expect(await leftUploads(world.dir)).toEqual([cancelled, lost, aborted].toSorted());
  await window.rpc.call('upload/cancel', { uploadId: cancelled });
  expect(await leftUploads(world.dir)).toEqual([lost, aborted].toSorted());
  other.rpc.close();

  const controller = new AbortController();
  const { sessions } = await window.rpc.call('host/subscribe', {});
  // As soon as the first one is told, before another can be read.
  window.rpc.onEvent(() => controller.abort());
  const importing = window.rpc.call('session/import-upload', { uploadId: aborted }, controller.signal);
  await expect(importing).rejects.toMatchObject({ code: 'cancelled' });
  await noneLeft(world.dir);
  // Whatever is imported after this one comes in its turn, so the host has ended the aborted one.
  await importFile(window.rpc, file);
  const now = await window.rpc.call('host/subscribe', {});
  expect(now.sessions).toHaveLength(sessions.length + 2);
});

it('Temporary files of a host that was killed are gone after the next start (audit-S21)', async () => {
  await mkdir(join(world.dir, 'data', 'uploads'), { recursive: true });
  await writeFile(join(world.dir, 'data', 'uploads', 'upl_left'), 'half of a file');
  await world.restartHost();
  expect(await leftUploads(world.dir)).toEqual([]);
});

it.each(['scratchpad', 'items'])(
  'An object of 500,000 values in %s is refused while its file is read (audit-S21)',
  async (field) => {
    const window = world.openWindow();
    const values = `{${Array.from({ length: 500_000 }, (_, index) => `"k${String(index)}":"x"`).join()}}`;
    const file = `{"${field}":${field === 'items' ? `[${values}]` : values}}`;
    await expect(importFile(window.rpc, file)).rejects.toMatchObject({
      code: 'snapshot_invalid',
      message: expect.stringMatching(`damaged: ${field}(\\.0)? has more values than Andiron writes`),
    });
  },
);

it('An upload takes its pieces in order, from its own window, and ends at the first wrong one (audit-S21)', async () => {
  const [{ rpc }, stranger] = [world.openWindow(), world.openWindow()];
  const data = Buffer.from('piece').toString('base64');
  const { uploadId } = await rpc.call('upload/begin', {});
  await rpc.call('upload/add', { uploadId, at: 0, data });
  await expect(stranger.rpc.call('upload/add', { uploadId, at: 5, data })).rejects.toMatchObject({
    code: 'not_found',
  });
  await stranger.rpc.call('upload/cancel', { uploadId });
  await rpc.call('upload/add', { uploadId, at: 5, data });
  await expect(rpc.call('upload/add', { uploadId, at: 5, data })).rejects.toMatchObject({
    code: 'invalid_params',
    message: 'A piece of this file did not arrive as it was sent.',
  });
  await expect(rpc.call('upload/add', { uploadId, at: 10, data })).rejects.toMatchObject({
    code: 'not_found',
  });
  expect(await leftUploads(world.dir)).toEqual([]);

  const large = Buffer.alloc(maxPieceBytes + 3).toString('base64');
  const next = await rpc.call('upload/begin', {});
  await expect(rpc.call('upload/add', { ...next, at: 0, data: large })).rejects.toMatchObject({
    code: 'invalid_params',
  });
  await rpc.call('upload/cancel', next);
});

it('No more files than a few can be on their way to the host at once (audit-S21)', async () => {
  const { rpc } = world.openWindow();
  for (let count = 0; count < maxUploads; count += 1) await rpc.call('upload/begin', {});
  await expect(rpc.call('upload/begin', {})).rejects.toMatchObject({ code: 'busy' });
  rpc.close();
  await noneLeft(world.dir);
  expect(await upload(world.openWindow().rpc, 'x')).toMatch(/^upl_/);
});

it('A file of several sessions keeps those before a damaged one, and says so (audit-S21)', async () => {
  const window = world.openWindow();
  const good = await sessionOf(window, world.workspace, 0);
  const everything = `\uFEFF {"memory": {"sessions": [1]}, "sessions": [${good}, ${good}, {"format": 5}], "profiles": []}`;
  const { sessions, failed } = await importFile(window.rpc, everything);
  expect(sessions).toHaveLength(2);
  expect(failed).toMatchObject({
    message: '2 sessions were imported, and then: This is not a session that Andiron exported.',
    advice: 'Choose a file that "Export" made.',
  });
  for (const cut of [`[${good}`, `[${good}],`]) {
    expect(await importFile(window.rpc, cut)).toMatchObject({
      failed: {
        message: '1 session was imported, and then: The exported session is damaged: it is not whole JSON.',
      },
    });
  }
});

it.each(['[]', '', '[5]', 'no json', '{"__proto__": {}}', '{"turns": 5}'])(
  'The file %j is refused, and nothing of it is imported (audit-S21)',
  async (text) => {
    await expect(importFile(world.openWindow().rpc, text)).rejects.toMatchObject({
      code: 'snapshot_invalid',
      message: expect.stringMatching(/ Nothing was imported\.$/),
    });
    expect(await leftUploads(world.dir)).toEqual([]);
  },
);

it('A file that is attached may be larger than a request, up to its own limit (audit-S21)', async () => {
  const { rpc } = world.openWindow();
  const bytes = Buffer.alloc(maxAttachmentBytes, 'a');
  const { attachment } = await rpc.call('attachment/add-upload', {
    name: 'large.txt',
    uploadId: await upload(rpc, bytes),
  });
  expect(attachment).toMatchObject({ name: 'large.txt', kind: 'text', bytes: maxAttachmentBytes });
  const more = { name: 'larger.txt', uploadId: await upload(rpc, Buffer.concat([bytes, bytes])) };
  await expect(rpc.call('attachment/add-upload', more)).rejects.toMatchObject({
    code: 'attachment_invalid',
    message: 'larger.txt has 20 MB; an attached file may have 10 MB.',
  });
  expect(await leftUploads(world.dir)).toEqual([]);
});
