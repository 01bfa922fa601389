import { expect, test } from 'vitest';
import { reportWords, scopeOf, type Act, type ScopeStep } from '../opening/turn-acts.ts';
import { Steps, unsaidScope, workOf } from './steps.ts';

const readFile = { name: 'read_file', mutates: false };
const fine = { ok: true, content: 'lines 1-1 of 1\nhello' };
const failed = { ok: false, content: 'Error: the calendar is locked.' };

function stepsOf(...acts: Act[]): Steps {
  const listed = acts.map((act, at): ScopeStep => ({ act, what: `step ${at + 1}` }));
  return new Steps(scopeOf([...listed, { act: 'answer', what: 'the end' }], []));
}

const toolSearch = { name: 'tool_search', mutates: false };
const plugged = { name: 'tool_call', mutates: true };
const tools5 = { ok: true, content: 'calendar.add_event(title): Adds an event.' };
const noTool = { ok: false, content: 'No tool fits these words.' };

test('A tool of another program and the web are used, whatever else they do', () => {
  const names = ['tool_search', 'tool_call', 'web_search', 'fetch_url', 'calendar.add_event'];
  expect(names.map((name) => workOf({ name, mutates: true }))).toEqual(names.map(() => 'use'));
});

test('A step that uses a tool has it searched for, and ends with its call', () => {
  const steps = stepsOf('use', 'change');
  expect([steps.acts, steps.hasTools]).toEqual([['use'], false]);
  expect(steps.ended(toolSearch, tools5)).toBe(false);
  expect([steps.acts, steps.hasTools]).toEqual([['use'], true]);
  expect(steps.ended(plugged, fine)).toBe(true);
  expect(steps.acts).toEqual(['change']);
});

test('Each step that uses a tool searches for its own', () => {
  const steps = stepsOf('use', 'use');
  steps.ended(toolSearch, tools5);
  steps.ended(plugged, fine);
  expect([steps.now.what, steps.hasTools]).toEqual(['step 2', false]);
});

test('A tool that nobody has leaves only the answer, or the next place to look', () => {
  const alone = stepsOf('use', 'change');
  expect(alone.ended(toolSearch, noTool)).toBe(true);
  expect([alone.acts, alone.missed]).toEqual([['answer'], noTool.content]);
  const another = stepsOf('use', 'look');
  expect(another.ended(toolSearch, noTool)).toBe(true);
  expect(another.now).toBe(another.scope.steps[1]);
});

test('Where no tool that was found is for it, only the answer is left, or the next place to look', () => {
  const notRun = { ok: false, content: 'Error: not run.', isUnmeant: true };
  const alone = stepsOf('use', 'change');
  alone.ended(toolSearch, tools5);
  expect(alone.ended(plugged, notRun)).toBe(true);
  expect([alone.acts, alone.missed]).toEqual([['answer'], notRun.content]);
  const another = stepsOf('use', 'look');
  another.ended(toolSearch, tools5);
  expect(another.ended(plugged, notRun)).toBe(true);
  expect(another.now).toBe(another.scope.steps[1]);
  const unsaid = new Steps(unsaidScope);
  unsaid.ended(toolSearch, tools5);
  expect(unsaid.ended(plugged, notRun)).toBe(true);
  expect(unsaid.acts).toEqual(['answer']);
});

test('A tool of another program that fails again and again leaves the answer', () => {
  const steps = stepsOf('use');
  steps.ended(toolSearch, tools5);
  for (let count = 0; count < 6; count += 1) steps.ended(plugged, failed);
  expect(steps.acts).toEqual(['answer']);
});

test('Only a turn that was opened for them uses tools of other programs behind its last step', () => {
  const using = stepsOf('use');
  using.ended(toolSearch, tools5);
  using.ended(plugged, fine);
  expect(using.acts).toContain('use');
  expect(using.isNamed('use')).toBe(true);
  const looking = stepsOf('look');
  looking.ended(readFile, fine);
  expect(looking.acts).not.toContain('use');
  expect(looking.isNamed('use')).toBe(false);
});

test('A turn that nobody announced has not only looked once a tool of another program did something', () => {
  const steps = new Steps(unsaidScope);
  expect(steps.isNamed('use')).toBe(true);
  steps.ended(toolSearch, tools5);
  expect(steps.unsaidUndone).toBe('work');
  steps.ended(plugged, fine);
  expect(steps.unsaidUndone).toBeNull();
});

const unmeant = { ok: false, content: 'Error: no tool here is made for this.', isUnmeant: true };
const locked = { ok: false, content: 'Error: it took too long.' };
const missing = { ok: false, content: 'Error: There is no duty.txt.' };
type Ended = [tool: typeof plugged, call: typeof fine & { isDeclined?: boolean; isUnmeant?: boolean }];

const lacksToolAfter = (acts: Act[], ...calls: Ended[]): boolean => {
  const steps = stepsOf(...acts);
  for (const [tool, call] of calls) steps.ended(tool, call);
  return steps.lacksTool;
};

test('A turn whose search found no tool, or whose tools are for something else, may answer without one', () => {
  expect(lacksToolAfter(['use'], [toolSearch, noTool])).toBe(true);
  expect(lacksToolAfter(['use'], [toolSearch, tools5], [plugged, unmeant])).toBe(true);
  expect(lacksToolAfter(['use', 'use'], [toolSearch, noTool], [toolSearch, noTool])).toBe(true);
});

test.each<[string, Act[], Ended[]]>([
  ['nothing was looked for', ['use'], []],
  ['the search failed', ['use'], [[toolSearch, locked]]],
  [
    'the tool failed',
    ['use', 'use'],
    [
      [toolSearch, noTool],
      [toolSearch, tools5],
      [plugged, locked],
    ],
  ],
  [
    'a tool failed in the words of a search',
    ['use'],
    [
      [toolSearch, tools5],
      [plugged, noTool],
    ],
  ],
  [
    'the person said no',
    ['use', 'use'],
    [
      [toolSearch, noTool],
      [plugged, { ...locked, isDeclined: true }],
    ],
  ],
  [
    'a file is missed too',
    ['use', 'look'],
    [
      [toolSearch, noTool],
      [readFile, missing],
    ],
  ],
  [
    'a file was missed before',
    ['look', 'use'],
    [
      [readFile, missing],
      [readFile, missing],
      [readFile, missing],
      [toolSearch, noTool],
    ],
  ],
  [
    'a file was read',
    ['use', 'look'],
    [
      [toolSearch, noTool],
      [readFile, fine],
    ],
  ],
  [
    'another tool worked',
    ['use', 'use'],
    [
      [toolSearch, tools5],
      [plugged, fine],
      [toolSearch, noTool],
    ],
  ],
  ['a file was to be changed', ['use', 'change'], [[toolSearch, noTool]]],
  ['a command was to be run', ['use', 'run'], [[toolSearch, noTool]]],
])('A turn may not answer without a tool where %s', (_, acts, calls) => {
  expect(lacksToolAfter(acts, ...calls)).toBe(false);
});

test('What was to be done elsewhere is not told as if it were done', () => {
  const steps = new Steps(
    scopeOf(
      [
        { act: 'use', what: 'add an event' },
        { act: 'answer', what: reportWords },
      ],
      [],
    ),
  );
  steps.ended(toolSearch, noTool);
  expect([steps.lacksTool, steps.missed]).toEqual([false, noTool.content]);
});
