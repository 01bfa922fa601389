import { expect, test } from 'vitest';
import type { CallRecord } from '../calls/discipline.ts';
import { offered } from '../calls/testing.ts';
import type { ToolDisplay } from '../../../protocol/model.ts';
import { personMessage } from '../../prompt/person-message.ts';
import { scopeOf, type Act } from '../opening/turn-acts.ts';
import { GuidedTurn } from './guided-turn.ts';
import { Steps } from './steps.ts';

const message = 'What does a.txt say?';
const looks = (name: string) => ({ name, mutates: false });
const read = looks('read_file');
const list = looks('list_files');
const missing = { ok: false, content: 'Error: There is no a.txt.\nmore of it' };
const nothing = { ok: true, content: 'Nothing in . matches teapot.' };
const names = { ok: true, content: 'b.txt\nc.txt' };
const text = { ok: true, content: 'lines 1-1 of 1\nhello' };

function guided(...acts: Act[]): GuidedTurn {
  const steps = acts.map((act) => ({ act, what: `${act} at it` }));
  return new GuidedTurn(
    new Steps(scopeOf([...steps, { act: 'answer', what: '' }], [])),
    personMessage(message),
  );
}

test.each([missing, nothing])('What was not found is said again behind names of other files: %j', (miss) => {
  const turn = guided('look');
  expect(turn.ended(read, miss)).toBeNull();
  expect(turn.ended(list, names)).toBe(`${miss.content.split('\n')[0]}\n\n${message}`);
});

test('What was found after all is not said to be missing', () => {
  const turn = guided('look');
  turn.ended(read, missing);
  expect(turn.ended(read, text)).toBe(message);
});

test('What was not found is not said twice behind its own result', () => {
  const turn = guided('look');
  for (let count = 0; count < 2; count += 1) turn.ended(read, missing);
  expect(turn.ended(read, missing)).toBe(message);
});

test('The line of a step that only follows says what comes next', () => {
  const turn = guided('look', 'change');
  expect(turn.ended(read, text)).toBe('Next: change at it');
});

test('A change that had to read its file first is said again behind what was read', () => {
  const turn = guided('change');
  expect(turn.ended(read, missing)).toBeNull();
  expect(turn.ended(read, text)).toBe('Next: change at it');
  expect(guided('run').ended(read, text)).toBeNull();
});

test.each([
  ['the file that was just read', [['change', 'write a.txt']], 'a.txt', message],
  [
    'that was read for a step of its own',
    [
      ['look', 'read it'],
      ['change', 'write a.txt'],
    ],
    'a.txt',
    message,
  ],
  ['another file than was read', [['change', 'write b.txt']], 'a.txt', 'Next: write b.txt'],
  [
    'one of several changes',
    [
      ['change', 'write a.txt'],
      ['change', 'write b.txt'],
    ],
    'a.txt',
    'Next: write a.txt',
  ],
] as const)('A step that names no more than %s is begun with these words', (_, steps, subject, line) => {
  const all = steps.map(([act, what]) => ({ act, what }));
  const turn = new GuidedTurn(
    new Steps(scopeOf([...all, { act: 'answer', what: '' }], [])),
    personMessage(message),
  );
  expect(turn.ended(read, { ...text, subject })).toBe(line);
});

test('What was only listed was not read: a step that names it keeps its own words', () => {
  const steps = [
    { act: 'look', what: 'look around' },
    { act: 'change', what: 'write a.txt' },
    { act: 'answer', what: '' },
  ] as const;
  const turn = new GuidedTurn(new Steps(scopeOf([...steps], [])), personMessage(message));
  expect(turn.ended(list, { ...names, subject: 'a.txt' })).toBe('Next: write a.txt');
});

test('A tool is in the scope of a turn when it looks, or does what the opening named', () => {
  const turn = guided('look', 'run');
  expect(turn.whyNotInScope(read)).toBeNull();
  expect(turn.whyNotInScope({ name: 'run_command', mutates: true })).toBeNull();
  expect(turn.whyNotInScope({ name: 'write_file', mutates: true })).toContain('asks for no change');
  expect(guided('change').whyNotInScope({ name: 'run_command', mutates: true })).toContain('no command');
});

