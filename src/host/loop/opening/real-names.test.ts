import { expect, test } from 'vitest';
import { personMessage } from '../../prompt/person-message.ts';
import { withRealNames } from './real-names.ts';
import type { ScopeStep } from './turn-acts.ts';

const entries = ['notes/', 'notes/trip-plan.md', 'a/list.txt', 'b/List.txt'];
const whatFor = (
  act: ScopeStep['act'],
  what: string,
  message = 'Change it in the trip plan',
): string | undefined => withRealNames([{ act, what }], personMessage(message), entries)[0]?.what;

test('A name that is spelt as it is spoken becomes the one file that it can mean', () => {
  expect(whatFor('look', 'read trip_plan.md')).toBe('read notes/trip-plan.md');
  expect(whatFor('change', 'red to blue in Trip Plan.md')).toBe('red to blue in Trip Plan.md');
  expect(whatFor('change', 'red to blue in TripPlan.md')).toBe('red to blue in notes/trip-plan.md');
});

test('A name stays where two files could be meant, none is, or it is there as it is', () => {
  expect(whatFor('look', 'read list_.txt')).toBe('read list_.txt');
  expect(whatFor('look', 'read trip.md')).toBe('read trip.md');
  expect(whatFor('look', 'read notes/trip-plan.md')).toBe('read notes/trip-plan.md');
});

test('A name that the person wrote, a file that is made and what a command writes stay', () => {
  expect(whatFor('look', 'read trip_plan.md', 'What does trip_plan.md say?')).toBe('read trip_plan.md');
  expect(whatFor('change', 'write trip_plan.md')).toBe('write trip_plan.md');
  expect(whatFor('run', 'cp a/list.txt trip_plan.md')).toBe('cp a/list.txt trip_plan.md');
});

test('A name that the model translated is the only one with its ending that the person wrote, in every step', () => {
  const steps: ScopeStep[] = [
    { act: 'look', what: 'read umbrella_25.md' },
    { act: 'change', what: 'add mirror at the end of umbrella_25.md' },
  ];
  const named = (message: string, files: string[]): string[] =>
    withRealNames(steps, personMessage(message), files).map(({ what }) => what);
  const files = ['傘_25.md', '普通.md', 'a.txt'];
  expect(named('「傘_25.md」の最後に「鏡」を追加', files)).toEqual([
    'read 傘_25.md',
    'add mirror at the end of 傘_25.md',
  ]);
  const asWritten = steps.map(({ what }) => what);
  expect(named('「傘_25.md」と「普通.md」', files)).toEqual(asWritten);
  expect(named('「a.txt」', files)).toEqual(asWritten);
  expect(named('umbrella_25.md 傘_25.md', files)).toEqual(asWritten);
  expect(withRealNames(steps.slice(1), personMessage('「傘_25.md」'), files)).toEqual(steps.slice(1));
});
