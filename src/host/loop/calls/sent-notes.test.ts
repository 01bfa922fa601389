import { expect, test } from 'vitest';
import { SentNotes } from './sent-notes.ts';

const budget = '7 steps are left. Bring the work to an end.';
const copied = (text: string, args: Record<string, unknown> = {}, ...notes: string[]): boolean | null => {
  const sent = new SentNotes();
  for (const words of notes) sent.add(words);
  return sent.areCopiedIn({ text, calls: [{ args }] });
};

test('A reply before any note says nothing of how its model takes notes', () => {
  expect(copied(budget)).toBeNull();
});

test('A reply in words of its own copies no note', () => {
  expect(copied('The work is at an end: 7 files are left.', { content: 'Bring the tea.' }, budget)).toBe(
    false,
  );
});

test('A reply copies a note where six of its words stand in an answer, in any letters and lines', () => {
  expect(copied('So: steps are left.\nBRING the  work to what it was', {}, budget)).toBe(true);
  expect(copied('steps are left. Bring the team', {}, budget)).toBe(false);
});

test('A reply copies a note where its last words stand in an answer', () => {
  expect(copied('bring the work to an end.', {}, budget)).toBe(true);
});

test('A reply copies a note where its words stand in an argument of a call, at any depth', () => {
  expect(copied('', { files: [{ content: `Total: 4\n\n${budget}` }] }, budget)).toBe(true);
});

test('A short note is copied as a whole or not at all', () => {
  expect(copied('The goal is still: a tidy folder.', {}, 'The goal is still:')).toBe(true);
  expect(copied('The goal is a tidy folder.', {}, 'The goal is still:')).toBe(false);
});

test('A reply that writes the mark of a note copies it', () => {
  expect(copied('Done. [andiron note] Well.', {}, budget)).toBe(true);
});

test('Every note of a turn may be copied, not only the newest', () => {
  expect(copied(budget, {}, budget, 'The goal is still:')).toBe(true);
});
