import { expect, test } from 'vitest';
import { personMessage } from '../../prompt/person-message.ts';
import { runsNoProgram, runsMadeUpFile } from './made-up-runs.ts';
import type { ScopeStep } from './turn-acts.ts';

const entries = ['docs/', 'docs/plan.md', 'check.py'];
const isMadeUp = (message: string, ...steps: ScopeStep[]): boolean =>
  runsMadeUpFile(steps, personMessage(message), entries);
const run = (what: string): ScopeStep => ({ act: 'run', what });
const change = (what: string): ScopeStep => ({ act: 'change', what });

test.each([
  ['What does letters/lease.txt say?', run('python3 lease.py')],
  ['Send Ada an e-mail', run('send_email.py Ada')],
  ['Make hello.py, it prints hi', run('python3 other.py')],
])('A program of which nobody spoke is made up: %s', (message, step) => {
  expect(isMadeUp(message, step)).toBe(true);
});

test.each([
  ['Do all checks pass?', [run('python3 check.py')]],
  ['Run report.sh, please', [run('bash report.sh')]],
  ['Pack the folder docs', [run('zip -r docs.zip docs')]],
  ['Which version of node is it?', [run('node --version')]],
  ['Make a greeting and run it', [change('write hello.py'), run('python3 hello.py')]],
  ['Note the day', [run('date >> days.txt')]],
  ['What does it say?', [change('write other.py')]],
])('A run is none of a made-up file: %s', (message, steps) => {
  expect(isMadeUp(message, ...steps)).toBe(false);
});

test('A program that only a later step writes is made up', () => {
  expect(isMadeUp('Greet me', run('python3 hello.py'), change('write hello.py'))).toBe(true);
});

const isDataRun = (message: string, what: string, act: ScopeStep['act'] = 'run'): boolean =>
  runsNoProgram([{ act, what }], personMessage(message), [...entries, 'bills 3.csv', 'Makefile']);

test.each([
  ['What do I owe?', 'python3 bills 3.csv'],
  ['Sum docs/plan.md up', 'ruby docs/plan.md -v'],
  ['Look at check.py', 'node check.py'],
])('An interpreter is given what is no program of its: %s', (message, what) => {
  expect(isDataRun(message, what)).toBe(true);
  expect(isDataRun(message, what, 'look')).toBe(false);
});

test.each([
  ['Do all checks pass?', 'python3 check.py'],
  ['Read the bills with check.py', 'python3 check.py bills 3.csv'],
  ['Please run `python3 docs/plan.md`', 'python3 docs/plan.md'],
  ['Print the plan', 'cat docs/plan.md'],
  ['Build it', 'bash Makefile'],
  ['Anything?', 'constructor docs/plan.md'],
])('No data is run: %s', (message, what) => {
  expect(isDataRun(message, what)).toBe(false);
});

const isWrong = (message: string, ...steps: ScopeStep[]): boolean =>
  runsNoProgram(steps, personMessage(message), entries);

test('An interpreter is given a file that nobody wrote yet, unless a step before it does or the person says so', () => {
  const message = 'Make hello.py, it prints hi';
  expect(isWrong(message, run('python3 hello.py'))).toBe(true);
  expect(isWrong(message, change('write hello.py'), run('python3 hello.py'))).toBe(false);
  expect(isWrong('python3 hello.py please', run('python3 hello.py'))).toBe(false);
  expect(isWrong(message, run('python3 -c "print(1)"'))).toBe(false);
});
