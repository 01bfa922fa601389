import { expect, it } from 'vitest';
import { draftOf, moved, saidSteps, withNew, without, withText } from './plan-draft.ts';
import type { PlanStep } from '../../protocol/model.ts';
import { aPlanStep } from '../testing/fixtures.ts';

const step = (id: string, text: string): PlanStep => aPlanStep({ id, text });
const draft = draftOf([step('step_1', 'one'), step('step_2', 'two'), step('step_3', 'three')]);
const words = (steps: typeof draft): string => steps.map(({ text }) => text).join(' ');

it('moves a step one place, and the first and the last no further', () => {
  expect(words(moved(draft, 'step_2', -1))).toBe('two one three');
  expect(words(moved(draft, 'step_2', 1))).toBe('one three two');
  expect(words(moved(draft, 'step_1', -1))).toBe('one two three');
  expect(words(moved(draft, 'step_3', 1))).toBe('one two three');
});

it('adds a step behind another, with a key that no other has', () => {
  const first = withNew(draft, 'step_1');
  const second = withNew(first.steps, null);
  expect(second.steps.map(({ key }) => key)).toEqual(['step_1', first.key, 'step_2', 'step_3', second.key]);
  expect(new Set([first.key, second.key]).size).toBe(2);
});

it('says what is carried out: the words of each, known ones by their ids, and nothing of empty ones', () => {
  const { steps, key } = withNew(withText(draft, 'step_1', '  first  '), null);
  expect(saidSteps(without(steps, 'step_2'))).toEqual([
    { id: 'step_1', text: 'first' },
    { id: 'step_3', text: 'three' },
  ]);
  expect(saidSteps(withText(steps, key, 'new')).at(-1)).toEqual({ id: null, text: 'new' });
});
