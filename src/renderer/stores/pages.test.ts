import { describe, expect, it } from 'vitest';
import type { Item } from '../../protocol/model.ts';
import { anItem, aSession, aSnapshot, aTurn } from '../testing/fixtures.ts';
import { historyOf, newerBefore, olderBefore, pageSize, pastLimit, type Page } from './pages.ts';
import {
  addPage,
  applySessionEvents,
  applySessionSnapshot,
  createSessionStore,
  resetSession,
  type PagePlace,
} from './session-store.ts';

const at = (index: number): Item =>
  anItem('text', { id: `i${index}`, index, turnId: `t${Math.floor(index / 10)}` });
const range = (from: number, to: number): Item[] =>
  Array.from({ length: to - from }, (_, place) => at(from + place));
const page = (from: number, to: number): Page => ({
  items: range(from, to),
  turns: [...new Set(range(from, to).map(({ turnId }) => turnId))].map((id) =>
    aTurn({ id, status: 'finished' }),
  ),
  hasOlder: from > 0,
});

/** A session of 100,000 items of which the newest 300 are there. */
function longSession() {
  const store = createSessionStore();
  resetSession(store, 's1');
  applySessionSnapshot(store, aSnapshot({ items: range(99_700, 100_000), hasOlder: true }));
  const shown = () => {
    const { state, past } = store.getState();
    if (!state) throw new Error('No session.');
    return historyOf(state, past);
  };
  const span = (): [number | undefined, number | undefined] => [
    shown().items[0]?.index,
    shown().items.at(-1)?.index,
  ];
  const contiguous = (): boolean =>
    shown().items.every(({ index }, place) => index === (shown().items[0]?.index ?? 0) + place);
  /** As the commands ask for it. */
  const turn = (place: Exclude<PagePlace, 'elsewhere'>): void => {
    const { state, past } = store.getState();
    const before = place === 'older' ? olderBefore(shown()) : state && newerBefore(state, past);
    if (before !== null) addPage(store, place, page(Math.max(0, before - pageSize), before), before);
  };
  return { store, shown, span, contiguous, turn };
}

describe('a long session', () => {
  it('shows the newest items, then the pages before them as they are read, without a gap', () => {
    const { span, turn, contiguous, shown } = longSession();
    expect(span()).toEqual([99_700, 99_999]);
    turn('older');
    turn('older');
    expect(span()).toEqual([99_300, 99_999]);
    expect([contiguous(), shown().hasOlder, shown().hasNewer]).toEqual([true, true, false]);
    expect(shown().turns.map(({ id }) => id)).toContain('t9930');
  });

  it('lets go of what is far from what is read, and has it back on the way there', () => {
    const { span, turn, contiguous, shown } = longSession();
    for (let read = 0; read < 30; read++) turn('older');
    expect(shown().items).toHaveLength(pastLimit);
    expect([span(), shown().hasNewer, contiguous()]).toEqual([[93_700, 93_700 + pastLimit - 1], true, true]);
    for (let read = 0; read < 40 && shown().hasNewer; read++) turn('newer');
    expect([shown().hasNewer, span()[1], contiguous()]).toEqual([false, 99_999, true]);
    expect(shown().items.length).toBeLessThanOrEqual(pastLimit + 300);
    expect(shown().hasOlder).toBe(true);
  });

  it('goes to its beginning and back to its end in one step', () => {
    const { store, span, shown, turn } = longSession();
    addPage(store, 'elsewhere', page(0, pageSize), pageSize);
    expect([span(), shown().hasOlder, shown().hasNewer]).toEqual([[0, pageSize - 1], false, true]);
    turn('newer');
    expect(span()).toEqual([0, 2 * pageSize - 1]);
    store.setState({ past: null });
    expect(span()).toEqual([99_700, 99_999]);
  });

  it('joins a page that reaches the newest items, and doubles none of them', () => {
    const { store, span, contiguous, shown } = longSession();
    addPage(store, 'elsewhere', page(99_650, 99_850), 99_850);
    expect([span(), contiguous(), shown().hasNewer]).toEqual([[99_650, 99_999], true, false]);
  });

  it('drops a page that no longer fits to what is shown', () => {
    const { store, span } = longSession();
    addPage(store, 'elsewhere', page(500, 700), 700);
    addPage(store, 'older', page(99_500, 99_700), 99_700);
    expect(span()).toEqual([500, 699]);
  });

  it('knows of a running turn what events said, not what its page said', () => {
    const { store, turn, shown } = longSession();
    store.setState(({ state }) => ({
      state: state && { ...state, turns: [aTurn({ id: 't9950', status: 'failed' })] },
    }));
    turn('older');
    expect(shown().turns.filter(({ id }) => id === 't9950')).toMatchObject([{ status: 'failed' }]);
  });
});

describe('a session that works all day', () => {
  it('keeps its newest items alive and moves what is over into the past, without a gap', () => {
    const { store, shown, contiguous } = longSession();
    for (let index = 100_000; index < 102_500; index++) {
      applySessionEvents(store, [
        {
          seq: index,
          sessionId: 's1',
          turnId: 't1',
          at: 1,
          event: { type: 'item/started', item: at(index) },
        },
      ]);
    }
    expect(store.getState().state?.items.length).toBeLessThanOrEqual(1200);
    expect(contiguous()).toBe(true);
    expect(shown().items.at(-1)?.index).toBe(102_499);
    expect(shown().items[0]?.index).toBe(99_700);
  });

  it('keeps an item that is still being written among the living', () => {
    const store = createSessionStore();
    resetSession(store, 's1');
    const open = anItem('tool', { id: 'open', index: 0, completedAt: null, state: 'running' });
    applySessionSnapshot(store, aSnapshot({ items: [open, ...range(1, 1300)] }));
    applySessionEvents(store, [
      {
        seq: 1,
        sessionId: 's1',
        turnId: 't1',
        at: 1,
        event: { type: 'tool/output', itemId: 'open', text: 'on' },
      },
    ]);
    expect(store.getState().state?.items[0]).toMatchObject({ id: 'open', output: 'on' });
  });
});

describe('a new snapshot', () => {
  it('leaves what was read where it is, also where it begins later', () => {
    const { store, turn, span, contiguous } = longSession();
    turn('older');
    applySessionSnapshot(store, aSnapshot({ items: range(99_900, 100_200), hasOlder: true }));
    expect([span(), contiguous()]).toEqual([[99_500, 100_199], true]);
  });

  it('that follows right after what was shown is joined to it', () => {
    const { store, turn, span, contiguous } = longSession();
    turn('older');
    applySessionSnapshot(store, aSnapshot({ items: range(100_000, 100_300), hasOlder: true }));
    expect([span(), contiguous()]).toEqual([[99_500, 100_299], true]);
  });

  it('that begins far behind what was shown hides no hole: what lies between can be read', () => {
    const { store, turn, span, contiguous, shown } = longSession();
    turn('older');
    applySessionSnapshot(store, aSnapshot({ items: range(100_500, 100_800), hasOlder: true }));
    expect([span(), shown().hasOlder]).toEqual([[100_500, 100_799], true]);
    turn('older');
    expect([span(), contiguous()]).toEqual([[100_300, 100_799], true]);
  });

  it('of another session begins without a past', () => {
    const { store, turn } = longSession();
    turn('older');
    applySessionSnapshot(store, aSnapshot({ session: aSession({ id: 's2' }), items: range(0, 3) }));
    expect(store.getState().past).toBeNull();
  });
});