test('A step that names two files goes on until both were read', async () => {
  const steps = [
    { act: 'look' as const, what: 'read a.txt and b.txt' },
    { act: 'answer' as const, what: '' },
  ];
  const turn = new GuidedTurn(new Steps(scopeOf(steps, [])), personMessage('Add the two numbers'));
  const workspace = { entries: async () => ['a.txt', 'b.txt', 'c.txt'] };
  const calls: CallRecord[] = [];
  const readNext = async (path: string): Promise<string | null> => {
    await turn.replyOptions(offered, calls, { workspace });
    calls.push({ name: 'read_file', args: { path }, mutates: false, stale: false, ...text });
    return turn.ended(read, text);
  };
  expect(await readNext('a.txt')).toBeNull();
  expect(await readNext('b.txt')).toBe('Add the two numbers');
});

test('What the numbers of several files add up to is said behind the last of them, as they are now', () => {
  const turn = guided('look');
  const facts = (subject: string, content: string) =>
    turn.factsOf(
      { tool: 'read_file', subject },
      { state: 'done', content: `lines 1-1 of 1\n${content}`, display: null },
    );
  expect([facts('a', '34'), facts('b', 'some text'), facts('c', '-1.5'), facts('d', '7 of 9')]).toEqual([
    null,
    null,
    'Numbers read so far: 34, -1.5. Sum: 32.5.',
    null,
  ]);
  expect(facts('a', '40')).toBe('Numbers read so far: 40, -1.5. Sum: 38.5.');
});

test('The count of a long list is told, and beside a change it is not', () => {
  const display: ToolDisplay = { kind: 'matches', matches: [], files: 2, total: 9, truncated: true };
  const [looks, changes] = (['look', 'change'] as const).map((act) =>
    guided(act).factsOf({ tool: 'search', subject: 'a' }, { state: 'done', content: 'a.md:1: a', display }),
  );
  expect([looks, changes]).toEqual(['Lines found: 9, in 2 files.', null]);
});

test('A call that is made once more ends its step', () => {
  const turn = guided('look');
  turn.repeated(true);
  expect(turn.ended(read, text)).toBe(message);
  expect(turn.mustCall).toBe(false);
});

test('An answer that says the message over again is an echo, and a name out of the message is none', () => {
  const turn = guided('look');
  expect(turn.isEcho('what does A.txt say')).toBe(true);
  expect(turn.isEcho('a.txt')).toBe(false);
  expect(turn.isEcho('a.txt says hello')).toBe(false);
  expect(turn.isEcho('...')).toBe(false);
  expect(guided().isEcho(message)).toBe(false);
});

test('Where something was not found, words of the message alone are no answer', () => {
  const turn = guided('look');
  turn.ended(read, missing);
  expect(turn.isEcho('a.txt')).toBe(true);
  expect(turn.isEcho('There is no a.txt')).toBe(false);
});

async function aboutAfter(acts: Act[], ended: { ok: boolean; content: string }, tool = read, picks = true) {
  const steps = [...acts.map((act) => ({ act, what: '' })), { act: 'answer' as const, what: 'the port' }];
  const turn = new GuidedTurn(new Steps(scopeOf(steps, [])), personMessage(message), picks);
  turn.ended(tool, ended);
  const call = { ...ended, name: tool.name, args: {}, mutates: false, stale: false };
  const workspace = { entries: () => Promise.resolve([]) };
  return (await turn.replyOptions(offered, [call], { workspace })).answer;
}

test('An answer to what was found is written behind what the model had said that it will answer', async () => {
  expect(await aboutAfter(['look'], text)).toEqual({ tells: 'found', words: 'the port' });
  expect(await aboutAfter(['look'], missing)).toEqual({ tells: 'missed' });
  expect(await aboutAfter(['look', 'change'], text)).toBeUndefined();
});

test('A model that was not seen to pick answers out is not given its own words in front of its answer', async () => {
  expect(await aboutAfter(['look'], text, read, false)).toBeUndefined();
});

test('What a search found is told in a sentence', async () => {
  const found = { ok: true, content: 'port = 80\n(a.ini, line 2)' };
  expect(await aboutAfter(['look'], found, looks('search'))).toEqual({ tells: 'match' });
  expect(await aboutAfter(['look'], nothing, looks('search'))).toEqual({ tells: 'missed' });
  expect(await aboutAfter(['look'], found, looks('search'), false)).toBeUndefined();
});

async function answering(what: string, allow: ('change' | 'run')[] = []) {
  const turn = new GuidedTurn(
    new Steps(scopeOf([{ act: 'answer', what }], allow), allow),
    personMessage('Phone Vera'),
  );
  const workspace = { entries: () => Promise.resolve([]) };
  return { form: (await turn.replyOptions(offered, [], { workspace })).answer, again: turn.asksAgainFor };
}

