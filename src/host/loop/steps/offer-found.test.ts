/** What a step looks for by a pattern of names, and a change that names no file, behind a search. */
import { expect, test } from 'vitest';
import { personMessage } from '../../prompt/person-message.ts';
import type { CallRecord } from '../calls/discipline.ts';
import type { ReplyOptions } from '../calls/constrained.ts';
import { offered as tools } from '../calls/testing.ts';
import { offerOf } from './offer.ts';

const entries = ['notes/', 'notes/trip-plan.md', 'list.md'];
const did = (name: string, args: object, content: string): CallRecord => ({
  name,
  args,
  content,
  mutates: false,
  ok: true,
  stale: false,
});
const search = (content: string): CallRecord => did('search', { pattern: 'Friday' }, content);
const found = search('We leave on Friday at 8.\n(notes/trip-plan.md, line 3)');

const offerAfter = (calls: readonly CallRecord[], step = 'Friday to Saturday in trip plan'): ReplyOptions => {
  const message = personMessage('Change Friday to Saturday in the trip plan.');
  return offerOf({ tools, acts: ['change'], named: { step, message }, entries, calls });
};
const lookFor = (step: string, calls: readonly CallRecord[] = []): ReplyOptions => {
  const message = personMessage('list me every .csv');
  return offerOf({ tools, acts: ['look'], named: { step, message }, entries, calls });
};
const writtenFor = (text: string, step: string): readonly string[] | undefined => {
  const named = { step, message: personMessage(text) };
  return offerOf({ tools, acts: ['change'], named, entries, calls: [] }).values?.('write_file', 'path');
};
const namesOf = (options: ReplyOptions): string[] => options.tools.map(({ name }) => name);

test('The only file in which it was found is read first, and changed then', () => {
  const first = offerAfter([found]);
  expect(namesOf(first)).toEqual(['read_file']);
  expect(first.values?.('read_file', 'path')).toEqual(['notes/trip-plan.md']);
  const read = did('read_file', { path: 'notes/trip-plan.md' }, 'lines 1-1 of 1\nWe leave on Friday at 8.');
  const then = offerAfter([found, read]);
  expect(then.values?.('edit_file', 'path')).toEqual(['notes/trip-plan.md']);
  expect(then.values?.('edit_file', 'old_text')).toContain('Friday');
});

test('Where it was found in two files, or a new file is to be made, nothing is read first', () => {
  const two = search('notes/trip-plan.md:3: Friday\nlist.md:1: Friday');
  expect(namesOf(offerAfter([two]))).toContain('write_file');
  expect(namesOf(offerAfter([found], 'write day.txt'))).toEqual(['write_file']);
});

test('Names that a step finds by a pattern are found by that pattern, and by a search where there are none', () => {
  const first = lookFor('find **/*.csv');
  expect(namesOf(first)).toEqual(['glob']);
  expect(first.values?.('glob', 'pattern')).toEqual(['**/*.csv']);
  const missed = did('glob', { pattern: '**/*.csv' }, 'No file matches **/*.csv.');
  expect(namesOf(lookFor('find **/*.csv', [missed]))).toEqual(['search']);
  expect(namesOf(lookFor('find the teapot'))).toContain('search');
});

test.each([
  ['search for CT-6712', 'CT-6712'],
  ['search for `E1511` in notes', 'E1511'],
  ['search for 雨傘12 in “notes”', '雨傘12'],
])('A code that a step searches for is looked for in the files as it is written: %s', (step, code) => {
  const options = lookFor(step);
  expect(namesOf(options)).toEqual(['search']);
  expect(options.values?.('search', 'pattern')).toEqual([code]);
});

test.each(['search for Friday in notes', 'search for the number 12', 'search for *.md2', 'search for 2026'])(
  'What may be more than its words is looked for as the model words it: %s',
  (step) => {
    expect(lookFor(step).values?.('search', 'pattern')).toBeUndefined();
  },
);

test('A new file whose folder the model translated has the folder that the person wrote', () => {
  expect(writtenFor('Mi scrivi qualcosa in chiave/nota.md?', 'write key/nota.md')).toEqual([
    'chiave/nota.md',
  ]);
  expect(writtenFor('Put nota.md into the folder docs', 'write docs/nota.md')).toEqual(['docs/nota.md']);
});

const patternsOf = (options: ReplyOptions) => options.values?.('search', 'pattern');

function offerLook(step: string, text: string, calls: readonly CallRecord[] = []): ReplyOptions {
  const named = { step, message: personMessage(text) };
  return offerOf({ tools, acts: ['look'], named, entries, calls });
}

test('A file that the model makes up of a word in the message is searched for as that word', () => {
  const asked = 'Which of my notes has the ticket?';
  const missing = {
    ...did('read_file', { path: 'notes/ticket.md' }, 'Error: There is no notes/ticket.md.'),
    ok: false,
  };
  expect(namesOf(offerLook('read notes/ticket.md', asked))).toEqual(['read_file']);
  const then = offerLook('read notes/ticket.md', asked, [missing]);
  expect([namesOf(then), patternsOf(then)]).toEqual([['search'], ['ticket']]);
  const unended = offerLook('read notes/ticket', asked);
  expect([namesOf(unended), patternsOf(unended)]).toEqual([['search'], ['ticket']]);
  expect(patternsOf(offerLook('read notes/other.md', asked, [missing]))).toBeUndefined();
  expect(
    patternsOf(offerLook('read notes/ticket.md', 'What is in notes/ticket.md?', [missing])),
  ).toBeUndefined();
  expect(
    patternsOf(offerLook('read notes/ticket.md', 'Which ticket is in notes/ticket.md?', [missing])),
  ).toBeUndefined();
});
