import { describe, expect, it } from 'vitest';
import { aPlanStep, anAgent, anApproval, anItem, aTurn, aUsage, inOrder } from '../../testing/fixtures.ts';
import type { Item } from '../../../protocol/model.ts';
import { RowBuilder } from './build-rows.ts';
import type { Row } from './rows.ts';

const finished = aTurn({ status: 'finished', phase: null, endedAt: 1 });
const build = (
  items: Item[],
  {
    turns = [finished],
    expanded = {},
  }: { turns?: ReturnType<typeof aTurn>[]; expanded?: Record<string, boolean> } = {},
): Row[] => new RowBuilder().build({ turns, items }, null, expanded);
const shape = (rows: Row[]) =>
  rows.map((row) => [row.kind, row.inside ?? '', row.joins ?? ''].join(' ').trim());

const card = (over = {}) => anItem('tool', { callId: 'c1', tool: 'spawn_agent', agent: anAgent(over) });
const inside = { parentCallId: 'c1' };

describe('what a subagent does', () => {
  const log = [
    anItem('tool'),
    card(),
    anItem('thinking', inside),
    anItem('tool', { ...inside, callId: 'c2' }),
    anItem('text', inside),
    anItem('tool', { callId: 'c3' }),
  ];

  it('stands in rows of its own below its card, in one border with the calls around it', () => {
    expect(shape(build(inOrder(anItem('user'), ...log)))).toEqual([
      'user',
      'tools  below',
      'agent  both',
      'tools c1 both',
      'text c1 both',
      'tools  above',
      'foot',
    ]);
  });

  it('is followed by the thoughts of the agent in the same run of calls', () => {
    const rows = build(
      inOrder(card(), anItem('thinking'), anItem('tool', { callId: 'c3' }), anItem('text')),
      {
        expanded: { 'work:t1': true },
      },
    );
    expect(shape(rows)).toEqual(['work', 'agent  below', 'tools  above', 'text', 'foot']);
  });

  it('keeps to its card when the agent itself goes on in between', () => {
    const rows = build(inOrder(card(), anItem('tool', { callId: 'c3' }), anItem('text', inside)));
    expect(shape(rows).slice(0, 3)).toEqual(['agent  below', 'text c1 both', 'tools  above']);
  });

  it('is folded away once it has ended, and opens again by hand', () => {
    const items = inOrder(card({ state: 'ended', stopReason: 'completed' }), anItem('text', inside));
    expect(shape(build(items)).slice(0, 2)).toEqual(['agent', 'foot']);
    expect(shape(build(items, { expanded: { i0: true } }))[1]).toBe('text c1 above');
  });

  it('asks in sight, although its card is folded', () => {
    const asking = anItem('tool', { ...inside, state: 'awaiting_approval', approval: anApproval() });
    const items = inOrder(card(), anItem('text', inside), asking);
    const rows = build(items, { turns: [aTurn({ phase: 'approval' })], expanded: { i0: false } });
    expect(shape(rows)).toEqual(['agent', 'approval']);
    expect(rows[1]).toMatchObject({ asker: 'explorer' });
  });

  it('is still told apart when its card is on an older page', () => {
    expect(shape(build(inOrder(anItem('text', inside))))[0]).toBe('text c1');
  });

  it('does not explain how the turn itself ended', () => {
    const failed = aTurn({ status: 'failed', phase: null, endedAt: 1 });
    const rows = build(inOrder(anItem('user'), card(), anItem('error', inside)), { turns: [failed] });
    expect(shape(rows)).toContain('outcome');
  });

  it('leaves the rows around it the same objects while it grows', () => {
    const builder = new RowBuilder();
    const turns = [aTurn({ usage: [aUsage()] })];
    const items = inOrder(
      anItem('user'),
      card(),
      anItem('text', { ...inside, completedAt: null, text: 'One' }),
    );
    const before = builder.build({ turns, items }, null);
    const grown = items.with(2, anItem('text', { ...inside, id: 'i2', completedAt: null, text: 'One two' }));
    const after = builder.build({ turns, items: grown }, null);
    expect(after.map((row, at) => row === before[at])).toEqual([true, true, false]);
  });
});

describe('a plan', () => {
  it('reads how far its steps are from the todo list', () => {
    const steps = [aPlanStep({ id: 'a' }), aPlanStep({ id: 'b' })];
    const done = aPlanStep({ id: 'a', status: 'done' });
    const rows = new RowBuilder().build(
      { turns: [aTurn()], items: [anItem('plan', { steps })], todo: { steps: [done] } },
      null,
    );
    expect(rows[0]).toMatchObject({ kind: 'plan', now: [done, null], stage: 'works' });
  });

  it('shows which phase of it runs, whatever the request does', () => {
    const rows = build([anItem('user')], { turns: [aTurn({ phase: 'text', planning: 3 })] });
    expect(shape(rows)).toEqual(['user', 'progress']);
  });
});

describe('an earlier version', () => {
  const turns = [
    aTurn({ id: 'a', status: 'finished', phase: null, replaced: true }),
    aTurn({ id: 'b', status: 'finished', phase: null, replaced: true }),
    { ...finished, id: 'c' },
  ];
  const items = inOrder(
    anItem('user', { turnId: 'a' }),
    anItem('user', { turnId: 'b' }),
    anItem('text', { turnId: 'b' }),
    anItem('user', { turnId: 'c' }),
  );

  it('is one line', () => {
    const rows = build(items, { turns });
    expect(shape(rows)).toEqual(['earlier', 'user', 'foot']);
    expect(rows[0]).toMatchObject({ messages: 2 });
  });

  it('that can be chosen again is no line, until a search opens it (audit-U9)', () => {
    const hidden = turns.map((turn) => (turn.replaced ? { ...turn, switchable: true as const } : turn));
    expect(shape(build(items, { turns: hidden }))).toEqual(['user', 'foot']);
    const opened = build(items, { turns: hidden, expanded: { 'earlier:a': true } });
    expect(shape(opened)).toEqual(['earlier', 'user', 'user', 'text', 'user', 'foot']);
  });

  it('opens dimmed, and nothing in it can be asked for again', () => {
    const rows = build(items, { turns, expanded: { 'earlier:a': true } });
    expect(rows.map((row) => [row.kind, row.dim === true])).toEqual([
      ['earlier', false],
      ['user', true],
      ['user', true],
      ['text', true],
      ['user', false],
      ['foot', false],
    ]);
    expect(rows.map((row) => row.kind === 'user' && row.editable)).toEqual([
      false,
      false,
      false,
      false,
      true,
      false,
    ]);
  });
});

it('only the newest summary that still counts can be undone', () => {
  const summaries = [anItem('summary'), anItem('summary'), anItem('summary', { undone: true })];
  const rows = build(inOrder(...summaries));
  expect(rows.flatMap((row) => (row.kind === 'summary' ? [row.undoable] : []))).toEqual([false, true, false]);
});
