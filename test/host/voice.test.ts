/** The figures of `npm run voice`: each finds what it is for, and nothing else. */
import { expect, test } from 'vitest';
import { personTexts } from '../../scripts/voice/person-texts.ts';
import { forbiddenIn, maxWords, sentencesOf, twoWordsForOne } from '../../scripts/voice/rules.ts';

const texts = (...all: string[]) => all.map((text) => ({ place: 'a.ts', text }));

test('An expression that nobody would use is found, and a word that only holds one is not', () => {
  expect(forbiddenIn(texts('Read it anew.', 'It stands below.', 'Payment: renewed.'))).toEqual([
    'a.ts: anew (again): Read it anew.',
    'a.ts: stands (is): It stands below.',
  ]);
  expect(forbiddenIn(texts('GPU stands for a card.', 'One: two. Three; four.'))).toEqual([]);
  expect(forbiddenIn(texts('One: two; three.'))).toHaveLength(1);
});

test('A second word for a thing that has one is found', () => {
  expect(twoWordsForOne(texts('Open the workspace.', 'Open the folder.'))).toEqual([
    'a.ts: workspace (folder): Open the workspace.',
  ]);
});

test('A sentence is counted by its words, and figures put in count as one', () => {
  const [first, second] = sentencesOf(texts('Reads ‹› files. Then it ends.'));
  expect([first?.words, second?.words]).toEqual([3, 3]);
  const long = sentencesOf(texts(`${'word '.repeat(21)}.`));
  expect(long.filter(({ words }) => words > maxWords)).toHaveLength(1);
});

test('What a person reads is found in dictionaries, errors, the command line and the README', () => {
  const places = new Set(personTexts().map(({ place }) => place.split('/').slice(0, 2).join('/')));
  for (const place of ['src/text', 'src/cli', 'src/host', 'src/engine', 'README.md'])
    expect(places).toContain(place);
  const all = personTexts().map(({ text }) => text);
  expect(all.length).toBeGreaterThan(2_000);
  expect(all.filter((text) => text.includes('=>'))).toEqual([]);
});
