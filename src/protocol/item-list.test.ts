import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { threadMs } from '../../test/helpers/thread-time.ts';
import type { SessionEvent, TurnEvent } from './events.ts';
import type { Item, ItemOf, SessionSnapshot, ToolItem, Turn } from './model.ts';
import { itemList, reduceSession } from './reducer.ts';

const turns = ['t1', 't2'].map((id): Turn => ({
  id,
  status: 'running',
  text: 'Go',
  profileId: 'p',
  model: 'm',
  phase: null,
  phaseSince: null,
  queuedAt: 1,
  startedAt: 1,
  endedAt: null,
  closed: false,
  iterations: 0,
  usage: [],
}));
const session: SessionSnapshot['session'] = {
  id: 's',
  title: 'T',
  workspace: '/w',
  profileId: 'p',
  model: null,
  pinned: false,
  status: 'idle',
  createdAt: 1,
  updatedAt: 1,
};
const stateWith = (items: Item[]): SessionSnapshot => ({
  session,
  turns,
  items,
  hasOlder: false,
  context: null,
});

const base = (n: number, turnId: string) => ({
  id: `i${String(n)}`,
  turnId,
  index: n,
  startedAt: 1,
  completedAt: null,
  cut: false,
});
const textItem = (n: number, turnId = 't1'): Item => ({ ...base(n, turnId), kind: 'text', text: '' });
const toolItem = (n: number, turnId = 't1'): ToolItem => ({
  ...base(n, turnId),
  kind: 'tool',
  callId: `c${String(n)}`,
  tool: 'echo',
  args: {},
  subject: '',
  repairs: [],
  state: 'streaming',
  output: '',
  result: '',
  display: null,
  sandboxed: null,
  approval: null,
  decision: null,
  runMs: null,
});
const profile = { profileId: 'p', name: 'P', model: 'm' };
const switchItem = (n: number, turnId = 't1'): ItemOf<'switch'> => ({
  ...base(n, turnId),
  completedAt: 1,
  kind: 'switch',
  from: profile,
  to: profile,
  usage: null,
});

const usage: Extract<TurnEvent, { type: 'usage/measured' }>['usage'] = {
  requestId: 'r',
  iteration: 1,
  model: 'm',
  profileId: 'p',
  promptTokens: 10,
  cachedTokens: 4,
  evaluatedTokens: 6,
  outputTokens: 2,
  promptMs: 1,
  outputMs: 1,
  loadMs: 0,
  waitedMs: 1,
};

const stamp = (seq: number, turnId: string, event: TurnEvent): SessionEvent => ({
  seq,
  sessionId: 's',
  turnId,
  at: 100 + seq,
  event,
});

/** The same rules, written for one array that is walked from end to end each time. */
function naively(items: readonly Item[], { turnId, at, event }: SessionEvent): Item[] {
  const tool = (id: string, change: (item: ToolItem) => Item): Item[] =>
    items.map((item) => (item.id === id && item.kind === 'tool' ? change(item) : item));
  if (event.type === 'item/started') return [...items, event.item];
  if (event.type === 'item/delta') {
    return items.map((item) =>
      item.id === event.itemId && 'text' in item ? { ...item, text: item.text + event.text } : item,
    );
  }
  if (event.type === 'item/completed') {
    return items.map((item) =>
      item.id === event.itemId ? { ...item, completedAt: at, cut: event.cut } : item,
    );
  }
  if (event.type === 'tool/output') {
    return tool(event.itemId, (item) => ({ ...item, output: item.output + event.text }));
  }
  if (event.type === 'tool/finished') {
    const { state, result, display, runMs } = event;
    return tool(event.itemId, (item) => ({ ...item, state, result, display, runMs, completedAt: at }));
  }
  if (event.type === 'usage/measured') {
    const counted = { promptTokens: event.usage.promptTokens, evaluatedTokens: event.usage.evaluatedTokens };
    return items.map((item) =>
      item.kind === 'switch' && item.usage === null && item.turnId === turnId
        ? { ...item, usage: counted }
        : item,
    );
  }
  return event.type === 'turn/stopped'
    ? items.map((item) => (item.turnId === turnId ? closed(item, at) : item))
    : [...items];
}

function closed(item: Item, at: number): Item {
  if (item.completedAt !== null) return item;
  const ended = { ...item, completedAt: at, cut: true };
  return ended.kind === 'tool' ? { ...ended, state: 'interrupted' } : ended;
}

type Step = { turnId: string; pick: number; what: number };
const steps = fc.array(fc.record({ turnId: fc.constantFrom('t1', 't2'), pick: fc.nat(), what: fc.nat(11) }), {
  minLength: 1,
  maxLength: 700,
});

function eventOf({ turnId, pick, what }: Step, count: number): TurnEvent {
  const itemId = `i${String(count === 0 ? 0 : pick % count)}`;
  const more: TurnEvent[] = [
    { type: 'item/delta', itemId, text: 'x' },
    { type: 'item/completed', itemId, cut: pick % 2 === 0 },
    { type: 'tool/output', itemId, text: 'y' },
    { type: 'tool/finished', itemId, state: 'done', result: 'z', display: null, runMs: 1 },
    { type: 'usage/measured', usage },
    { type: 'item/delta', itemId: 'unknown', text: 'x' },
  ];
  if (what === 11 && pick % 9 === 0) return { type: 'turn/stopped' };
  const kinds = [textItem, toolItem, switchItem];
  const make = kinds[pick % kinds.length] ?? textItem;
  return more[what] ?? { type: 'item/started', item: make(count, turnId) };
}

