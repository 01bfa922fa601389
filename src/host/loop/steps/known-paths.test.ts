import { expect, test } from 'vitest';
import { personMessage } from '../../prompt/person-message.ts';
import { knownPaths, type NamedPaths } from './known-paths.ts';

const entries = ['red.txt', 'blue.txt', 'list.txt', 'deep/', 'deep/settings.ini'];
const looked = ['read red.txt', 'read blue.txt'];

function freshOf(message: string, step: string, others?: NamedPaths['named']['others']): readonly string[] {
  const named = { message: personMessage(message), step, ...(others && { others }) };
  return knownPaths({ named, entries, calls: [] }).fresh;
}

const sum = 'There is a number in red.txt and one in blue.txt. Write their sum into sum.txt.';

test('A change that names no file makes the one that the person names and no other step does', () => {
  expect(freshOf(sum, 'sum of red and blue', { work: looked, answer: '' })).toEqual(['sum.txt']);
  const written = [...looked, 'write sum.txt'];
  expect(freshOf(sum, 'sum of red and blue', { work: written, answer: '' })).toEqual([]);
});

test('A change that names a file that is there makes another one where the answer was to be about it', () => {
  const others = { work: looked, answer: 'save it to sum.txt' };
  expect(freshOf(sum, 'extract the number from red.txt', others)).toEqual(['sum.txt']);
  expect(freshOf(sum, 'extract the number from red.txt', { work: looked, answer: 'the sum' })).toEqual([]);
});

test('A file that is to be corrected and is not there is not made where nothing was looked at before', () => {
  const message = 'In gone.txt "one" has to say "two". Correct it.';
  expect(freshOf(message, 'correct the mistake')).toEqual([]);
  expect(freshOf(message, 'correct it', { work: ['read gone.txt'], answer: '' })).toEqual([]);
});

test.each([
  ['add new.txt to list.txt', []],
  ['output to new.txt in deep/settings.ini', []],
  ['add the numbers to new.txt', ['new.txt']],
  ['copy list.txt to new.txt', ['new.txt']],
])('A name that is put into a file is no file to be made: %s', (step, fresh) => {
  expect(freshOf(`Please: ${step}`, step, { work: ['read list.txt'], answer: '' })).toEqual(fresh);
});
