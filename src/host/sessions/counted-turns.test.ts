import { afterEach, beforeEach, expect, test } from 'vitest';
import { guardDatabase } from '../../../test/helpers/fault-seams.ts';
import { systemClock } from '../../platform/clock.ts';
import { silentLog } from '../../platform/log.ts';
import type { RequestUsage } from '../../protocol/model.ts';
import type { UsageEntry } from '../../protocol/usage-methods.ts';
import { openStore, type Store } from '../store/store.ts';
import { storeFolder, summary, turn, type StoreFolder } from '../store/testing.ts';
import { SessionState } from './session-state.ts';

let folder: StoreFolder;
/** Of the writes that come; null = all of them work. */
let writesLeft: number | null;
let store: Store;
let state: SessionState;

const entry: UsageEntry = {
  id: 'use_1',
  userId: 'owner',
  sessionId: 's',
  turnId: 't',
  purpose: 'main',
  model: 'qwen3:8b',
  ended: 'answered',
  inputTokens: 100,
  cachedTokens: 60,
  outputTokens: 10,
  cost: null,
  at: 1,
};
const usage: RequestUsage = {
  requestId: 'req_1',
  iteration: 1,
  model: 'qwen3:8b',
  profileId: 'developer',
  promptTokens: 100,
  cachedTokens: 60,
  evaluatedTokens: 40,
  outputTokens: 10,
  promptMs: 1,
  outputMs: 1,
  loadMs: 0,
  waitedMs: 1,
};
const nextTask = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

beforeEach(() => {
  folder = storeFolder();
  writesLeft = null;
  store = openStore({
    dataDir: folder.path,
    log: silentLog,
    newId: (prefix) => `${prefix}1`,
    open: guardDatabase(() => {
      if (writesLeft === 0) throw new Error('The power is gone.');
      if (writesLeft !== null) writesLeft -= 1;
    }),
  });
  store.createSession({ summary: summary(), workspaceReal: '/w', contextUsage: null });
  store.saveTurn('s', turn());
  const snapshot = store.loadSnapshot('s', 100);
  if (!snapshot) throw new Error('no session');
  state = new SessionState(snapshot, {
    store,
    clock: systemClock,
    log: silentLog,
    workspaceReal: () => '/w',
    onPublished: () => undefined,
    onUnfollowed: () => undefined,
  });
});
afterEach(() => {
  writesLeft = null;
  state.flush();
  store.close();
  folder.remove();
});

/** As a turn does it: the request is counted, and in the same task the turn says what it took. */
function answered(): void {
  state.count(entry);
  state.happened({ turnId: 't', event: { type: 'usage/measured', usage } });
}

/** Requests on the disk: in the turn, and in the usage log. */
const stored = (): [turns: number, rows: number] => [
  store.allTurns('s').flatMap((each) => each.usage).length,
  store.usageTotals({}).requests,
];

test('A crash before any write of a turn leaves neither its request nor a row of it (B6)', async () => {
  const seen: string[] = [];
  for (let writes = 0; !seen.includes('1,1'); writes += 1) {
    if (writes > 50) throw new Error('It never got through.');
    writesLeft = writes;
    if (writes === 0) answered();
    else state.flush();
    await nextTask();
    const [turns, rows] = stored();
    expect(rows, `after ${String(writes)} writes`).toBe(turns);
    seen.push(`${String(turns)},${String(rows)}`);
  }
  expect(seen.length).toBeGreaterThan(3);
});

test('A row that could not be stored at first is stored once when the disk works again (B6)', async () => {
  writesLeft = 1;
  answered();
  await nextTask();
  expect(stored()).toEqual([0, 0]);
  writesLeft = null;
  state.flush();
  state.flush();
  expect(stored()).toEqual([1, 1]);
});

test('A request without an event of its own is stored as well (B6)', async () => {
  state.count({ ...entry, ended: 'stopped' });
  await nextTask();
  expect(stored()).toEqual([0, 1]);
});
