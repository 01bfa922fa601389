import { describe, expect, test } from 'vitest';
import { answerable, isRight, questions, questionsThatTell, unreadText } from './exam-questions.ts';

const schema = { type: 'object', properties: {}, required: [] } as const;
const tools = (...names: string[]) => names.map((name) => ({ name, schema: { ...schema, required: [] } }));
const reading = questions[0];

describe('a right call', () => {
  test.each([
    ['as asked', 'read_file', { path: 'README.md' }, true],
    ['by a longer path', 'read_file', { path: './README.md' }, true],
    ['with more than was asked', 'read_file', { path: 'README.md', start_line: 1 }, true],
    ['of another file', 'read_file', { path: 'package.json' }, false],
    ['without the argument', 'read_file', {}, false],
    ['with an argument of another kind', 'read_file', { path: 7 }, false],
    ['of another tool', 'list_files', { path: 'README.md' }, false],
  ] as const)('%s', (_, tool, args, right) => {
    expect(reading && isRight(reading, tool, args)).toBe(right);
  });

  test('where two ways are right, each counts', () => {
    const change = questions.at(-1);
    const edit = { path: 'src/main.js', old_text: 'thirty days', new_text: 'forty days' };
    expect(change && isRight(change, 'edit_file', edit)).toBe(true);
    expect(change && isRight(change, 'read_file', { path: 'src/main.js' })).toBe(true);
    expect(change && isRight(change, 'edit_file', { ...edit, new_text: 'fifty' })).toBe(false);
  });
});

test('only what the tools of the profile can do is asked', () => {
  const asked = answerable(tools('read_file'));
  expect(asked.every(({ right }) => right.some(({ tool }) => tool === 'read_file'))).toBe(true);
  expect(asked.length).toBeGreaterThan(2);
  expect(answerable(tools('read_file')).length).toBeLessThan(questions.length);
  expect(answerable(tools())).toEqual([]);
});

test('there are enough questions to tell models apart, of every kind of tool', () => {
  expect(questions.length).toBeGreaterThanOrEqual(10);
  const kinds = new Set(questions.flatMap(({ right }) => right.map(({ tool }) => tool)));
  expect([...kinds].toSorted()).toEqual([
    'edit_file',
    'list_files',
    'read_file',
    'run_command',
    'search',
    'write_file',
  ]);
});

test('no two texts to read are alike, so that no cache can hold them', () => {
  expect(unreadText(50, 1)).not.toBe(unreadText(50, 2));
  expect(unreadText(50, 1)).toBe(unreadText(50, 1));
  expect(unreadText(50, 1).split(' ')).toHaveLength(50);
});

test('A profile with hardly a tool for a folder is asked what nobody can answer without a look outside', () => {
  for (const name of ['tool_search', 'web_search', 'fetch_url', 'search_collections'])
    expect(answerable(tools(name))).toHaveLength(questionsThatTell);
  for (const name of ['read_file', 'search'])
    expect(answerable(tools(name, 'tool_search'))).toEqual(answerable(tools(name)));
  const few = answerable(tools('list_files'));
  expect(few.length).toBeLessThan(questionsThatTell);
  expect(answerable(tools('list_files', 'tool_search')).slice(0, few.length)).toEqual(few);
  expect(answerable(tools('list_files', 'tool_search')).length).toBeGreaterThan(questionsThatTell);
});

test('A tool is looked for in words of the own choice, and a page is fetched by the address that was given', () => {
  const [search] = answerable(tools('tool_search'));
  const [page] = answerable(tools('fetch_url'));
  if (!search || !page) throw new Error('Nothing is asked.');
  expect(isRight(search, 'tool_search', { query: 'anything' })).toBe(true);
  expect(isRight(search, 'fetch_url', { url: 'https://example.com/oslo' })).toBe(true);
  expect(isRight(search, 'memory_search', { query: 'anything' })).toBe(false);
  expect(isRight(page, 'fetch_url', { url: 'https://example.com/news' })).toBe(true);
  expect(isRight(page, 'fetch_url', { url: 'https://example.com' })).toBe(false);
});

test('No profile is asked more than one with all tools', () => {
  const names = ['read_file', 'list_files', 'search', 'run_command', 'write_file', 'edit_file'];
  const outside = ['tool_search', 'web_search', 'fetch_url', 'search_collections'];
  const counts = [names, ...names.map((name) => [name])].map(
    (some) => answerable(tools(...some, ...outside)).length,
  );
  expect(Math.max(...counts)).toBe(questions.length);
});
