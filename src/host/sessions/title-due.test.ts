import { expect, it } from 'vitest';
import { turn as aTurn } from '../store/testing.ts';
import { isReplaceable } from './title-due.ts';

const first = aTurn({ text: 'The retry delay is doubled once too often' });

it.each([
  ['the beginning of its first message', { title: first.text }, true],
  ['that with the number of a copy', { title: `${first.text} (3)` }, true],
  ['no name yet', { title: 'New session' }, true],
  ['what a model wrote', { title: 'Retry delay', titledBy: 'model' }, true],
  ['what the person wrote', { title: 'Retry delay', titledBy: 'person' }, false],
  ['what the person wrote, be it the message itself', { title: first.text, titledBy: 'person' }, false],
  ['what an older Andiron kept', { title: 'Retry delay' }, false],
] as const)('a title that is %s gives way to a new one: that is %s', (_, summary, gives) => {
  expect(isReplaceable(summary, first)).toBe(gives);
});
