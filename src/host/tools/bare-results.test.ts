/** What each tool says without its advice. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { workbench, type Workbench } from './testing.ts';

let bench: Workbench;
beforeEach(() => (bench = workbench()));
afterEach(() => bench.remove());

const many = (count: number, write: (at: number) => void): void => {
  for (let at = 0; at < count; at += 1) write(at);
};

interface Case {
  given?: (bench: Workbench) => unknown;
  tool: string;
  args: Record<string, unknown>;
  /** How the bare result ends. */
  happened: string;
  /** What the other has there besides. */
  advice: string;
}

const cases: Record<string, Case> = {
  'a file that is not there': {
    tool: 'read_file',
    args: { path: 'gone.txt' },
    happened: 'There is no gone.txt.',
    advice: ' Use list_files or glob to find it.',
  },
  'a folder that is read': {
    given: ({ write }) => write('sub/a.txt', 'a'),
    tool: 'read_file',
    args: { path: 'sub' },
    happened: 'sub is a folder.',
    advice: ' Use list_files to see what is in it.',
  },
  'a path outside': {
    tool: 'list_files',
    args: { path: '..' },
    happened: '".." is not inside the workspace.',
    advice: ' Use a path relative to the workspace, without "..".',
  },
  'a file that is no text': {
    given: ({ write }) => write('a.bin', new Uint8Array([65, 0, 66])),
    tool: 'read_file',
    args: { path: 'a.bin' },
    happened: 'a.bin is not a text file, so it can be neither read nor changed with these tools.',
    advice: ' Use a command if you need what is in it.',
  },
  'a long folder': {
    given: ({ write }) => many(202, (at) => write(`f${String(at)}`, '')),
    tool: 'list_files',
    args: {},
    happened: '... and 2 more.',
    advice: ' Use glob to find names.',
  },
  'many names': {
    given: ({ write }) => many(202, (at) => write(`f${String(at)}`, '')),
    tool: 'glob',
    args: { pattern: 'f*' },
    happened: '... of 202 files.',
    advice: ' Use a narrower pattern.',
  },
  'many lines': {
    given: ({ write }) => write('a.txt', 'same\n'.repeat(102)),
    tool: 'search',
    args: { pattern: 'same' },
    happened: '... of 102 lines.',
    advice: ' Use a narrower pattern or a path.',
  },
  'a pattern that is too large': {
    tool: 'search',
    args: { pattern: '\\w{1000}{1000}' },
    happened: '',
    advice: '\nUse another pattern or path.',
  },
  'a file that was not read': {
    given: ({ write }) => write('a.txt', 'a'),
    tool: 'write_file',
    args: { path: 'a.txt', content: 'b' },
    happened: 'a.txt exists and was not read yet.',
    advice: ' Read it with read_file first.',
  },
  'text that is nowhere': {
    given: async ({ write, call }) => {
      write('a.txt', 'a');
      await call('read_file', { path: 'a.txt' });
    },
    tool: 'edit_file',
    args: { path: 'a.txt', old_text: 'c', new_text: 'b' },
    happened: 'a.txt was not changed: old_text is not in the file.',
    advice: ' Read the file again and copy the text exactly.',
  },
  'Git’s own folder': {
    tool: 'write_file',
    args: { path: '.git/config', content: '' },
    happened: '.git/config belongs to Git.',
    advice: ' Use git commands to change it.',
  },
  'what is not remembered': {
    tool: 'memory_search',
    args: { query: 'city' },
    happened: 'Nothing is remembered about that.',
    advice: ' Try other words, or ask the user.',
  },
};

test.each(Object.entries(cases))('The result of %s has its advice last', async (_, { given, ...made }) => {
  await given?.(bench);
  const { content, bare = '' } = await bench.call(made.tool, made.args);
  expect(content).toBe(bare + made.advice);
  expect(bare.endsWith(made.happened)).toBe(true);
});

test('A part of a file tells in its first line where to read on, and bare only which part it is', async () => {
  bench.write('a.txt', 'a\nb\nc\n');
  const { content, bare } = await bench.call('read_file', { path: 'a.txt', end_line: 2 });
  expect(content).toBe('lines 1-2 of 3; read on with start_line 3\na\nb');
  expect(bare).toBe('lines 1-2 of 3\na\nb');
  expect(await bench.call('read_file', { path: 'a.txt' })).not.toHaveProperty('bare');
});

test('Files that a search left out are told without how to look there', async () => {
  bench.write('.ssh/id_ed25519', 'key');
  bench.write('a.txt', 'a');
  const { content, bare } = await bench.call('glob', { pattern: '*.txt' });
  expect(content).toContain('1 file in a protected place is left out. To look there, name');
  expect(bare).toMatch(/1 file in a protected place is left out\.$/);
});
