import { expect, it } from 'vitest';
import { markWords, matchesAll, wordsOf } from './search-words.ts';

it('matches without regard to case, accents and the order of words', () => {
  expect(matchesAll('Größe der Schrift', wordsOf('schrift GROSSE'))).toBe(false);
  expect(matchesAll('Größe der Schrift', wordsOf('SCHRIFT große'))).toBe(true);
  expect(matchesAll('Motion', wordsOf('  '))).toBe(true);
});

it('marks every place of every word and loses no letter', () => {
  const pieces = markWords('Résumé: resume the plan', wordsOf('resume plan'));
  expect(pieces.map(({ text }) => text).join('')).toBe('Résumé: resume the plan');
  expect(pieces.filter(({ found }) => found).map(({ text }) => text)).toEqual(['Résumé', 'resume', 'plan']);
});

it('marks overlapping words as one piece', () => {
  expect(markWords('planning', ['plan', 'ann'])).toEqual([
    { text: 'plann', found: true },
    { text: 'ing', found: false },
  ]);
});
