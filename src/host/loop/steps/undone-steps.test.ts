import { expect, test } from 'vitest';
import { scopeOf, type Act, type ScopeStep } from '../opening/turn-acts.ts';
import { Steps } from './steps.ts';

const readFile = { name: 'read_file', mutates: false };
const writeFile = { name: 'write_file', mutates: true };
const runCommand = { name: 'run_command', mutates: true };
const fine = { ok: true, content: 'lines 1-1 of 1\nhello' };
const failed = { ok: false, content: 'Tool error: no such file' };

function stepsOf(...acts: Act[]): Steps {
  const listed = acts.map((act, at): ScopeStep => ({ act, what: `step ${at + 1}` }));
  return new Steps(scopeOf([...listed, { act: 'answer', what: 'the end' }], []));
}

test('A turn is unproven until each kind of work that it listed was done', () => {
  const steps = stepsOf('look', 'change', 'run');
  const seen = [steps.undone];
  for (const tool of [readFile, writeFile, runCommand]) {
    steps.ended(tool, fine);
    seen.push(steps.undone);
  }
  expect(seen).toEqual(['work', 'work', 'run', null]);
  expect(stepsOf('look').isUnproven).toBe(false);
  expect(stepsOf().isUnproven).toBe(false);
});

test('A command that was called wrongly has not been run, and is called again before its step ends', () => {
  const steps = stepsOf('run');
  steps.ended(runCommand, { ...failed, isUnrun: true });
  expect([steps.now.act, steps.undone]).toEqual(['run', 'work']);
  steps.ended(runCommand, failed);
  expect([steps.now.act, steps.undone]).toEqual(['answer', null]);
});

test('A command that was ended once it ran has been run', () => {
  const steps = stepsOf('change', 'run');
  steps.ended(writeFile, fine);
  steps.ended(runCommand, { ...failed, isDeclined: true, isUnrun: false });
  expect([steps.undone, steps.cameTrue]).toEqual([null, false]);
});

test('A command that was called wrongly and then rightly has not gone wrong', () => {
  const steps = stepsOf('run');
  steps.ended(runCommand, { ...failed, isUnrun: true });
  steps.ended(runCommand, fine);
  expect(steps.cameTrue).toBe(true);
});

test('A run that cannot be called leaves the steps behind it', () => {
  const steps = stepsOf('run', 'change');
  for (let call = 0; call < 3; call += 1) steps.ended(runCommand, { ...failed, isUnrun: true });
  expect(steps.now.act).toBe('change');
});

test('Nothing is missing of a turn that left its work to a subagent', () => {
  const steps = stepsOf('change', 'run');
  steps.ended({ name: 'spawn_agent', mutates: true }, fine);
  expect(steps.undone).toBeNull();
});

test('Of a turn that ran a command and edited no file the edit is undone', () => {
  const steps = stepsOf('run', 'change');
  steps.ended(runCommand, fine);
  expect(steps.undone).toBe('change');
});
