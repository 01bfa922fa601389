import { describe, expect, it } from 'vitest';
import type { SessionEvent, TurnEvent } from './events.ts';
import type { Item, SessionSnapshot, ToolItem, Turn } from './model.ts';
import { reduceHost, reduceSession } from './reducer.ts';

const turn: Turn = {
  id: 't1',
  status: 'queued',
  text: 'Hi',
  profileId: 'p',
  model: null,
  phase: null,
  phaseSince: null,
  queuedAt: 1,
  startedAt: null,
  endedAt: null,
  closed: false,
  iterations: 0,
  usage: [],
};
const empty: SessionSnapshot = {
  session: {
    id: 's',
    title: 'T',
    workspace: '/w',
    profileId: 'p',
    model: null,
    pinned: false,
    status: 'idle',
    createdAt: 1,
    updatedAt: 1,
  },
  turns: [],
  items: [],
  hasOlder: false,
  context: null,
};
const base = { turnId: 't1', startedAt: 1, completedAt: null, cut: false };
const textItem: Item = { ...base, id: 'i1', index: 0, kind: 'text', text: '' };
const toolItem: ToolItem = {
  ...base,
  id: 'i2',
  index: 1,
  kind: 'tool',
  callId: 'c',
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
};

function play(...events: TurnEvent[]): SessionSnapshot {
  return events.reduce<SessionSnapshot>((state, event, index) => {
    const stamped: SessionEvent = { seq: index + 1, sessionId: 's', turnId: 't1', at: 100 + index, event };
    return reduceSession(state, stamped);
  }, empty);
}

describe('the session reducer', () => {
  it('grows an item by its deltas and closes it', () => {
    const state = play(
      { type: 'turn/queued', turn },
      { type: 'turn/started', profileId: 'p' },
      { type: 'item/started', item: textItem },
      { type: 'item/delta', itemId: 'i1', text: 'Hel' },
      { type: 'item/delta', itemId: 'i1', text: 'lo' },
      { type: 'item/completed', itemId: 'i1', cut: false },
      { type: 'turn/finished' },
      { type: 'turn/closed' },
    );
    expect(state.items[0]).toMatchObject({ text: 'Hello', completedAt: 105, cut: false });
    expect(state.turns[0]).toMatchObject({ status: 'finished', phase: null, endedAt: 106, closed: true });
  });

  it('counts how long a turn waited for answers of the person, also one that never came (audit-U4)', () => {
    const begun: TurnEvent[] = [
      { type: 'turn/queued', turn },
      { type: 'turn/started', profileId: 'p' },
      { type: 'turn/phase', phase: 'approval' },
      { type: 'turn/phase', phase: 'approval' },
      { type: 'turn/phase', phase: 'tool' },
    ];
    expect(play(...begun).turns[0]).toMatchObject({ phase: 'tool', askedMs: 2 });
    const again = play(...begun, { type: 'turn/phase', phase: 'approval' }, { type: 'turn/stopped' });
    expect(again.turns[0]).toMatchObject({ status: 'stopped', askedMs: 3 });
    expect(play(...begun.slice(0, 2), { type: 'turn/finished' }).turns[0]).not.toHaveProperty('askedMs');
  });

  it('keeps what a turn said as it opened, and a second opening changes nothing', () => {
    const scope = { change: true, run: false, steps: [{ act: 'change' as const, what: 'total.txt' }] };
    const state = play(
      { type: 'turn/queued', turn },
      { type: 'turn/started', profileId: 'p' },
      { type: 'turn/scoped', scope },
      { type: 'turn/scoped', scope: { change: true, run: true, steps: [] } },
      { type: 'turn/finished' },
      { type: 'turn/closed' },
    );
    expect(state.turns[0]).toMatchObject({ scope, closed: true });
    expect(play({ type: 'turn/queued', turn }).turns[0]).not.toHaveProperty('scope');
  });

  it('leaves nothing open in a turn that is over', () => {
    const state = play(
      { type: 'turn/queued', turn },
      { type: 'turn/started', profileId: 'p' },
      { type: 'item/started', item: textItem },
      { type: 'item/started', item: { ...toolItem, turnId: turn.id } },
      { type: 'turn/stopped' },
    );
    expect(state.items[0]).toMatchObject({ completedAt: 104, cut: true });
    expect(state.items[1]).toMatchObject({ completedAt: 104, cut: true, state: 'interrupted' });
  });

  it('takes a tool through approval to its end', () => {
    const approval = {
      id: 'a',
      tool: 'echo',
      risk: 'write' as const,
      summary: '',
      mutates: '',
      why: '',
      where: '',
      sandboxed: false,
      scopes: ['once' as const],
      requestedAt: 1,
    };
    const state = play(
      { type: 'item/started', item: toolItem },
      { type: 'approval/requested', itemId: 'i2', approval, preview: null },
      { type: 'approval/resolved', itemId: 'i2', decision: 'allow' },
      { type: 'tool/started', itemId: 'i2', sandboxed: false },
      { type: 'tool/output', itemId: 'i2', text: 'out' },
      { type: 'tool/finished', itemId: 'i2', state: 'done', result: 'ok', display: null, runMs: 3 },
    );
    expect(state.items[0]).toMatchObject({
      state: 'done',
      decision: 'allow',
      output: 'out',
      result: 'ok',
      runMs: 3,
    });
  });

  it('gives the switch card the counters of the first request with the new head, and only those', () => {
    const usage = {
      requestId: 'r',
      iteration: 2,
      model: 'm',
      profileId: 'q',
      promptTokens: 50,
      cachedTokens: 8,
      evaluatedTokens: 42,
      outputTokens: 1,
      promptMs: 1,
      outputMs: 1,
      loadMs: 1,
      waitedMs: 1,
    };
    const side = { profileId: 'p', name: 'P', model: 'm' };
    const state = play(
      { type: 'turn/queued', turn },
      {
        type: 'item/started',
        item: {
          ...base,
          id: 'i3',
          index: 0,
          kind: 'switch',
          from: side,
          to: { ...side, profileId: 'q' },
          usage: null,
        },
      },
      { type: 'usage/measured', usage },
      { type: 'usage/measured', usage: { ...usage, requestId: 'r2', evaluatedTokens: 5 } },
    );
    expect(state.items[0]).toMatchObject({ usage: { promptTokens: 50, evaluatedTokens: 42 } });
    expect(state.turns[0]?.usage).toHaveLength(2);
  });

  it('ignores events about things it does not know', () => {
    expect(play({ type: 'item/delta', itemId: 'x', text: '?' }, { type: 'turn/finished' })).toEqual(empty);
  });

  it('never changes the state that it was given', () => {
    const frozen = Object.freeze({ ...empty, items: Object.freeze([Object.freeze(textItem)]) as Item[] });
    const event: SessionEvent = {
      seq: 1,
      sessionId: 's',
      turnId: 't1',
      at: 1,
      event: { type: 'item/delta', itemId: 'i1', text: 'x' },
    };
    expect(reduceSession(frozen, event).items[0]).toMatchObject({ text: 'x' });
    expect(frozen.items[0]).toMatchObject({ text: '' });
  });
});

