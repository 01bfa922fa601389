import { expect, test } from 'vitest';
import type { ToolSchema } from '../../tools/tool.ts';
import { offered } from './testing.ts';
import { findTool, mentionsTool, nameArguments } from './tool-names.ts';

const found = (written: string, tools = offered) => findTool(written, tools)?.tool.name;

const meant: [written: string, tool: string][] = [
  ['read_file', 'read_file'],
  ['READ_FILE', 'read_file'],
  ['readFile', 'read_file'],
  ['read-file', 'read_file'],
  ['Read File', 'read_file'],
  ['functions.read_file', 'read_file'],
  ['functions.read_file:0', 'read_file'],
  ['default_api.read_file', 'read_file'],
  ['default_api:read_file', 'read_file'],
  ['mcp__tools__read_file', 'read_file'],
  ['raed_file', 'read_file'],
  ['read_files', 'read_file'],
  ['wirte_file', 'write_file'],
  ['cat', 'read_file'],
  ['open_file', 'read_file'],
  ['ls', 'list_files'],
  ['list_directory', 'list_files'],
  ['bash', 'run_command'],
  ['execute_command', 'run_command'],
  ['grep', 'search'],
  ['find', 'glob'],
  ['create_file', 'write_file'],
  ['str_replace', 'edit_file'],
];

test.each(meant)('%s is taken as %s', (written, tool) => {
  expect(found(written)).toBe(tool);
});

const unknown = [
  'delete_file',
  'remove_file',
  'move_file',
  'copy',
  'rename',
  'os.system',
  'web_search',
  'x',
  '',
  'file',
];

test.each(unknown)('%j is no tool that is offered', (written) => {
  expect(found(written)).toBeUndefined();
  expect(found('a'.repeat(100_000) + written)).toBeUndefined();
});

test('a name that reads never becomes a tool that changes something', () => {
  const onlyChanging = offered.filter(({ mutates }) => mutates);
  for (const written of [
    'cat',
    'ls',
    'grep',
    'find',
    'read_file',
    'list_files',
    'search',
    'view',
    'show_edit_file',
  ]) {
    expect(found(written, onlyChanging)).toBeUndefined();
  }
  const misleading = offered.map((tool) => ({ ...tool, name: 'read_filex', mutates: true })).slice(0, 1);
  expect(found('read_file', misleading)).toBeUndefined();
});

test('a name that changes something never becomes a tool that reads by its spelling alone', () => {
  const reader = offered.slice(0, 1).map((tool) => ({ ...tool, name: 'exit_file' }));
  expect(found('edit_file', reader)).toBeUndefined();
});

test('two tools that are as near are none', () => {
  const two = offered.slice(0, 2).map((tool, at) => ({ ...tool, name: `tool_number_${String(at)}` }));
  expect(found('tool_number_7', two)).toBeUndefined();
});

test('strictly, only style and prefix may differ', () => {
  expect(findTool('functions.readFile', offered, false)?.tool.name).toBe('read_file');
  expect(findTool('cat', offered, false)).toBeUndefined();
  expect(findTool('raed_file', offered, false)).toBeUndefined();
});

test('the receipt says what was taken as what', () => {
  expect(findTool('read_file', offered)?.repair).toBeNull();
  expect(findTool('cat', offered)?.repair).toBe('took cat as read_file');
});

test('arguments get the name that they have here, unless it is taken', () => {
  const schema: ToolSchema = {
    type: 'object',
    properties: { path: { type: 'string' }, start_line: { type: 'integer' } },
    required: ['path'],
  };
  expect(nameArguments(schema, { filePath: 'a', startLine: 2, why: 'x' })).toEqual({
    args: { path: 'a', start_line: 2, why: 'x' },
    repairs: ['took filePath as path', 'took startLine as start_line'],
  });
  expect(nameArguments(schema, { file: 'a', path: 'b' }).args).toEqual({ file: 'a', path: 'b' });
  expect(nameArguments(schema, { file: 'a', dir: 'b' }).args).toEqual({ path: 'a', dir: 'b' });
});

test('a text speaks of a tool by its name, a plain word only in backquotes', () => {
  expect(mentionsTool('You can use the `read_file` function.', offered)).toBe(true);
  expect(mentionsTool('Use `search` for that.', offered)).toBe(true);
  expect(mentionsTool('I will search the web and read a file.', offered)).toBe(false);
});

test('Two exchanged letters are one slip, also in a short name (audit-A14)', () => {
  expect(found('serach')).toBe('search');
  expect(found('raed_flie')).toBe('read_file');
  expect(found('saerhc')).toBeUndefined();
});
