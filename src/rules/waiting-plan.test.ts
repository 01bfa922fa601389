import { expect, test } from 'vitest';
import type { Item, ItemOf, PlanStep, Turn } from '../protocol/model.ts';
import { waitingPlan } from './waiting-plan.ts';

const step = { id: 'step_1', text: 'Do it' } as PlanStep;
const turn = (id: string, more: Partial<Turn> = {}): Turn => ({ id, ...more }) as Turn;
const plan = (id: string, turnId: string, more: Partial<ItemOf<'plan'>> = {}): Item =>
  ({ kind: 'plan', id, turnId, completedAt: 1, proposed: true, steps: [step], ...more }) as Item;
const waits = (turns: Turn[], ...items: Item[]): string | undefined => waitingPlan({ turns, items })?.id;

test('The newest plan that was proposed waits, and no other', () => {
  expect(waits([turn('t1'), turn('t2')], plan('p1', 't1'), plan('p2', 't2'))).toBe('p2');
  expect(waits([turn('t1')], plan('p1', 't1', { proposed: undefined }))).toBeUndefined();
});

test('A plan that is still written, or has no steps, does not wait', () => {
  expect(waits([turn('t1')], plan('p1', 't1', { completedAt: null }))).toBeUndefined();
  expect(waits([turn('t1')], plan('p1', 't1', { steps: [], problem: 'No.' }))).toBeUndefined();
});

test('What is carried out waits no more, unless that turn was replaced by another version', () => {
  const taken = { plan: { itemId: 'p1', steps: [step] } };
  expect(waits([turn('t1'), turn('t2', taken)], plan('p1', 't1'))).toBeUndefined();
  expect(waits([turn('t1'), turn('t2', { ...taken, replaced: true })], plan('p1', 't1'))).toBe('p1');
});

test('A plan of a turn that was replaced does not wait, and the one before it does again', () => {
  const turns = [turn('t1'), turn('t2', { replaced: true })];
  expect(waits(turns, plan('p1', 't1'), plan('p2', 't2'))).toBe('p1');
});
