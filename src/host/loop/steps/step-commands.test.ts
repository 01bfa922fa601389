import { expect, test } from 'vitest';
import { personMessage } from '../../prompt/person-message.ts';
import type { CallRecord } from '../calls/discipline.ts';
import { knownPaths } from './known-paths.ts';
import { commandsOf } from './step-commands.ts';

const entries = ['memo.txt', 'data.csv', 'docs/', 'docs/plan.md'];
const spaced = ['my plan.md', 'my plan.md.old', 'it costs $5.md'];

function commandsFor(
  step: string,
  message = '',
  calls: CallRecord[] = [],
  there = entries,
): readonly string[] {
  const named = { step, message: personMessage(message) };
  return commandsOf(step, there, calls, knownPaths({ named, entries: there, calls }));
}

const looked = (name: string, args: object, content: string): CallRecord => ({
  name,
  args,
  content,
  mutates: false,
  ok: true,
  stale: false,
});
const read = (path: string): CallRecord => looked('read_file', { path }, 'lines 1-1 of 1\nhello');
const found = looked('search', { pattern: 'teapot' }, 'docs/plan.md:1: teapot');

test('A command is what its step says, unless what it acts on had to be found first', () => {
  expect(commandsFor('npm test')).toEqual(['npm test']);
  expect(commandsFor('rm that letter', '', [read('memo.txt')])).toEqual([]);
  expect(commandsFor('rm memo.txt', '', [read('docs/plan.md')])).toEqual(['rm memo.txt']);
});

const asked = 'Remove the file in docs that has teapot in it';

test('A name between backticks is a name, and nothing that a shell runs', () => {
  expect(commandsFor('rm `memo.txt`')).toEqual(['rm memo.txt']);
  expect(commandsFor('cp `memo.txt` `docs/new.txt`', 'Copy it to `docs/new.txt`')).toEqual([
    'cp memo.txt docs/new.txt',
  ]);
});

test('A command that guesses a file which had to be found first is written again', () => {
  expect(commandsFor('rm docs/gone.md', asked, [found])).toEqual([]);
  expect(
    commandsFor('cp memo.txt memo.old', 'Find the teapot, then copy memo.txt to memo.old', [found]),
  ).toEqual(['cp memo.txt memo.old']);
});

test('A command that speaks of what was searched for means the file in which it was found', () => {
  expect(commandsFor('rm teapot', asked, [found])).toEqual(['rm docs/plan.md']);
  expect(commandsFor('rm docs/teapot', asked, [found])).toEqual(['rm docs/plan.md']);
  expect(commandsFor('rm that file', asked, [found])).toEqual(['rm docs/plan.md']);
  expect(
    commandsFor('rm that file', asked, [looked('search', { pattern: 'x' }, 'Nothing in . matches x.')]),
  ).toEqual([]);
  expect(commandsFor('teapot memo.txt', asked, [found])).toEqual(['teapot memo.txt']);
});

test('The words of a search that found several files can mean each of them', () => {
  const twice = looked('search', { pattern: 'teapot' }, 'memo.txt:1: teapot\ndata.csv:2: teapot');
  expect(commandsFor('rm teapot', '', [twice])).toEqual(['rm memo.txt', 'rm data.csv']);
});

test.each([
  ['rm my plan.md', '', 'rm "my plan.md"'],
  ['cp my plan.md new plan.md', 'Copy it to `new plan.md`', 'cp "my plan.md" "new plan.md"'],
  ['node count.js', 'Run `node count.js`', 'node count.js'],
  ['node my plan.md', 'Run `node my plan.md`', 'node "my plan.md"'],
  ["rm 'my plan.md'", '', "rm 'my plan.md'"],
  ['rm `my plan.md`', 'Delete `my plan.md`', 'rm "my plan.md"'],
  ['rm `it costs $5.md`', '', "rm 'it costs $5.md'"],
  ['echo `date`', '', 'echo `date`'],
  ['rm it costs $5.md', '', "rm 'it costs $5.md'"],
])('Of “%s” a path with blanks is one word', (step, message, command) => {
  expect(commandsFor(step, message, [], spaced)).toEqual([command]);
});

test('What a search found stands for what it looked for also where its folder has blanks in its name', () => {
  const search = looked('search', { pattern: 'OC-34' }, 'OC-34\n(my docs/a.txt, line 2)');
  const there = ['my docs/', 'my docs/a.txt', 'b.txt'];
  expect(commandsFor('rm my docs/OC-34', '', [search], there)).toEqual(['rm "my docs/a.txt"']);
  expect(commandsFor('rm OC-34', '', [search], there)).toEqual(['rm "my docs/a.txt"']);
});
