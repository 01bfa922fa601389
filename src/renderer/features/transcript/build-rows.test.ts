import { describe, expect, it } from 'vitest';
import type { ToolItem, Turn } from '../../../protocol/model.ts';
import { anApproval, anItem, aPlanStep, aTurn, aUsage, inOrder } from '../../testing/fixtures.ts';
import { RowBuilder } from './build-rows.ts';
import type { Row } from './rows.ts';

const kinds = (rows: Row[]): string[] => rows.map((row) => row.kind);
const textRow = (rows: Row[]) => rows.find((row) => row.kind === 'text');
const build = (state: Parameters<RowBuilder['build']>[0]) => new RowBuilder().build(state, null);

const todo = (state: ToolItem['state']): ToolItem => anItem('tool', { tool: 'todo', state });

describe('rows of the transcript', () => {
  it('put a run of calls, with the notes and thoughts between them, into one list', () => {
    const items = inOrder(
      anItem('user'),
      anItem('thinking'),
      anItem('tool'),
      anItem('thinking'),
      anItem('tool'),
      anItem('note'),
      anItem('text'),
      anItem('tool'),
    );
    const turn = aTurn({ status: 'finished', phase: null });
    const open = new RowBuilder().build({ turns: [turn], items }, null, { 'work:t1': true });
    expect(kinds(open)).toEqual(['user', 'work', 'thinking', 'tools', 'text', 'tools']);
    expect(open[3]).toMatchObject({ entries: [{ id: 'i2' }, { id: 'i3' }, { id: 'i4' }, { id: 'i5' }] });
  });

  it('leave out the calls that keep the list of steps, unless one of them failed (audit-U10)', () => {
    const items = inOrder(
      anItem('user'),
      todo('done'),
      anItem('tool'),
      todo('done'),
      anItem('tool'),
      todo('failed'),
      todo('declined'),
      todo('running'),
      todo('streaming'),
    );
    const rows = build({ turns: [aTurn({ phase: 'tool' })], items });
    expect(kinds(rows)).toEqual(['user', 'tools']);
    expect(rows[1]).toMatchObject({ entries: [{ id: 'i2' }, { id: 'i4' }, { id: 'i5' }, { id: 'i6' }] });
  });

  it('show a list of steps that no plan has, below the message, and none that one has (audit-U10)', () => {
    const steps = [aPlanStep({ id: 'a', status: 'done' }), aPlanStep({ id: 'b' })];
    const child = aPlanStep({ id: 'c', parentId: 'b' });
    const state = { turns: [aTurn({ phase: 'tool' })], todo: { steps: [...steps, child] } };
    const rows = build({ ...state, items: inOrder(anItem('user'), anItem('tool')) });
    expect(kinds(rows)).toEqual(['user', 'steps', 'tools']);
    expect(rows[1]).toMatchObject({ steps, inner: [child], stage: 'works' });
    const planned = inOrder(anItem('user'), anItem('plan', { steps }), anItem('tool'));
    expect(kinds(build({ ...state, items: planned }))).toEqual(['user', 'plan', 'tools']);
  });

  it('say that older turns are summarised, also behind the answer', () => {
    const turn = aTurn({ status: 'finished', phase: 'compacting' });
    const rows = build({ turns: [turn], items: inOrder(anItem('user'), anItem('text')) });
    expect(kinds(rows)).toEqual(['user', 'text', 'progress']);
  });

  it('tell the files of every ended turn in its foot, and list them below it where they were opened', () => {
    const display = { kind: 'diff' as const, path: 'a.ts', hunks: [], added: 1, removed: 0 };
    const items = inOrder(
      anItem('user'),
      anItem('tool', { display }),
      anItem('tool', { display, state: 'failed' }),
      anItem('user', { turnId: 't2' }),
      anItem('tool', { turnId: 't2', display }),
    );
    const ended = aTurn({ status: 'finished', phase: null, endedAt: 2, usage: [aUsage()] });
    const state = { turns: [ended, aTurn({ id: 't2', phase: null })], items };
    expect(kinds(build(state))).toEqual(['user', 'tools', 'foot', 'user', 'tools']);
    const rows = new RowBuilder().build(state, null, { 'changes:t1': true });
    expect(kinds(rows)).toEqual(['user', 'tools', 'foot', 'changes', 'user', 'tools']);
    expect(rows[3]).toMatchObject({ turnId: 't1', edits: [{ id: 'i1' }] });
  });

  it('let a question stand alone', () => {
    const asking = anItem('tool', { state: 'awaiting_approval', approval: anApproval() });
    const rows = build({ turns: [aTurn()], items: inOrder(anItem('user'), anItem('tool'), asking) });
    expect(kinds(rows)).toEqual(['user', 'tools', 'approval']);
  });

  it('begin each later turn with a line', () => {
    const items = inOrder(
      anItem('user'),
      anItem('text'),
      anItem('user', { turnId: 't2' }),
      anItem('text', { turnId: 't2' }),
    );
    const rows = build({
      turns: [aTurn({ status: 'finished' }), aTurn({ id: 't2', status: 'finished' })],
      items,
    });
    expect(rows.map((row) => row.newTurn)).toEqual([false, false, true, false]);
  });

  it('say what a turn does while nothing arrives, from its first moment', () => {
    expect(kinds(build({ turns: [aTurn({ phase: 'lease' })], items: [] }))).toEqual(['progress']);
    const items = inOrder(anItem('user'), anItem('tool'));
    expect(kinds(build({ turns: [aTurn({ phase: 'prefill' })], items }))).toEqual([
      'user',
      'tools',
      'progress',
    ]);
    expect(kinds(build({ turns: [aTurn({ phase: 'tool' })], items }))).toEqual(['user', 'tools']);
  });

  it('end a turn with what it cost, and with what stopped it where no item says so', () => {
    const usage = [aUsage()];
    const ended = (status: 'max_iterations' | 'failed' | 'interrupted', items = inOrder(anItem('user'))) =>
      kinds(build({ turns: [aTurn({ status, phase: null, endedAt: 9, usage })], items }));
    expect(ended('max_iterations')).toEqual(['user', 'outcome', 'foot']);
    expect(ended('interrupted')).toEqual(['user', 'outcome', 'foot']);
    expect(ended('failed')).toEqual(['user', 'outcome', 'foot']);
    expect(ended('failed', inOrder(anItem('user'), anItem('error')))).toEqual(['user', 'error', 'foot']);
    expect(ended('interrupted', inOrder(anItem('user'), anItem('error')))).toEqual(['user', 'error', 'foot']);
  });

  it('a cut answer is told once, by the row that offers to continue it (audit-A3)', () => {
    const items = inOrder(anItem('user'), anItem('text', { text: 'Half', cut: true }));
    const rows = build({ turns: [aTurn({ status: 'finished', phase: null, cut: true })], items });
    expect(kinds(rows).slice(0, 3)).toEqual(['user', 'text', 'outcome']);
    expect(textRow(rows)).toMatchObject({ cutOff: false });
    expect(rows[2]).toMatchObject({ last: true });
  });

  it('count what a stopped turn did', () => {
    const diff = { kind: 'diff' as const, path: 'a.ts', hunks: [], added: 1, removed: 0 };
    const command = { kind: 'command' as const, command: 'ls', exitCode: 0, signal: null };
    const rows = build({
      turns: [aTurn({ status: 'stopped', phase: null })],
      items: inOrder(
        anItem('tool', { display: diff }),
        anItem('tool', { display: diff }),
        anItem('tool', { display: { ...diff, path: 'b.ts' }, state: 'failed' }),
        anItem('tool', { display: command }),
        anItem('stopped'),
      ),
    });
    expect(rows.at(-1)).toMatchObject({ kind: 'stopped', ran: { files: 1, commands: 1 }, last: true });
  });

  it('leave the way back of a stopped turn to the card of its stop, while that offers one', () => {
    const display = { kind: 'diff' as const, path: 'a.ts', hunks: [], added: 1, removed: 0 };
    const stopped = aTurn({ status: 'stopped', phase: null, endedAt: 9 });
    const items = inOrder(anItem('tool', { display }), anItem('stopped'));
    const changes = (turns: Turn[]) =>
      new RowBuilder()
        .build({ turns, items }, null, { 'changes:t1': true })
        .find(({ kind }) => kind === 'changes');
    expect(changes([stopped])).toMatchObject({ offered: true });
    expect(changes([stopped, aTurn({ id: 't2' })])).toMatchObject({ offered: false });
  });

  it('show a message that is on its way, unless a turn runs: then it is in the queue', () => {
    const sending = {
      id: 'turn_9',
      sessionId: 's1',
      text: 'Hi',
      since: 0,
      turnId: null,
      stopRequested: false,
    };
    expect(kinds(new RowBuilder().build({ turns: [], items: [] }, sending))).toEqual(['sending']);
    const busy = { turns: [aTurn({ phase: 'text' })], items: inOrder(anItem('user')) };
    expect(kinds(new RowBuilder().build(busy, sending))).toEqual(['user']);
  });

  it('show another version in the place of the turn that it replaces, and of all after it', () => {
    const ended = { status: 'finished', phase: null } as const;
    const turns = [aTurn(ended), aTurn({ ...ended, id: 't2' }), aTurn({ ...ended, id: 't3' })];
    const items = inOrder(...turns.map(({ id: turnId }) => anItem('user', { turnId })));
    const sending = {
      id: 'turn_9',
      sessionId: 's1',
      text: 'Hi',
      replaces: 't2',
      since: 0,
      turnId: null,
      stopRequested: false,
    };
    expect(kinds(new RowBuilder().build({ turns, items }, sending))).toEqual(['user', 'sending']);
  });

  it('show a message above what its turn does, until the message is in the transcript', () => {
    const sending = {
      id: 'turn_9',
      sessionId: 's1',
      text: 'Hi',
      since: 0,
      turnId: 't1',
      stopRequested: false,
    };
    const before = { turns: [aTurn({ phase: 'lease' })], items: [] };
    expect(kinds(new RowBuilder().build(before, sending))).toEqual(['sending', 'progress']);
  });

  it('stay the same objects while another row changes', () => {
    const builder = new RowBuilder();
    const turns = [aTurn({ usage: [aUsage()] })];
    const items = inOrder(anItem('user'), anItem('tool'), anItem('text', { completedAt: null, text: 'One' }));
    const before = builder.build({ turns, items }, null);
    const grown = items.with(2, anItem('text', { id: 'i2', index: 2, completedAt: null, text: 'One two' }));
    const after = builder.build({ turns, items: grown }, null);
    expect(after.map((row, at) => row === before[at])).toEqual([true, true, false]);
  });

  it('keep the settled parts of a long answer while its end grows', () => {
    const builder = new RowBuilder();
    const long = 'A paragraph of some length that says little.\n\n'.repeat(300);
    const item = anItem('text', { completedAt: null, text: long });
    const before = builder.build({ turns: [aTurn()], items: [item] }, null);
    const after = builder.build({ turns: [aTurn()], items: [{ ...item, text: `${long}More` }] }, null);
    expect(before.length).toBeGreaterThan(4);
    const changed = after.filter((row, at) => row !== before[at]);
    expect(changed).toHaveLength(1);
    expect(changed[0]).toMatchObject({ writing: true });
  });

  it('mark an answer that was cut only where nothing else explains it', () => {
    const cut = anItem('text', { cut: true });
    expect(textRow(build({ turns: [], items: [cut] }))).toMatchObject({ cutOff: true });
    expect(textRow(build({ turns: [], items: inOrder(cut, anItem('stopped')) }))).toMatchObject({
      cutOff: false,
    });
  });
});