describe('the host reducer', () => {
  it('puts a changed session first and forgets a removed one', () => {
    const other = { ...empty.session, id: 's2' };
    const state = { sessions: [other, empty.session], profiles: [], problems: [] };
    const changed = reduceHost(state, {
      type: 'session/upserted',
      session: { ...empty.session, title: 'New' },
    });
    expect(changed.sessions.map((session) => session.title)).toEqual(['New', 'T']);
    expect(reduceHost(changed, { type: 'session/removed', sessionId: 's2' }).sessions).toHaveLength(1);
  });
});

it('a closed turn does nothing any more, whatever its workers did last (Q17)', () => {
  const state = play(
    { type: 'turn/queued', turn },
    { type: 'turn/started', profileId: 'p' },
    { type: 'turn/finished' },
    { type: 'turn/phase', phase: 'compacting' },
    { type: 'turn/closed' },
  );
  expect(state.turns[0]).toMatchObject({ status: 'finished', closed: true, phase: null, phaseSince: null });
});

it('a plan that is being written when the process ends keeps its lines and is closed as cut (audit-A12)', () => {
  const plan = {
    ...base,
    id: 'p',
    index: 0,
    kind: 'plan' as const,
    text: '',
    analysis: '',
    review: null,
    steps: [],
  };
  const events: TurnEvent[] = [
    { type: 'item/started', item: plan },
    { type: 'item/delta', itemId: 'p', text: '1. Look\n' },
    { type: 'turn/interrupted' },
  ];
  const state = play(...events);
  expect(state.items).toMatchObject([{ text: '1. Look\n', steps: [], cut: true }]);
  expect(state.items[0]?.completedAt).not.toBeNull();
});
