import { expect, test } from 'vitest';
import { addedLine, asEdit } from './added-line.ts';
import { replySchema } from './constrained.ts';
import { createConstrainedReader } from './constrained-reader.ts';
import { offered } from './testing.ts';

const form = addedLine(['list.txt'], { first: 'barrel', last: 'quarry' });
const forms = form ? [{ tool: 'edit_file', args: form }] : [];
const schema = JSON.stringify(replySchema({ tools: offered, mayCall: true, mayAnswer: false, forms }));

test('A grammar can hold an edit to adding a line behind or before all that is there', () => {
  expect(schema).toContain('"enum":["at the end, below: quarry","at the beginning, above: barrel"]');
  expect(schema).not.toContain('old_text');
  expect(addedLine(['list.txt'], { first: null, last: null })).toBeNull();
});

test('A form of a tool that may not be called is no branch', () => {
  const only = replySchema({ tools: offered, mayCall: true, mayAnswer: false, only: ['read_file'], forms });
  expect(JSON.stringify(only)).not.toContain('add_line');
  expect(
    JSON.stringify(replySchema({ tools: offered, mayCall: true, mayAnswer: false, forms }, 'names')),
  ).not.toContain('add_line');
});

function read(args: object): unknown {
  const reader = createConstrainedReader();
  reader.push(JSON.stringify({ call: 'edit_file', with: args }));
  return reader.end();
}

test('A line that is added is read as an edit of the tool, with the line that stays', () => {
  expect(
    read({ '1_path': 'list.txt', '2_where': 'at the end, below: quarry', '3_add_line': 'yogurt' }),
  ).toMatchObject({
    args: { path: 'list.txt', old_text: 'quarry', new_text: 'quarry\nyogurt' },
  });
  expect(
    read({ '1_path': 'list.txt', '2_where': 'at the beginning, above: barrel', '3_add_line': 'yogurt' }),
  ).toMatchObject({
    args: { path: 'list.txt', old_text: 'barrel', new_text: 'yogurt\nbarrel' },
  });
});

test.each([
  [{ path: 'a', old_text: 'b', new_text: 'c' }],
  [{ '1_path': 'a', '2_where': 'at the end, below: b' }],
  [{ '1_path': 'a', '2_where': 'somewhere', '3_add_line': 'c' }],
  [{ '1_path': 'a', '2_where': 'at the end, below: b', '3_add_line': 'c', more: 1 }],
  [{}],
])('Arguments of another form stay as they are: %j', (args) => {
  expect(asEdit(args)).toEqual(args);
});
