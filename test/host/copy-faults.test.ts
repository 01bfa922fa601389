/** Sessions that are copied in several transactions, on a disk that fails and in a host that dies at each write of it. */
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { z } from 'zod';
import { openDatabase } from '../../src/host/store/sqlite.ts';
import { AndironError } from '../../src/protocol/errors.ts';
import { emptySession, withMessages } from '../helpers/large-sessions.ts';
import { MortalHouse } from '../helpers/mortal-house.ts';
import { assertValidLogs, everythingStored, storedLog } from '../helpers/session-world.ts';
import { drawnBelow, isThorough } from '../helpers/thorough.ts';
import { importFile } from '../helpers/uploading.ts';

/** Of the writes of a copy so many are passed over between two that fail. */
const stride = isThorough ? 1 : 3;

let house: MortalHouse;
/** The disk fails at the write after so many. */
let writesLeft: number;
/** Then it fails at all that follow as well. */
let staysFull: boolean;
/** Three transactions. */
let file: string;
let sourceId: string;
beforeEach(async () => {
  [writesLeft, staysFull] = [Infinity, true];
  let isOfSearch = false;
  const write = (what: string): void => {
    // The search clears up in its own time, in transactions of nothing else: the one failure is meant for the copy.
    const wasOfSearch = isOfSearch;
    isOfSearch = /\bsearch_/.test(what);
    if (!staysFull && (isOfSearch || (wasOfSearch && what === 'COMMIT'))) return;
    if (writesLeft > 0) writesLeft -= 1;
    else {
      if (!staysFull) writesLeft = Infinity;
      throw new AndironError('storage', `The disk is full: ${what}.`, 'Free some space.');
    }
  };
  house = await MortalHouse.start({ faults: { write } });
  const window = house.openWindow();
  file = JSON.stringify(withMessages(await emptySession(window, house.workspace), 5, 2_010_000));
  const { sessions } = await importFile(window.rpc, file);
  sourceId = sessions[0]?.id ?? '';
});
afterEach(async () => {
  writesLeft = Infinity;
  await house.close();
});

const copies: [name: string, copy: () => Promise<unknown>][] = [
  ['An import', () => importFile(house.openWindow().rpc, file)],
  ['A fork', () => house.openWindow().rpc.call('session/fork', { sessionId: sourceId })],
];

const listed = async (): Promise<string[]> =>
  (await house.openWindow().rpc.call('host/subscribe', {})).sessions.map(({ id }) => id);

/** What is there of sessions that are being written, in rows. */
function unfinished(): { id: string; messages: number }[] {
  const database = openDatabase(join(house.dir, 'data', 'andiron.db'));
  try {
    return database
      .query(
        `SELECT id, (SELECT count(*) FROM context WHERE session_id = id) AS messages
         FROM sessions WHERE deleted_at = -1`,
        z.object({ id: z.string(), messages: z.number() }),
      )
      .all();
  } finally {
    database.close();
  }
}

const refusal = (copy: () => Promise<unknown>): Promise<unknown> =>
  copy().then(
    () => null,
    (error: unknown) => error,
  );

it.each(copies)('%s that the end of Andiron cuts off leaves nothing (audit-S21)', async (_name, copy) => {
  const stored = everythingStored(house);
  const cut = refusal(copy);
  while (unfinished().length === 0) await new Promise((resolve) => setTimeout(resolve, 1));
  await house.end();
  expect(everythingStored(house)).toEqual(stored);
  await house.birth();
  await cut;
});

it.each(copies)(
  '%s in slices leaves nothing when any write of it fails (audit-S21)',
  async (_name, copy) => {
    staysFull = false;
    const stored = everythingStored(house);
    let failures = drawnBelow(stride);
    for (; ; failures += stride) {
      writesLeft = failures;
      const refused = await refusal(copy);
      writesLeft = Infinity;
      if (refused === null) break;
      expect(refused).toMatchObject({
        code: 'storage',
        message: expect.stringContaining('The disk is full'),
      });
      expect(everythingStored(house)).toEqual(stored);
    }
    expect(failures).toBeGreaterThan(12);
    expect(await listed()).toHaveLength(2);
    assertValidLogs(house);
  },
  120_000,
);

it.each(copies)(
  '%s that a full disk cuts off is seen by nobody, and gone after the next start (audit-S21)',
  async (_name, copy) => {
    const before = storedLog(house, sourceId);
    let most = 0;
    for (let failures = drawnBelow(stride); ; failures += stride) {
      writesLeft = failures;
      const refused = await refusal(copy);
      writesLeft = Infinity;
      if (refused === null) break;
      expect(refused).toMatchObject({ code: 'storage' });
      expect(await listed()).toEqual([sourceId]);
      for (const { id: sessionId, messages } of unfinished()) {
        most = Math.max(most, messages);
        const { rpc } = house.openWindow();
        await expect(rpc.call('session/restore', { sessionId })).rejects.toMatchObject({ code: 'not_found' });
        await expect(rpc.call('session/export', { sessionId })).rejects.toMatchObject({ code: 'not_found' });
      }
    }
    expect(most).toBeGreaterThan(2);
    const all = await listed();
    await house.end();
    await house.birth();
    expect(unfinished()).toEqual([]);
    expect(await listed()).toEqual(all);
    expect(storedLog(house, sourceId)).toEqual(before);
    assertValidLogs(house);
  },
  120_000,
);

it.each(copies)(
  '%s in a host that dies at any write is whole after the next start, or not there (audit-S21)',
  async (_name, copy) => {
    const stored = everythingStored(house);
    let most = 0;
    let deaths = drawnBelow(stride);
    for (; ; deaths += stride) {
      house.doom(deaths);
      const done = await Promise.race([copy().then(() => true), house.died.then(() => false)]).catch(
        () => false,
      );
      if (done) break;
      for (const { messages } of unfinished()) most = Math.max(most, messages);
      await house.birth();
      // The search writes after the last write of the copy: who dies there has it whole, though nobody was told.
      if ((await listed()).length === 2) break;
      expect(everythingStored(house)).toEqual(stored);
    }
    house.doom(Infinity);
    expect(most).toBeGreaterThan(2);
    expect(deaths).toBeGreaterThan(12);
    const [one, two, ...more] = (await listed()).map((sessionId) => storedLog(house, sessionId));
    expect(two).toEqual(one);
    expect(more).toEqual([]);
    assertValidLogs(house);
  },
  120_000,
);
