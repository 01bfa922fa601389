/** Very large sessions that are imported, forked and exported: in slices, between which the host does everything else. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { z } from 'zod';
import { openDatabase } from '../../src/host/store/sqlite.ts';
import { leastMs, paceMs } from '../helpers/cost.ts';
import { World, type Window } from '../helpers/host-world.ts';
import { emptySession, withMessages, withTurns, type SnapshotFile } from '../helpers/large-sessions.ts';
import { startApp } from '../helpers/measured-app.ts';
import { assertValidLogs, storedLog } from '../helpers/session-world.ts';
import { isThorough } from '../helpers/thorough.ts';
import { importFile, upload } from '../helpers/uploading.ts';

/** Work in one go, by the clock of the host's own thread and the pace of the machine. One slice is meant to be 20 ms. */
const maxSlice = 14;
/** An export is sent as one answer: it is read, checked and written, each about as dear as the last. */
const maxExport = 6;

let world: World;
let window: Window;
beforeEach(async () => {
  world = await World.start();
  window = world.openWindow();
});
afterEach(async () => {
  assertValidLogs(world);
  await world.close();
});

// Written in one go either holds the host up for many slices.
const [turns, messages] = isThorough ? [30_000, 450] : [10_000, 150];

const large: [what: string, make: (empty: SnapshotFile) => SnapshotFile][] = [
  [`${turns.toLocaleString('en')} turns`, (empty) => withTurns(empty, turns)],
  [`${messages / 10} MB in messages of 100 kB`, (empty) => withMessages(empty, messages, 100_000)],
];

it.each(large)(
  'A session of %s is imported, forked and exported without holding the host up (audit-S21)',
  async (what, make) => {
    const dir = await mkdtemp(join(tmpdir(), 'andiron-copies-'));
    const app = await startApp(dir, world.sim.url);
    const { rpc } = app.openWindow();
    const made = make(await emptySession(app.openWindow(), dir));
    const file = JSON.stringify(made);

    const longest: Record<string, number> = {};
    const held = async <T>(name: string, change: () => Promise<T>): Promise<T> => {
      await app.longestWork();
      const result = await change();
      // One round of the loop, in which it is counted.
      await app.skip(0);
      longest[name] = Math.round(await app.longestWork());
      return result;
    };
    const { sessions, failed } = await held('import', () => importFile(rpc, file));
    const [session] = sessions;
    if (!session) throw new Error(failed?.message);
    const fork = await held('fork', () => rpc.call('session/fork', { sessionId: session.id }));
    const { snapshot } = await held('export', () =>
      rpc.call('session/export', { sessionId: fork.session.id }),
    );
    const pace = paceMs();
    const writing = leastMs(() => void Buffer.from(JSON.stringify(snapshot)));
    process.stdout.write(
      `${what}: longest work ${JSON.stringify(longest)} ms, pace ${pace.toFixed(1)} ms, writing it ${writing.toFixed(1)} ms\n`,
    );
    expect(snapshot).toMatchObject({ turns: { length: Object(made['turns']).length } });
    expect(z.looseObject({ context: z.array(z.unknown()) }).parse(snapshot).context).toHaveLength(
      Object(made['context']).length,
    );
    expect((longest['import'] ?? NaN) / pace).toBeLessThan(maxSlice);
    expect((longest['fork'] ?? NaN) / pace).toBeLessThan(maxSlice);
    expect((longest['export'] ?? NaN) / writing).toBeLessThan(maxExport);
    await app.stop();
    await rm(dir, { recursive: true });
  },
  180_000,
);

/** What is being written, as it lies in the database. */
function unfinished(): string[] {
  const database = openDatabase(join(world.dir, 'data', 'andiron.db'));
  try {
    return database
      .query('SELECT id FROM sessions WHERE deleted_at = -1', z.object({ id: z.string() }))
      .all()
      .map(({ id }) => id);
  } finally {
    database.close();
  }
}

/** The id of the session that is being written; seen between two slices of it. */
async function begun(): Promise<string> {
  for (;;) {
    const [id] = unfinished();
    if (id !== undefined) return id;
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
}

it('A session that is being imported is found by nobody until it is whole (audit-S21)', async () => {
  const words = 'a line of text';
  const file = withTurns(await emptySession(window, world.workspace), 20_000);
  const told: unknown[] = [];
  await window.rpc.call('host/subscribe', {});
  window.rpc.onEvent((_topic, _seq, event) => told.push(event));
  const importing = importFile(window.rpc, JSON.stringify(file));
  const sessionId = await begun();
  const { rpc } = world.openWindow();
  expect(await rpc.call('session/search', { query: words })).toEqual({ hits: [], complete: true });
  expect((await rpc.call('host/subscribe', {})).sessions).toEqual([]);
  await expect(rpc.call('session/subscribe', { sessionId })).rejects.toMatchObject({ code: 'not_found' });
  await rpc.call('session/delete', { sessionId });
  await expect(rpc.call('session/restore', { sessionId })).rejects.toMatchObject({ code: 'not_found' });
  // The one that was deleted, and none that is on its way.
  expect((await rpc.call('storage/measure', {})).deleted.count).toBe(1);
  expect(await rpc.call('storage/purge', {})).toEqual({ removed: 1 });
  expect(unfinished()).toEqual([sessionId]);
  expect(told.filter((event) => JSON.stringify(event).includes('session/upserted'))).toEqual([]);

  const { sessions } = await importing;
  expect(sessions.map(({ id }) => id)).toEqual([sessionId]);
  expect((await rpc.call('host/subscribe', {})).sessions.map(({ id }) => id)).toEqual([sessionId]);
  expect(told.filter((event) => JSON.stringify(event).includes('session/upserted'))).toHaveLength(1);
  expect((await rpc.call('session/search', { query: words })).hits.length).toBeGreaterThan(0);
  expect(storedLog(world, sessionId)).toHaveLength(40_000);
});

it('An import that is cancelled while its session is written leaves nothing of it (audit-S21)', async () => {
  const file = withTurns(await emptySession(window, world.workspace), 4_000);
  const controller = new AbortController();
  const uploadId = await upload(window.rpc, JSON.stringify(file));
  const importing = window.rpc.call('session/import-upload', { uploadId }, controller.signal);
  await begun();
  controller.abort();
  await expect(importing).rejects.toMatchObject({ code: 'cancelled' });
  while (unfinished().length > 0) await new Promise((resolve) => setTimeout(resolve, 1));
  expect((await window.rpc.call('host/subscribe', {})).sessions).toEqual([]);
});

it('A fork has all of its session, although that is deleted for good while it is read (audit-S21)', async () => {
  const file = withTurns(await emptySession(window, world.workspace), 4_000);
  const { sessions } = await importFile(window.rpc, JSON.stringify(file));
  const sessionId = sessions[0]?.id ?? '';
  const before = storedLog(world, sessionId);
  const forking = window.rpc.call('session/fork', { sessionId });
  await window.rpc.call('session/delete', { sessionId });
  expect(await window.rpc.call('storage/purge', {})).toEqual({ removed: 2 });
  expect(storedLog(world, sessionId)).toHaveLength(0);
  const { session } = await forking;
  expect(storedLog(world, session.id)).toEqual(before);
  const { snapshot } = await window.rpc.call('session/export', { sessionId: session.id });
  expect(snapshot).toMatchObject({ turns: { length: 4_000 }, items: { length: 4_000 } });
});
