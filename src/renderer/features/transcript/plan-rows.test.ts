import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Item, PlanStep, Turn } from '../../../protocol/model.ts';
import { aPlanStep, anAgent, anApproval, anItem, aTurn, inOrder } from '../../testing/fixtures.ts';
import { RowBuilder, type Expanded } from './build-rows.ts';
import { stepKey } from './plan-rows.ts';
import type { Row } from './rows.ts';

const running = aTurn({ phase: 'tool' });
const three = (statuses: PlanStep['status'][] = ['done', 'in_progress', 'pending']): PlanStep[] =>
  statuses.map((status, at) => aPlanStep({ id: `p${String(at)}`, text: `Step ${String(at + 1)}`, status }));
const mark = (subject: string): Item => anItem('tool', { tool: 'todo', subject });
const call = (subject: string, state: 'done' | 'failed' | 'running' = 'done'): Item =>
  anItem('tool', { subject, state, completedAt: state === 'running' ? null : 2 });
const asking = anItem('tool', { state: 'awaiting_approval', approval: anApproval(), completedAt: null });

function build(items: Item[], steps = three(), expanded: Expanded = {}, turn: Turn = running): Row[] {
  return new RowBuilder().build({ turns: [turn], items: inOrder(...items), todo: { steps } }, null, expanded);
}

/** Steps by their numbers, work by what it was on. */
const told = (rows: readonly Row[]): string[] =>
  rows.map((row) => {
    if (row.kind === 'plan' || row.kind === 'steps')
      return row.from === undefined ? row.kind : `${row.kind} ${String(row.from + 1)}-${String(row.to)}`;
    if (row.kind === 'tools')
      return row.entries.map((entry) => (entry.kind === 'tool' ? entry.subject : entry.kind)).join(' ');
    return row.kind;
  });

const planned = (...items: Item[]): Item[] => [
  anItem('user'),
  call('before'),
  anItem('plan', { steps: three() }),
  ...items,
];

describe('the work of a turn with a plan', () => {
  it('stands under its step: open where that is worked on, behind its line where that is done', () => {
    const rows = build(planned(call('a'), mark('done 1'), call('b'), call('c', 'running')));
    expect(told(rows)).toEqual(['user', 'before', 'plan 1-2', 'b c', 'plan 3-3']);
    expect(rows[2]).toMatchObject({ calls: [1, 2, 0], folds: [true, false, false] });
  });

  it('is opened and closed at its step', () => {
    const items = planned(call('a'), mark('done 1'), call('b'));
    const opened = build(items, three(), { [stepKey('t1', 0)]: true });
    expect(told(opened).slice(2)).toEqual(['plan 1-1', 'a', 'plan 2-2', 'b', 'plan 3-3']);
    expect(told(build(items, three(), { [stepKey('t1', 1)]: false }))).toEqual([
      'user',
      'before',
      'plan 1-3',
    ]);
  });

  it('stands in one border with its list', () => {
    const rows = build(planned(call('a'), mark('done 1'), call('b')));
    expect(rows.map(({ joins }) => joins)).toEqual([undefined, undefined, 'below', 'both', 'above']);
  });

  it('says on the line of its step what failed behind it', () => {
    const rows = build(planned(call('a', 'failed'), call('b'), mark('done 1'), call('c')));
    expect(rows[2]).toMatchObject({ calls: [2, 1, 0], failed: [1, 0, 0] });
  });

  it('never hides a call that still runs', () => {
    const rows = build(planned(call('a', 'running')), three(), { [stepKey('t1', 1)]: false });
    expect(told(rows)).toContain('a');
  });

  it('is closed with its plan while a question is open, which stays in view', () => {
    const asks = aTurn({ phase: 'approval' });
    const items = planned(call('a'), mark('done 1'), call('b'), asking);
    expect(told(build(items, three(), {}, asks))).toEqual(['user', 'before', 'plan 1-3', 'approval']);
    const open = build(items, three(), { i2: true }, asks);
    expect(told(open)).toEqual(['user', 'before', 'plan 1-2', 'b', 'plan 3-3', 'approval']);
  });

  it('lets the agent speak below the list, and takes that into the step when it works on', () => {
    const items = planned(call('a'), mark('done 1'), call('b'), anItem('text'));
    expect(told(build(items)).slice(2)).toEqual(['plan 1-2', 'b', 'plan 3-3', 'text']);
    const later = build([...items, call('c')]);
    expect(told(later).slice(2)).toEqual(['plan 1-2', 'b', 'text', 'c', 'plan 3-3']);
  });

  it('folds with its plan into one line when the last step is to speak', () => {
    const items = planned(call('a'), mark('done 1'), call('b'), mark('done 2'), anItem('text'));
    expect(told(build(items, three(['done', 'done', 'pending'])))).toEqual(['user', 'work', 'text']);
  });

  it('keeps a subagent and what it did together', () => {
    const agent = anItem('tool', { callId: 'c1', tool: 'spawn_agent', agent: anAgent(), completedAt: null });
    const inner = { ...call('inner'), parentCallId: 'c1' };
    const rows = build(planned(call('a'), mark('done 1'), agent, inner));
    expect(told(rows).slice(2)).toEqual(['plan 1-2', 'agent', 'inner', 'plan 3-3']);
    expect(rows[2]).toMatchObject({ calls: [1, 1, 0] });
  });

  it('stays as it was without a list of steps, and when the turn is over', () => {
    const items = [anItem('user'), call('a'), call('b')];
    expect(told(build(items, []))).toEqual(['user', 'a b']);
    const over = aTurn({ status: 'finished', phase: null, endedAt: 9 });
    expect(told(build(planned(call('a')), three(), {}, over)).slice(1, 4)).toEqual(['before', 'plan', 'a']);
  });

  it('stands under a list that has no plan from where that was made', () => {
    const items = [anItem('user'), call('a'), mark('set'), call('b'), mark('done 1'), call('c')];
    expect(told(build(items))).toEqual(['user', 'a', 'steps 1-2', 'c', 'steps 3-3']);
  });
});

