import { expect, test } from 'vitest';
import type { ContextMessage } from '../../providers/provider.ts';
import { recallsExamples } from './recalled.ts';

const asking = (content: string): ContextMessage[] => [{ role: 'user', content }];

test('An answer that names a file of the examples alone tells of them', () => {
  expect(recallsExamples("The word 'chá' has been added to drinks.txt.", asking('Copy a.ini to b.ini'))).toBe(
    true,
  );
  expect(recallsExamples('I read `recipes/soup.md`.', asking('Hello'))).toBe(true);
});

test('A file of the examples that the conversation names too is a file of the person', () => {
  expect(recallsExamples('drinks.txt has tea in it now.', asking('Put tea into drinks.txt'))).toBe(false);
});

test('An answer that names none of their files tells nothing of the examples', () => {
  expect(recallsExamples('b.ini is a copy of a.ini.', asking('Copy a.ini to b.ini'))).toBe(false);
  expect(recallsExamples('old-drinks.txt is empty.', asking('Which file is empty?'))).toBe(false);
});
