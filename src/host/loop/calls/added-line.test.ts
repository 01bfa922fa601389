import { expect, test } from 'vitest';
import { addedLines, asEdit } from './added-line.ts';
import { replySchema } from './constrained.ts';
import { createConstrainedReader } from './constrained-reader.ts';
import { offered } from './testing.ts';

const forms = addedLines(['list.txt'], { first: 'barrel', last: 'quarry' }).map((args) => ({
  tool: 'edit_file',
  args,
}));
const schema = JSON.stringify(replySchema({ tools: offered, mayCall: true, mayAnswer: false, forms }));

test('A grammar can hold an edit to adding a line behind or before all that is there', () => {
  expect(schema).toContain('"2_below_line":{"type":"string","enum":["quarry"]}');
  expect(schema).toContain('"2_above_line":{"type":"string","enum":["barrel"]}');
});

test('A form of a tool that may not be called is no branch', () => {
  const only = replySchema({ tools: offered, mayCall: true, mayAnswer: false, only: ['read_file'], forms });
  expect(JSON.stringify(only)).not.toContain('below_line');
  expect(
    JSON.stringify(replySchema({ tools: offered, mayCall: true, mayAnswer: false, forms }, 'names')),
  ).not.toContain('below_line');
});

function read(args: object): unknown {
  const reader = createConstrainedReader();
  reader.push(JSON.stringify({ call: 'edit_file', with: args }));
  return reader.end();
}

test('A line that is added is read as an edit of the tool, with the line that stays', () => {
  expect(read({ '1_path': 'list.txt', '2_below_line': 'quarry', '3_add_line': 'yogurt' })).toMatchObject({
    args: { path: 'list.txt', old_text: 'quarry', new_text: 'quarry\nyogurt' },
  });
  expect(read({ '1_path': 'list.txt', '2_above_line': 'barrel', '3_add_line': 'yogurt' })).toMatchObject({
    args: { path: 'list.txt', old_text: 'barrel', new_text: 'yogurt\nbarrel' },
  });
});

test.each([
  [{ path: 'a', old_text: 'b', new_text: 'c' }],
  [{ '1_path': 'a', '2_below_line': 'b' }],
  [{ '1_path': 'a', '2_below_line': 'b', '2_above_line': 'b', '3_add_line': 'c' }],
  [{ '1_path': 'a', '2_below_line': 'b', '3_add_line': 'c', more: 1 }],
  [{}],
])('Arguments of another form stay as they are: %j', (args) => {
  expect(asEdit(args)).toEqual(args);
});