/** Whatever happens in a turn, in any order. */
const happenings = fc.array(
  fc.oneof(
    fc.constantFrom(
      ...['start', 'done', 'fail'].flatMap((act) => [1, 2, 3].map((at) => `${act} ${String(at)}`)),
    ),
    fc.constantFrom('call', 'failed', 'running', 'asking', 'text', 'error', 'thinking', 'agent', 'set'),
  ),
  { maxLength: 14 },
);
const statuses = fc.array(fc.constantFrom('pending', 'in_progress', 'done', 'failed', 'skipped' as const), {
  minLength: 3,
  maxLength: 3,
});

function happened(name: string, at: number): Item[] {
  switch (name) {
    case 'call':
    case 'failed':
    case 'running':
      return [call(`call ${String(at)}`, name === 'call' ? 'done' : name)];
    case 'asking':
      return [asking];
    case 'text':
    case 'thinking':
    case 'error':
      return [anItem(name)];
    case 'agent': {
      const callId = `c${String(at)}`;
      const agent = anItem('tool', { callId, tool: 'spawn_agent', agent: anAgent(), completedAt: null });
      return [agent, { ...call('inner'), parentCallId: callId }, { ...asking, parentCallId: callId }];
    }
    default:
      return [mark(name)];
  }
}

/** Ids of items that are drawn, in their order on screen. */
const drawn = (rows: readonly Row[]): string[] =>
  rows.flatMap((row) => {
    if (row.kind === 'tools') return row.entries.map(({ id }) => id);
    if (row.kind === 'text') return [row.key.split(':')[0] ?? ''];
    return 'item' in row && row.kind !== 'plan' ? [row.item.id] : [];
  });

const stories = fc.record({ names: happenings, statuses, hasPlan: fc.boolean() }).map((story) => {
  const items = story.names.flatMap(happened);
  const head = story.hasPlan ? [anItem('user'), anItem('plan', { steps: three() })] : [anItem('user')];
  return { items: inOrder(...head, ...items), steps: three(story.statuses) };
});
const everyStep = Object.fromEntries([0, 1, 2].map((at) => [stepKey('t1', at), true]));

describe('in every turn with a list of steps', () => {
  it('everything is shown once, and what belongs to one step in its order, when its steps are open', () => {
    fc.assert(
      fc.property(stories, ({ items, steps }) => {
        const rows = build(items, steps, { ...everyStep, i1: true, 'work:t1': true });
        const marks = new Set(
          items.filter((item) => item.kind === 'tool' && item.tool === 'todo').map(({ id }) => id),
        );
        const shown = items.filter(({ id, kind }) => !marks.has(id) && kind !== 'plan').map(({ id }) => id);
        expect(drawn(rows).toSorted()).toEqual(shown.toSorted());
        for (const own of Map.groupBy(rows, ({ step }) => step).values()) {
          const places = drawn(own).map((id) => Number(id.slice(1)));
          expect(places).toEqual(places.toSorted((a, b) => a - b));
        }
      }),
    );
  });

  it('a question, an error and a call that runs are in view whatever is closed', () => {
    fc.assert(
      fc.property(
        stories,
        fc.dictionary(fc.constantFrom(...Object.keys(everyStep), 'i1'), fc.boolean()),
        (story, closed) => {
          const rows = build(story.items, story.steps, closed);
          if (rows.some(({ kind }) => kind === 'work')) return;
          const loud = story.items.filter(
            (item) =>
              item.kind === 'error' ||
              (item.kind === 'tool' && item.state === 'awaiting_approval') ||
              (item.kind === 'tool' && item.state === 'running' && item.parentCallId === undefined),
          );
          expect(drawn(rows)).toEqual(expect.arrayContaining(loud.map(({ id }) => id)));
        },
      ),
    );
  });

  it('calls that failed behind the line of a step are counted on it', () => {
    fc.assert(
      fc.property(stories, ({ items, steps }) => {
        const rows = build(items, steps);
        const list = rows.find((row) => row.kind === 'plan' || row.kind === 'steps');
        if (!list || !('failed' in list) || !list.failed) return;
        const inView = new Set(drawn(rows));
        const failed = items.filter((item) => item.kind === 'tool' && item.state === 'failed');
        const behind = failed.filter(({ id }) => !inView.has(id)).length;
        const said = list.failed
          .filter((_, at) => list.opened?.[at] !== true)
          .reduce((sum, one) => sum + one, 0);
        expect(behind).toBeLessThanOrEqual(said);
      }),
    );
  });

  it('each of its steps is listed once, in order', () => {
    fc.assert(
      fc.property(stories, ({ items, steps }) => {
        const parts = build(items, steps).flatMap((row) =>
          (row.kind === 'plan' || row.kind === 'steps') && row.from !== undefined ? [row] : [],
        );
        const listed = parts.flatMap(({ from = 0, to = 0 }) =>
          Array.from({ length: to - from }, (_, at) => from + at),
        );
        expect(listed).toEqual(parts.length === 0 ? [] : [0, 1, 2]);
      }),
    );
  });
});
