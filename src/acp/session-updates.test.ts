import { expect, test } from 'vitest';
import type { Item, ToolItem } from '../protocol/model.ts';
import { SessionUpdates } from './session-updates.ts';

const base = { turnId: 't', index: 0, startedAt: 0, completedAt: 1, cut: false };
const tool = (changes: Partial<ToolItem> = {}): ToolItem => ({
  ...base,
  id: 'i',
  kind: 'tool',
  callId: 'c',
  tool: 'run_command',
  args: { command: 'ls' },
  subject: 'ls',
  repairs: [],
  state: 'done',
  output: '',
  result: 'a.txt',
  display: null,
  sandboxed: null,
  approval: null,
  decision: null,
  runMs: 1,
  ...changes,
});

test('what a subagent does is no update of its own', () => {
  const updates = new SessionUpdates('/w');
  const items: Item[] = [
    tool({ parentCallId: 'p' }),
    { ...base, id: 'x', kind: 'text', text: 'x', parentCallId: 'p' },
  ];
  expect(
    items.flatMap((item) => [...updates.of({ type: 'item/started', item }), ...updates.replay(item)]),
  ).toEqual([]);
  expect(updates.of({ type: 'item/delta', itemId: 'x', text: 'y' })).toEqual([]);
});

test.each([
  ['streaming', 'pending'],
  ['awaiting_approval', 'pending'],
  ['running', 'in_progress'],
  ['done', 'completed'],
  ['failed', 'failed'],
  ['declined', 'failed'],
  ['stopped', 'failed'],
  ['interrupted', 'failed'],
] as const)('a call that is %s is %s for an editor', (state, status) => {
  expect(new SessionUpdates('/w').replay(tool({ state }))).toMatchObject([{ status }, { status }]);
});

const change = (lines: string[]) =>
  new SessionUpdates('/w')
    .replay(
      tool({
        display: {
          kind: 'diff',
          path: 'a.txt',
          hunks: [{ oldStart: 1, newStart: 1, lines }],
          added: 1,
          removed: 0,
        },
      }),
    )
    .at(-1);

test('a new file has no old text, and a part of a change has the lines around it', () => {
  expect(change(['+one', '+two'])).toMatchObject({
    content: [{ type: 'diff', path: '/w/a.txt', oldText: null, newText: 'one\ntwo' }],
  });
  expect(change([' before', '-old', '+new', ' after'])).toMatchObject({
    content: [{ oldText: 'before\nold\nafter', newText: 'before\nnew\nafter' }],
  });
});

test('a plan of a session that is loaded is told with its steps', () => {
  const step = {
    milestone: null,
    executor: { kind: 'self' as const },
    check: null,
    validation: null,
    evidence: null,
    parentId: null,
  };
  const item: Item = {
    ...base,
    id: 'p',
    kind: 'plan',
    text: '',
    analysis: '',
    review: null,
    steps: [
      { ...step, id: '1', text: 'one', status: 'done' },
      { ...step, id: '2', text: 'two', status: 'failed' },
    ],
  };
  expect(new SessionUpdates('/w').replay(item)).toEqual([
    {
      sessionUpdate: 'plan',
      entries: [
        { content: 'one', priority: 'medium', status: 'completed' },
        { content: 'two', priority: 'medium', status: 'pending' },
      ],
    },
  ]);
});

test('the title of a call is one line with nothing hidden in it', () => {
  const [update] = new SessionUpdates('/w').replay(tool({ subject: 'a\n\u202Eb' }));
  expect(update).toMatchObject({ title: String.raw`run_command a\n\u202eb` });
});
