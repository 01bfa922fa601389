import { expect, test } from 'vitest';
import { MemoryStorage } from '../testing/window-kit.tsx';
import { freshFirstRun, readFirstRun, withStep } from './first-run-memory.ts';
import { createUiStore } from './ui-store.ts';

test.each([
  ['nothing', undefined],
  ['something else', 'open'],
  ['null', null],
  ['fields of another kind', { shown: 1, done: 'all' }],
])('%s was stored: it begins afresh', (_, stored) => {
  expect(readFirstRun(stored)).toEqual(freshFirstRun);
});

test('steps that this version does not know are dropped, and one that was left is asked for again', () => {
  const stored = { shown: 'left', done: ['task', 'exam', 'tour'] };
  expect(readFirstRun(stored)).toEqual({ shown: 'auto', done: ['tour', 'task'] });
});

test('a step is done once', () => {
  const once = withStep(freshFirstRun, 'tour');
  expect(withStep(once, 'tour')).toBe(once);
  expect(once.done).toEqual(['tour']);
});

test('what was done is there after a reload', () => {
  const storage = new MemoryStorage();
  const before = createUiStore(storage);
  before.setState({ firstRun: { shown: 'open', done: ['tour', 'task'] } });
  expect(createUiStore(storage).getState().firstRun).toEqual({
    shown: 'open',
    done: ['tour', 'task'],
  });
});
