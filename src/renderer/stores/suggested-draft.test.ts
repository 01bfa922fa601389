import { expect, it } from 'vitest';
import { withSuggestion } from './suggested-draft.ts';

const offered = ['Run the tests', 'Write a README'];

it.each([
  ['an empty draft becomes the suggestion', '', 'Write a README'],
  ['blanks alone become the suggestion', ' \n', 'Write a README'],
  ['another suggestion is replaced', 'Run the tests', 'Write a README'],
  ['own words stay above it', 'Only the parser.', 'Only the parser.\n\nWrite a README'],
  [
    'own words stay, and another suggestion below them is replaced',
    'Only the parser.\n\nRun the tests',
    'Only the parser.\n\nWrite a README',
  ],
  [
    'a suggestion with a word of one’s own is own words',
    'Run the tests twice',
    'Run the tests twice\n\nWrite a README',
  ],
  [
    'own words that end as a suggestion does stay whole',
    'First, Run the tests',
    'First, Run the tests\n\nWrite a README',
  ],
])('A pressed suggestion loses nothing: %s', (_case, written, expected) => {
  expect(withSuggestion(written, 'Write a README', offered)).toBe(expected);
});
