import { afterEach, beforeEach, expect, test } from 'vitest';
import { silentLog } from '../../platform/log.ts';
import { systemClock } from '../../platform/clock.ts';
import { AndironError } from '../../protocol/errors.ts';
import type { SessionEvent, TurnEvent } from '../../protocol/events.ts';
import type { SessionSnapshot } from '../../protocol/model.ts';
import { reduceSession } from '../../protocol/reducer.ts';
import type { Store } from '../store/store.ts';
import { storeFolder, summary, textItem, toolItem, turn, type StoreFolder } from '../store/testing.ts';
import { SessionState, type Change } from './session-state.ts';

let folder: StoreFolder;
let store: Store;
let state: SessionState;
let transactions: number;
let diskIsFull: boolean;
let whileSaving: () => void;
/** As a window has them. */
let told: SessionEvent[];
/** Items that were on the disk as an event was told. */
let storedAsTold: number[];

const inTurn = (event: TurnEvent): Change => ({ turnId: 't', event });
const nextTask = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
const storedItems = (): number => store.pageItems('s', { limit: 100_000 }).items.length;

beforeEach(() => {
  folder = storeFolder();
  store = folder.open();
  store.createSession({ summary: summary(), workspaceReal: '/w', contextUsage: null });
  store.saveTurn('s', turn());
  [transactions, diskIsFull, told, storedAsTold] = [0, false, [], []];
  whileSaving = () => undefined;
  const counted: Store = {
    ...store,
    transaction(run) {
      transactions += 1;
      if (diskIsFull) throw new AndironError('storage', 'The disk is full.', 'Free some space.');
      whileSaving();
      return store.transaction(run);
    },
  };
  state = new SessionState(store.loadSnapshot('s', 100) ?? fail(), {
    store: counted,
    clock: systemClock,
    log: silentLog,
    workspaceReal: () => '/w',
    onPublished: () => undefined,
    onUnfollowed: () => undefined,
  });
  state.follow({
    publish(_topic, _seq, event) {
      told.push(event as SessionEvent);
      if (told.length <= 200) storedAsTold.push(storedItems());
    },
    onClose: () => undefined,
  });
});
afterEach(() => {
  // Otherwise what waits to be saved would be saved in the middle of the next test.
  state.flush();
  folder.remove();
});

function fail(): never {
  throw new Error('no session');
}

test('events of one task are stored in one transaction, and told after it in their order (audit-S6)', async () => {
  for (let n = 0; n < 200; n += 1) state.happened(inTurn({ type: 'item/started', item: toolItem(n) }));
  expect(state.current().items.length).toBe(200);
  expect([transactions, told.length]).toEqual([0, 0]);
  await nextTask();
  expect(transactions).toBe(1);
  expect(told.map(({ seq }) => seq)).toEqual(Array.from({ length: 200 }, (_, n) => n + 1));
  expect(storedAsTold.every((items) => items === 200)).toBe(true);
});

test('what a person asks for is told after everything that happened before it (audit-S6)', () => {
  state.happened(inTurn({ type: 'item/started', item: textItem(0) }));
  const renamed = { ...summary(), title: 'Another' };
  state.commit([{ turnId: null, event: { type: 'session/changed', session: renamed } }]);
  expect(told.map(({ event }) => event.type)).toEqual(['item/started', 'session/changed']);
  expect(told.map(({ seq }) => seq)).toEqual([1, 2]);
});

test('a change that the disk refuses leaves no gap in the numbers of the events', async () => {
  diskIsFull = true;
  const renamed: Change = { turnId: null, event: { type: 'session/changed', session: summary() } };
  expect(() => state.commit([renamed])).toThrow('The disk is full.');
  // What happens by itself is told in any case, and stored once there is room.
  state.happened(inTurn({ type: 'item/started', item: textItem(0) }));
  await nextTask();
  diskIsFull = false;
  state.flush();
  expect(told.map(({ seq, event }) => [seq, event.type])).toEqual([[1, 'item/started']]);
  expect(storedItems()).toBe(1);
});

test('whoever follows in the middle of a task gets the state and every event after it, none twice (audit-S6)', () => {
  state.happened(inTurn({ type: 'item/started', item: textItem(0, { text: '' }) }));
  const late: SessionEvent[] = [];
  const { seq } = state.follow({
    publish: (_topic, _seq, event) => void late.push(event as SessionEvent),
    onClose: () => undefined,
  });
  let seen: SessionSnapshot = structuredClone(state.current());
  state.happened(inTurn({ type: 'item/delta', itemId: 'i0', text: 'more' }));
  state.settle();
  expect(late.map((event) => event.seq)).toEqual([seq + 1]);
  for (const event of late) seen = reduceSession(seen, event);
  expect(seen).toEqual(state.current());
});

test('a long session holds its newest items, all from the first open one on, and the store has the rest', () => {
  state.happened(inTurn({ type: 'item/started', item: toolItem(0, { completedAt: null }) }));
  for (let n = 1; n <= 2_000; n += 1) {
    state.happened(inTurn({ type: 'item/started', item: textItem(n) }));
    if (n % 100 === 0) state.settle();
  }
  expect(state.current().items.length).toBe(2_001);
  state.happened(inTurn({ type: 'item/completed', itemId: 'i0', cut: false }));
  state.settle();
  const { items, hasOlder, turns } = state.current();
  expect([items.length, hasOlder, turns.length]).toEqual([600, true, 1]);
  expect(items.at(-1)?.id).toBe('i2000');
  expect(storedItems()).toBe(2_001);
  state.happened(inTurn({ type: 'item/started', item: textItem(2_001) }));
  state.settle();
  expect(state.current().items.length).toBe(601);
  expect(storedItems()).toBe(2_002);
});

test('what happens while the session is saved is told after what it follows (audit-S6)', async () => {
  state.happened(inTurn({ type: 'item/started', item: textItem(0) }));
  whileSaving = () => state.emit({ turnId: null, event: { type: 'files/changed', files: [] } });
  await nextTask();
  await nextTask();
  expect(told.map(({ seq, event }) => [seq, event.type])).toEqual([
    [1, 'item/started'],
    [2, 'files/changed'],
  ]);
  expect(storedAsTold).toEqual([1, 1]);
});
