import { expect, test } from 'vitest';
import { editPlaces } from './edit-places.ts';

const whole = (...lines: string[]): string =>
  `lines 1-${lines.length} of ${lines.length}\n${lines.join('\n')}`;

test('What the texts name of a file can change, and nothing else', () => {
  const { named } = editPlaces(['Make the walls blue'], [whole('walls = red', 'roof = red')]);
  expect(named).toEqual(['walls = red']);
});

test('Nothing of a file can change where the texts name nothing of it', () => {
  expect(editPlaces(['Add yogurt at its end'], [whole('barrel', 'quarry')]).named).toEqual([]);
});

test('What is to be added names nothing of the file by the words that it shares with it', () => {
  const list = [whole('water the plants', 'pay the rent')];
  const step = 'add water the roses to todo.txt';
  expect(editPlaces([step, 'Add "water the roses" to todo.txt'], list).named).toEqual([]);
  expect(editPlaces([step, 'Füge „water the roses“ an'], list).named).toEqual([]);
  expect(editPlaces(['', 'Make "water the plants" shorter'], list).named).toContain('water the plants');
});

test('Quotes with blanks inside them, as French has them, name what stands in the file', () => {
  const { named } = editPlaces(
    ['« IF-8176 » doit devenir « EK-9328 »'],
    [whole('coussin IF-8176', 'lit RM-4155')],
  );
  expect(named).toEqual(['IF-8176', 'coussin IF-8176']);
});

test('The same line in two files that were read is no place', () => {
  const reads = [whole('debug = false'), whole('debug = false', 'port = 1')];
  expect(editPlaces(['Set debug to true'], reads).named).toEqual([]);
  expect(editPlaces(['Set debug to true'], [whole('debug = false'), whole('port = 1')]).named).toEqual([
    'false',
    'debug = false',
  ]);
});

test.each([
  ['  "port": 7311,', '7311'],
  ['"port": "mirror"', 'mirror'],
  ["  'port': 'mirror',", 'mirror'],
  ['max port: 40 MB', '40 MB'],
  ['const port = 80;', '80'],
  ['port = -1.5', '-1.5'],
  ['port: ./lib/a.js', './lib/a.js'],
  ['port starts: 10:30', '10:30'],
  ['port: [1, 2],', null],
  ['port https://a.example/b', null],
  ['if (port == 80) return;', null],
  ['port at 10:30', null],
  ["'port' => 80,", null],
  ['port: int = 80', null],
  ['let port: number = 80;', null],
  ['port: |', null],
  ['port =~ b', null],
  ['port: echo "hi"', null],
  ['port = "demo" # the app', null],
  ['port = 80  # default', null],
  ['port: "a","b"', null],
  ['"port": 1, "b": 2,', null],
])('Of the line %s the value %j can change alone', (line, value) => {
  const { named } = editPlaces(['port'], [whole(line, 'other')]);
  expect(named.filter((piece) => piece !== 'port')).toEqual(value === null ? [line] : [value, line]);
});

test('A value that stands in another line, too, cannot change alone', () => {
  expect(editPlaces(['Set port to 1'], [whole('port = 80', 'proxy = 8080')]).named).toEqual(['port = 80']);
});

test('A line that is longer than a person would quote is no place', () => {
  expect(editPlaces(['Make teapot blue'], [whole(`teapot ${'x '.repeat(150)}`)]).named).toEqual([]);
});

test.each([
  [['a', 'b'], { first: 'a', last: 'b' }],
  [['a', 'x', 'a'], { first: 'a\nx', last: 'x\na' }],
  [['bridge', 'bridges'], { first: 'bridge\nbridges', last: 'bridges' }],
  [['same'], { first: 'same', last: 'same' }],
  [['', 'a', ''], { first: '\na', last: 'a\n' }],
  [[''], { first: null, last: null }],
  [['x'.repeat(500)], { first: null, last: null }],
])('The ends of a file of the lines %j are %j', (lines, ends) => {
  expect(editPlaces([], [whole(...lines)]).ends).toEqual(ends);
});

test('A file that was read in part, or two files, have no ends', () => {
  const none = { first: null, last: null };
  expect(editPlaces([], ['lines 1-1 of 2\na']).ends).toEqual(none);
  expect(editPlaces([], [whole('a'), whole('b')]).ends).toEqual(none);
  expect(editPlaces([], []).ends).toEqual(none);
});
