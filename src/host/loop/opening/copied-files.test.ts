import { expect, test } from 'vitest';
import { withCopies } from './copied-files.ts';
import type { ScopeStep } from './turn-acts.ts';

const entries = ['config.ini', 'deep/', 'deep/key 66.ini', 'old.bak'];
const said = ['config.bak', 'deep/key 66.bak'];
const changes: ScopeStep = { act: 'change', what: 'old to new in config.ini' };
const whatOf = (act: ScopeStep['act'], what: string): ScopeStep | undefined =>
  withCopies([{ act, what }, changes], said, entries)[0];

test.each([
  ['look', 'copy config.ini to config.bak', 'cp config.ini config.bak'],
  ['change', 'backup config.ini as config.bak', 'cp config.ini config.bak'],
  ['change', 'save a copy of `config.ini` as `config.bak`', 'cp config.ini config.bak'],
  ['change', 'copy deep/key 66.ini to deep/key 66.bak', 'cp deep/key 66.ini deep/key 66.bak'],
] as const)('A copy is made by a command: %s, %s', (act, what, command) => {
  expect(whatOf(act, what)).toEqual({ act: 'run', what: command });
});

test('A copy whose name the model translates has the name that the person wrote', () => {
  const step = { act: 'look' as const, what: 'copy config.ini to settings.bak' };
  expect(withCopies([step, changes], ['config.bak'], entries)[0]).toEqual({
    act: 'run',
    what: 'cp config.ini config.bak',
  });
});

test('A turn that only looks makes no copy', () => {
  const look: ScopeStep = { act: 'look', what: 'copy config.ini to config.bak' };
  expect(withCopies([look], said, entries)).toEqual([look]);
});

test.each([
  ['change', 'save config.ini as config.bak'],
  ['change', 'copy config.ini to old.bak'],
  ['change', 'copy gone.ini to config.bak'],
  ['change', 'copy the name in config.ini to config.bak'],
  ['change', 'write config.bak'],
  ['answer', 'copy config.ini to config.bak'],
] as const)('What is no copy of a file under a new name stays as it is: %s, %s', (act, what) => {
  expect(whatOf(act, what)).toEqual({ act, what });
});
