import { expect, test } from 'vitest';
import { argsWithoutNote, noteBehind, withoutNote } from './copied-notes.ts';

const step = 'Next: add the contents of a.txt to t';
const { words: note, pieces } = noteBehind('Numbers read so far: 19, 63. Sum: 82.', step);

test.each([
  ['a step', '[main]\nport = 1\n\nNext: add the contents of a.txt to t', '[main]\nport = 1\n'],
  ['a step that the model wrote to its end', '19\n\nNext: add the contents of a.txt to total.txt', '19\n'],
  ['figures and step', `19\n63\n\n${note}`, '19\n63\n'],
  ['the marks of a template', `<tool_response>[main]\n\n${note}</tool_response>`, '[main]\n'],
  ['indents and gaps stay', `if a:\n  b\n\n\n  c\n\n${note}`, 'if a:\n  b\n\n\n  c\n'],
  ['a step right below the last line', '[main]\nNext: add the contents of a.txt to t', '[main]\n'],
  ['marks on lines of their own', `<result>\na\n\nb\n\n${note}\n</result>\n`, 'a\n\nb\n'],
])('What Andiron had put behind a result does not go into a file: %s', (_, text, left) => {
  expect(withoutNote(text, pieces)).toBe(left);
});

test.each([
  ['nothing of it', 'a\n\nb\n'],
  ['marks that the file itself has', '<main>\n<p>Next</p>\n</main>\n'],
  ['the same words in the middle', `${note}\n\nand more`],
  ['nothing else', note],
  ['a line that only begins alike', 'a\n\nNext: add'],
])('A text is written as it is that has %s', (_, text) => {
  expect(withoutNote(text, pieces)).toBe(text);
});

test('Without a note nothing is left out, and a short one is left out only where it stands as a whole', () => {
  expect(withoutNote('a\n\nb', [])).toBe('a\n\nb');
  expect(withoutNote('a\n\nNext: goes', ['Next: go'])).toBe('a\n\nNext: goes');
  expect(withoutNote('a\n\nNext: go', ['Next: go'])).toBe('a\n');
  expect(withoutNote('a\nNext: go', ['Next: go'])).toBe('a\nNext: go');
});

const figures = 'Rows below the heading: 2\nprice in all: 108, average 54';
const behind = noteBehind(figures, 'Next: add the prices');

test('A figure that Andiron worked out is left out of an edit, which then ends as the text that it replaces', () => {
  const edit = { path: 'a.csv', old_text: 'spoon,22', new_text: 'spoon,22\nprice in all: 108, average 54' };
  expect(argsWithoutNote(edit, behind)).toEqual({ ...edit, new_text: 'spoon,22' });
});

test('A figure is written where it is all of a file, or no line of its own', () => {
  for (const content of [
    'price in all: 108, average 54',
    'The price in all: 108, average 54',
    'in all: 108\n54\n',
  ])
    expect(argsWithoutNote({ content }, behind)).toEqual({ content });
});

test('What the person wrote in paragraphs goes into the file, though it stands behind the result as well', () => {
  const said = 'Replace all of a.txt with this:\n\nA title\n\nAnd the words below it.';
  for (const content of ['A title\n\nAnd the words below it.\n', 'Kept\n\nAnd the words below it.\n'])
    expect(argsWithoutNote({ content }, noteBehind(null, said))).toEqual({ content });
  expect(noteBehind(null, said).words).toBe(said);
});
