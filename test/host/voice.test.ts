/** The figures of `npm run voice`: each finds what it is for, and nothing else. */
import { expect, test } from 'vitest';
import { isGerman } from '../../scripts/voice/german-rules.ts';
import { personTexts } from '../../scripts/voice/person-texts.ts';
import {
  forbiddenIn,
  maxWords,
  mixedSigns,
  mixedSpelling,
  sentencesOf,
  twoWordsForOne,
  withoutSubject,
} from '../../scripts/voice/rules.ts';

const read = personTexts().filter((text) => !isGerman(text));
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

test('A sentence that nobody does is found, and a participle within a sentence is not', () => {
  expect(withoutSubject(texts('It waits. Being read.', 'Being quick helps.'))).toHaveLength(2);
  expect(withoutSubject(texts('It ends after being read.', 'Human Being'))).toEqual([]);
});

test('American spelling among British is found, and words with a z of their own are not', () => {
  const american = ['Minimize it', 'A color', 'Quantization', 'Summarizing it'];
  expect(mixedSpelling(texts(...american))).toHaveLength(american.length);
  expect(mixedSpelling(texts('Resize by size', 'Its colours', 'A prize', 'The catalogue', 'seized'))).toEqual(
    [],
  );
});

test('A straight apostrophe, three dots and a dash as ornament are found in dictionaries alone', () => {
  const inDictionary = ["It can't", 'Choose...', 'It ended - it failed', 'It ended – it failed'].map(
    (text) => ({
      place: 'src/text/en/a.ts',
      text,
    }),
  );
  expect(mixedSigns(inDictionary)).toHaveLength(4);
  expect(mixedSigns(inDictionary.map(({ text }) => ({ place: 'src/cli/a.ts', text })))).toEqual([]);
  const proper = ['It can’t', 'Choose…', 'Letters, digits, - and _', '‹› - Andiron', 'Every ‹› minutes'];
  expect(mixedSigns(proper.map((text) => ({ place: 'src/text/en/a.ts', text })))).toEqual([]);
});

test('A sentence is counted by its words, and figures put in count as one', () => {
  const [first, second] = sentencesOf(texts('Reads ‹› files. Then it ends.'));
  expect([first?.words, second?.words]).toEqual([3, 3]);
  const long = sentencesOf(texts(`${'word '.repeat(21)}.`));
  expect(long.filter(({ words }) => words > maxWords)).toHaveLength(1);
});

test('What a person reads is found in dictionaries, errors, the command line and the README', () => {
  const places = new Set(read.map(({ place }) => place.split('/').slice(0, 2).join('/')));
  for (const place of ['src/text', 'src/cli', 'src/host', 'src/engine', 'README.md'])
    expect(places).toContain(place);
  const all = read.map(({ text }) => text);
  expect(all.length).toBeGreaterThan(2_000);
  expect(all.filter((text) => text.includes('=>'))).toEqual([]);
});

test('What people type to find a command is no text that they read', () => {
  expect(read.filter(({ text }) => text.startsWith('directory project workspace'))).toEqual([]);
});

test('No text that a person reads breaks a rule of the voice (audit-U24)', () => {
  expect(
    [forbiddenIn, twoWordsForOne, withoutSubject, mixedSpelling, mixedSigns].flatMap((rule) => rule(read)),
  ).toEqual([]);
});

test('At most 2 % of the sentences that a person reads have more than twenty words (audit-U24)', () => {
  const sentences = sentencesOf(read);
  const long = sentences.filter(({ words }) => words > maxWords);
  expect(long.length / sentences.length).toBeLessThanOrEqual(0.02);
});