test('A turn that was only to say that it is done is asked why not', async () => {
  expect(await answering('say that it is done')).toEqual({ form: { tells: 'missed' }, again: 'missed' });
  // What the person allowed is still to be done.
  expect((await answering('say that it is done', ['change'])).form).toBeUndefined();
  expect(await answering('the capital of Norway')).toEqual({ form: undefined, again: 'answer' });
});

test('A file that only the model knows is no loss: what a search finds in its place is changed for it', async () => {
  const steps = [
    { act: 'look' as const, what: 'read stock/quarry.csv' },
    { act: 'change' as const, what: 'write price.txt' },
    { act: 'answer' as const, what: '' },
  ];
  const actsAfter = async (said: string) => {
    const turn = new GuidedTurn(new Steps(scopeOf(steps, [])), personMessage(said));
    await turn.replyOptions(offered, [], { workspace: { entries: () => Promise.resolve(['stock/']) } });
    turn.ended(read, { ok: false, content: 'Error: There is no stock/quarry.csv.' });
    turn.ended(looks('search'), { ok: true, content: 'quarry,9\n(stock/south.csv, line 2)' });
    return turn.steps.acts;
  };
  expect(await actsAfter('Which list in stock has the quarry? Its price goes into price.txt.')).toEqual([
    'change',
  ]);
  expect(await actsAfter('The price in stock/quarry.csv goes into price.txt.')).toEqual(['answer']);
});

test('What a command printed is found, and where it printed nothing the answer is told in words', async () => {
  const run = { name: 'run_command', mutates: true };
  const printed = { ok: true, content: 'exit code: 0\nstdout:\n7' };
  const failed = { ok: false, content: 'Error: exit code: 1\nstdout:\nFAILED' };
  const silent = { ok: true, content: 'exit code: 0' };
  const about = await Promise.all([printed, failed, silent].map((end) => aboutAfter(['run'], end, run)));
  expect(about.map((each) => each?.tells)).toEqual(['found', 'found', 'done']);
});

test('A command that could not be run is told without what it was to bring', async () => {
  const run = { name: 'run_command', mutates: true };
  const content = 'Error: exit code: 127\nstderr:\n/bin/sh: 1: send: not found';
  expect(await aboutAfter(['run'], { ok: false, content }, run)).toBeUndefined();
});

test('An edit after which a file would be no JSON any more is not made, and what was asked is said again', () => {
  const content = 'lines 1-1 of 1\n{"port": 1}';
  const args = { path: 'a.json', old_text: '1', new_text: '2}}' };
  const seen = {
    name: 'read_file',
    args: { path: 'a.json' },
    ok: true,
    mutates: false,
    stale: false,
    content,
  };
  expect(guided('change').whyNotWritten({ name: 'edit_file', args }, [seen])).toBe(
    `Error: a.json would not be JSON any more. Nothing was changed.\n\n${message}`,
  );
});

test('A file that is to be written with the words that it holds is not, once', () => {
  const turn = guided('change');
  const calls = [
    {
      name: 'read_file',
      args: { path: 'a.txt' },
      ok: true,
      mutates: false,
      stale: false,
      content: 'lines 1-2 of 2\none\ntwo',
    },
  ];
  const written = (content: string, path = 'a.txt') =>
    turn.whyNotWritten({ name: 'write_file', args: { path, content } }, calls);
  expect(written('three')).toBeNull();
  expect(written('one two', 'b.txt')).toBeNull();
  expect(written('one two')).toBe(`Error: a.txt has these words already. Nothing was changed.\n\n${message}`);
  expect(written('one two')).toBeNull();
  expect(written('one\ntwo\n')).toContain('has these words already');
});

test.each([
  ['two', 'two\ntwo', true],
  ['one\ntwo', 'one\none\ntwo', true],
  ['two', 'two\ntwo\ntwo', true],
  ['two', 'two\nthree', false],
  ['two', 'two\ntwo\nthree', false],
  ['  }', '  }\n  }', false],
  ['two', 'two\n', false],
  ['', '\n', false],
  ['two', 'twin', false],
])(
  'An edit of %j to %j adds a line that stands beside it: %j, and may do so when it is made again',
  (old, next, isRefused) => {
    const turn = guided('change');
    const edited = () =>
      turn.whyNotWritten({ name: 'edit_file', args: { path: 'a.txt', old_text: old, new_text: next } }, []);
    expect(edited()).toBe(
      isRefused ? `Error: a.txt has this line already. Nothing was changed.\n\n${message}` : null,
    );
    expect(edited()).toBeNull();
  },
);
