import { describe, expect, it } from 'vitest';
import type { Item, PlanStep, ToolItem, Turn } from '../../../protocol/model.ts';
import { aPlanStep, anAgent, anApproval, anItem, aTurn, inOrder } from '../../testing/fixtures.ts';
import { RowBuilder, type Expanded } from './build-rows.ts';
import type { Row } from './rows.ts';

const ended = aTurn({ status: 'finished', phase: null, endedAt: 9 });
const running = aTurn({ phase: 'text' });

function build(items: Item[], turn: Turn = ended, expanded: Expanded = {}, steps: PlanStep[] = []): Row[] {
  return new RowBuilder().build({ turns: [turn], items: inOrder(...items), todo: { steps } }, null, expanded);
}
const kinds = (rows: Row[]) => rows.map(({ kind }) => kind).filter((kind) => kind !== 'foot');
const workOf = (rows: Row[]) => rows.find((row) => row.kind === 'work');

const read = (path: string): ToolItem =>
  anItem('tool', { display: { kind: 'file', path, text: '', firstLine: 1, lastLine: 1, totalLines: 1 } });
const listed = { kind: 'list' as const, entries: [], total: 0, truncated: false };
const list = (subject: string): ToolItem => anItem('tool', { tool: 'list_files', subject, display: listed });
const edit = (path: string, over: Partial<ToolItem> = {}): ToolItem =>
  anItem('tool', { display: { kind: 'diff', path, hunks: [], added: 1, removed: 0 }, ...over });
const command = (): ToolItem =>
  anItem('tool', { display: { kind: 'command', command: 'ls', exitCode: 0, signal: null } });

describe('the work of a turn', () => {
  it('folds into one line before the answer, in kinds and counts', () => {
    const rows = build([
      anItem('user'),
      anItem('thinking'),
      read('a.ts'),
      read('a.ts'),
      read('b.ts'),
      list('src'),
      list('src'),
      list('test'),
      anItem('tool', { tool: 'search', display: listed }),
      edit('a.ts'),
      edit('a.ts', { state: 'failed' }),
      command(),
      anItem('text'),
    ]);
    expect(kinds(rows)).toEqual(['user', 'work', 'text']);
    expect(workOf(rows)).toMatchObject({
      open: false,
      done: { looked: 2, folders: 2, searches: 1, changed: 1, commands: 1, failed: 1, thoughts: 1 },
    });
  });

  it('counts tools of other programs, and the searches for them', () => {
    const calls = ['tool_search', 'tool_call', 'tool_call', 'memory_save'].map((tool) =>
      anItem('tool', { tool }),
    );
    const rows = build([anItem('user'), ...calls, anItem('text')]);
    expect(workOf(rows)).toMatchObject({ done: { searches: 1, uses: 2, others: 1 } });
  });

  it('stays in view until something is said', () => {
    const items = [anItem('user'), read('a.ts'), anItem('thinking', { completedAt: null })];
    expect(kinds(build(items, running))).toEqual(['user', 'tools']);
    expect(kinds(build(items, ended))).toEqual(['user', 'tools']);
  });

  it('folds only more while the turn runs: each text takes what stands before it along', () => {
    const items = [anItem('user'), read('a.ts'), anItem('text'), read('b.ts')];
    expect(kinds(build(items, running))).toEqual(['user', 'work', 'text', 'tools']);
    const later = build([...items, anItem('text', { completedAt: null })], running);
    expect(kinds(later)).toEqual(['user', 'work', 'text']);
    expect(workOf(later)).toMatchObject({ done: { looked: 2 } });
  });

  it('is shown below its line when it is opened, and closes again', () => {
    const items = [anItem('user'), read('a.ts'), anItem('text')];
    expect(kinds(build(items, ended, { 'work:t1': true }))).toEqual(['user', 'work', 'tools', 'text']);
    expect(kinds(build(items, ended, { 'work:t1': false }))).toEqual(['user', 'work', 'text']);
  });

  it('stays open while somebody reads a row of it', () => {
    const items = [anItem('user'), read('a.ts'), anItem('text', { completedAt: null })];
    expect(kinds(build(items, running, { i1: true }))).toEqual(['user', 'work', 'tools', 'text']);
  });

  it('never hides a question, or a note that speaks to the person', () => {
    const asking = anItem('tool', { state: 'awaiting_approval', approval: anApproval() });
    const agent = anItem('tool', { callId: 'c1', tool: 'spawn_agent', agent: anAgent() });
    const items = [
      agent,
      anItem('note', { note: 'instructions' }),
      { ...asking, parentCallId: 'c1' },
      anItem('text'),
    ];
    expect(kinds(build(items, running))).toEqual(['work', 'approval', 'note', 'text']);
  });

  it('has no line where that would be as long as what it stands for', () => {
    expect(kinds(build([anItem('user'), anItem('thinking'), anItem('text')]))).toEqual([
      'user',
      'thinking',
      'text',
    ]);
  });

  it('takes its plan along when nothing is left of it but the answer, or the turn is over', () => {
    const steps = [aPlanStep({ id: 'a', status: 'in_progress' }), aPlanStep({ id: 'b' })];
    const items = [anItem('user'), anItem('plan', { steps }), read('a.ts'), anItem('text')];
    expect(kinds(build(items, running, {}, steps))).toEqual(['user', 'plan', 'tools', 'plan', 'text']);
    const last = steps.map((step, at): PlanStep => ({ ...step, status: at === 0 ? 'done' : 'in_progress' }));
    expect(kinds(build(items, running, {}, last))).toEqual(['user', 'work', 'text']);
    const over = build(items, ended, {}, last);
    expect(kinds(over)).toEqual(['user', 'work', 'text']);
    expect(workOf(over)).toMatchObject({ done: { steps: 2, stepsDone: 1 } });
  });

  it('leaves the pictures that a call brought in view', () => {
    const picture = { id: 'att_1', name: 'plot.png', kind: 'image', mime: 'image/png', bytes: 3 } as const;
    const items = [
      anItem('user'),
      read('a.ts'),
      anItem('text'),
      anItem('tool', { attachments: [picture] }),
      anItem('text'),
    ];
    expect(kinds(build(items))).toEqual(['user', 'work', 'tools', 'text']);
  });

  it('leaves a plan that waits for the person in view', () => {
    const items = [anItem('user'), read('a.ts'), anItem('plan', { proposed: true }), anItem('text')];
    expect(kinds(build(items))).toEqual(['user', 'work', 'plan', 'text']);
  });
});
