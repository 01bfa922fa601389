import { expect, test } from 'vitest';
import { rankTexts } from './rank-texts.ts';

const tools = [
  { name: 'files.read_text_file', description: 'Read the contents of a file as text.' },
  { name: 'files.write_file', description: 'Create a file, or replace one, with content.' },
  { name: 'files.search_files', description: 'Search for files by a pattern in their names.' },
  { name: 'calendar.createEvent', description: 'Puts an event into the calendar of the person.' },
  { name: 'mail.send', description: 'Sends a letter to somebody.' },
];
const best = (query: string): string | undefined => rankTexts(tools, query, 5)[0]?.name;

test.each([
  ['read a text file', 'files.read_text_file'],
  ['create calendar events', 'calendar.createEvent'],
  ['write content into files', 'files.write_file'],
  ['searching by pattern', 'files.search_files'],
  ['send letters', 'mail.send'],
])('The best tool for “%s” is %s', (query, name) => {
  expect(best(query)).toBe(name);
});

test('A tool that shares no word with the query is not found', () => {
  expect(rankTexts(tools, 'weather forecast', 5)).toEqual([]);
  expect(rankTexts([], 'read', 5)).toEqual([]);
});

test('No more are found than were wanted', () => {
  expect(rankTexts(tools, 'file', 2)).toHaveLength(2);
});

test('Words about the parts of a tool count, and less than its description', () => {
  const plain = { name: 'a.one', description: 'Keeps a plain thing.', details: 'colour of the thing' };
  const other = { name: 'b.two', description: 'Sets the colour.' };
  expect(rankTexts([plain, other], 'colour', 5)).toEqual([other, plain]);
  expect(rankTexts([{ ...plain, details: '' }, other], 'colour', 5)).toEqual([other]);
});

test('A word that most of many tools speak of finds none of them', () => {
  const many = Array.from({ length: 12 }, (_, at) => ({ name: `a.t${at}`, description: 'Does a thing.' }));
  expect(
    rankTexts([...many, { name: 'b.light', description: 'Sets a lamp.' }], 'thing with a lamp', 5),
  ).toMatchObject([{ name: 'b.light' }]);
  expect(rankTexts(many, 'thing', 5)).toEqual([]);
});

test.each([
  ['search the web for news to read', 'Gives the way for a car that is to go.'],
  ['what is there about those, and when', 'Tells when and what was about.'],
  ['Rechne das mit der Zahl aus', 'Wandelt das Bild der Kamera mit ihr um.'],
  ['Gewicht eines Pakets über alles', 'Anlegen eines Termins über Mittag.'],
])('Nothing is found by the articles and prepositions of “%s”', (query, description) => {
  expect(rankTexts([{ name: 'a.way_to_it', description }], query, 5)).toEqual([]);
});

test('A word counts beside articles, and one in capitals is a name', () => {
  const route = { name: 'maps.way', description: 'Gives the way for a car.' };
  const secret = { name: 'files.hide', description: 'Runs DES on a file.' };
  const law = { name: 'legal.testament', description: 'Writes a will.' };
  const find = (query: string) => rankTexts([route, secret, law], query, 5);
  expect(find('book a car')).toEqual([route]);
  expect(find('encrypt with DES')).toEqual([secret]);
  expect(find('draft my will')).toEqual([law]);
});
