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
  expect(rankTexts([...many, { name: 'b.light', description: 'Sets a lamp.' }], 'a lamp', 5)).toMatchObject([
    { name: 'b.light' },
  ]);
  expect(rankTexts(many, 'a', 5)).toEqual([]);
});

test('A tool that shares nothing but articles and prepositions with the query is not found', () => {
  const route = { name: 'maps.way_to_it', description: 'Gives the way for a car.', details: 'from the car' };
  const total = { name: 'numbers.sum', description: 'Adds up all that is given with SQL.' };
  expect(rankTexts([route, total], 'search the web for news to read', 5)).toEqual([]);
  expect(rankTexts([route, total], 'Rechne mit der Zahl', 5)).toEqual([]);
  expect(rankTexts([route, total], 'book a car', 5)).toEqual([route]);
  expect(rankTexts([route, total], 'by sql', 5)).toEqual([total]);
});