test('items reduced over an index equal those of a naive reducer, whatever the events (audit-S6)', () => {
  fc.assert(
    fc.property(steps, fc.nat(300), (list, held) => {
      let state = stateWith(Array.from({ length: held }, (_, n) => textItem(n)));
      let items: readonly Item[] = state.items;
      let seq = 0;
      for (const step of list) {
        seq += 1;
        const event = stamp(seq, step.turnId, eventOf(step, items.length));
        state = reduceSession(state, event);
        items = naively(items, event);
      }
      expect(state.items).toEqual(items);
    }),
  );
});

/** Every state on the way. */
function play(from: SessionSnapshot, list: readonly Step[]): SessionSnapshot[] {
  const states = [from];
  for (const [seq, step] of list.entries()) {
    const before = states.at(-1) ?? from;
    states.push(reduceSession(before, stamp(seq, step.turnId, eventOf(step, itemList(before).length))));
  }
  return states;
}

test('an older state that is reduced again is as it was, and so is the newer one (audit-S6)', () => {
  fc.assert(
    fc.property(steps, steps, fc.nat(), (first, second, at) => {
      const states = play(stateWith([]), first);
      const older = states[at % states.length] ?? stateWith([]);
      const newest = states.at(-1) ?? stateWith([]);
      const [olderCopy, newestCopy] = [structuredClone(older), structuredClone(newest)];
      const branch = play(older, second);
      expect(branch.at(-1)).toEqual(play(olderCopy, second).at(-1));
      expect(older).toEqual(olderCopy);
      // The newest goes on as if nothing had been done with an older one.
      expect(play(newest, second).at(-1)).toEqual(play(newestCopy, second).at(-1));
    }),
    { numRuns: 60 },
  );
});

test('a state travels as plain data: copied, cloned and as JSON', () => {
  const state = reduceSession(stateWith([]), stamp(1, 't1', { type: 'item/started', item: textItem(0) }));
  expect(structuredClone(state).items).toEqual([textItem(0)]);
  expect(JSON.parse(JSON.stringify(state))).toEqual(stateWith([textItem(0)]));
  expect({ ...state }).toEqual(stateWith([textItem(0)]));
  const without = { ...state, items: [] };
  expect(reduceSession(without, stamp(2, 't1', { type: 'turn/phase', phase: 'text' })).items).toEqual([]);
});

test('an event changes the one item that it is about, and every other keeps its identity', () => {
  const items = Array.from({ length: 1_000 }, (_, n) => textItem(n));
  const before = reduceSession(stateWith(items), stamp(1, 't1', { type: 'turn/phase', phase: 'text' }));
  expect(before.items).toBe(
    reduceSession(before, stamp(2, 't1', { type: 'turn/phase', phase: 'call' })).items,
  );
  const after = reduceSession(before, stamp(2, 't1', { type: 'item/delta', itemId: 'i500', text: 'x' }));
  const changed = after.items.filter((item, at) => item !== before.items[at]);
  expect(changed).toEqual([{ ...textItem(500), text: 'x' }]);
  expect([...itemList(after).changedSince(itemList(before))]).toEqual(changed);
});

/** Rounds of 4,000 events on a turn of `calls` calls, each going on from the list that the one before left. */
function rounds(calls: number): () => void {
  let state = stateWith(Array.from({ length: calls }, (_, n) => toolItem(n)));
  let seq = 0;
  const tell = (event: TurnEvent): void => {
    state = reduceSession(state, stamp((seq += 1), 't1', event));
  };
  return () => {
    for (let n = 0; n < 1_000; n += 1) {
      const itemId = `i${String((seq * 7) % calls)}`;
      tell({ type: 'item/started', item: toolItem(calls + seq) });
      tell({ type: 'tool/started', itemId, sandboxed: null });
      tell({ type: 'tool/output', itemId, text: 'x' });
      tell({ type: 'tool/finished', itemId, state: 'done', result: '', display: null, runMs: 1 });
    }
    expect(itemList(state).length).toBe(calls + seq / 4);
  };
}

function costMs(round: () => void): number {
  const begun = threadMs();
  round();
  return threadMs() - begun;
}

test('an event on a turn of 40,000 calls costs as much as on one of 2,500 (audit-S6)', () => {
  const [few, many] = [rounds(2_500), rounds(40_000)];
  // In turns: what slows the machine meanwhile slows both.
  const costs = Array.from({ length: 4 }, () => [few, many].map((round) => costMs(round)));
  const [fewMs = 0, manyMs = Infinity] = [0, 1].map((at) => Math.min(...costs.map((cost) => cost[at] ?? 0)));
  // Sixteen times as long where each event goes through the whole list. The floor is the grain of the clock.
  expect(manyMs / Math.max(fewMs, 4)).toBeLessThan(6);
});
