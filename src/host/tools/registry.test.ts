import { expect, test } from 'vitest';
import { systemFiles } from '../../platform/files.ts';
import { systemProcesses } from '../../platform/processes.ts';
import { toolModules } from '../../protocol/tools.ts';
import { mayUseTool } from '../../rules/tool-levels.ts';
import { tools as words } from '../../text/en/tools.ts';
import { renderTodo, setStatus, setSteps, summarizeTodo } from '../planning/todo-list.ts';
import { createToolRegistry } from './registry.ts';
import {
  guardFor,
  noCollections,
  noCommandSandbox,
  noDocuments,
  noMcp,
  noSchedule,
  noSkills,
  noWeb,
} from './testing.ts';

const tools = [
  ...createToolRegistry({
    files: systemFiles,
    guard: guardFor(),
    processes: systemProcesses,
    ripgrepPath: '/none',
    platform: 'linux',
    sandbox: noCommandSandbox,
    todo: { setSteps, setStatus, renderTodo, summarizeTodo },
    memory: {
      save: () => ({ fact: { category: '', key: 'a', value: 'a' }, change: 'added' }),
      search: () => Promise.resolve([]),
    },
    schedule: noSchedule,
    skills: noSkills,
    mcp: noMcp,
    web: noWeb,
    collections: noCollections,
    documents: noDocuments,
  }).values(),
];

test('the first set stands in the order of the head', () => {
  expect(tools.map(({ name }) => name)).toEqual([
    'read_file',
    'write_file',
    'edit_file',
    'create_document',
    'list_files',
    'glob',
    'search',
    'run_command',
    'spawn_agent',
    'switch_profile',
    'list_profiles',
    'todo',
    'scratchpad',
    'memory_save',
    'memory_search',
    'schedule_add',
    'schedule_list',
    'schedule_cancel',
    'load_skill',
    'tool_search',
    'tool_call',
    'fetch_url',
    'web_search',
    'search_collections',
  ]);
});

test('each tool that has a name has its module, its level, its words and its place in the head (audit-N1)', () => {
  const names = Object.keys(toolModules);
  expect(tools.map(({ name }) => name).toSorted()).toEqual(names.toSorted());
  const owner = { level: 'owner', modules: Object.values(toolModules) } as const;
  expect(names.filter((name) => !mayUseTool(owner, name))).toEqual([]);
  expect(names.filter((name) => !Object.hasOwn(words, name))).toEqual([]);
});

test('only what changes something asks as a change, and a command is allowed once at a time', () => {
  const asked = tools.map((tool) => {
    const { name, mutates, retrySafe } = tool;
    const parsed = tool.parse({
      path: 'a',
      title: 'a',
      content: 'a',
      old_text: 'a',
      new_text: '',
      pattern: 'a',
      command: 'a',
      task: 'a',
      briefing: '',
      profile_id: 'a',
      action: 'list',
      key: 'a',
      value: 'a',
      query: 'a',
      name: 'a',
      arguments: {},
      url: 'a',
      // Of a step it is a number.
      ...(name === 'schedule_cancel' && { id: 'a' }),
    });
    const need = parsed.ok ? parsed.call.need : undefined;
    return [name, need?.risk, need?.scopes.length, mutates, retrySafe, need?.sandboxed];
  });
  expect(asked).toEqual([
    ['read_file', 'read', 2, false, true, false],
    ['write_file', 'write', 2, true, false, false],
    ['edit_file', 'write', 2, true, false, false],
    ['create_document', 'write', 2, true, false, false],
    ['list_files', 'read', 2, false, true, false],
    ['glob', 'read', 2, false, true, false],
    ['search', 'read', 2, false, true, false],
    ['run_command', 'execute', 1, true, false, false],
    ['spawn_agent', 'read', 2, true, false, false],
    ['switch_profile', 'read', 2, false, true, false],
    ['list_profiles', 'read', 2, false, true, false],
    ['todo', 'read', 2, false, false, false],
    ['scratchpad', 'read', 2, false, false, false],
    ['memory_save', 'read', 2, true, true, false],
    ['memory_search', 'read', 2, false, true, false],
    ['schedule_add', 'write', 1, true, false, false],
    ['schedule_list', 'read', 2, false, true, false],
    ['schedule_cancel', 'write', 1, true, false, false],
    ['load_skill', 'read', 2, false, true, false],
    ['tool_search', 'read', 2, false, true, false],
    ['tool_call', 'network', 1, true, false, false],
    ['fetch_url', 'read', 2, false, true, false],
    ['web_search', 'read', 2, false, true, false],
    ['search_collections', 'read', 2, false, true, false],
  ]);
});

const inProfiles = ({ name }: { name: string }): boolean =>
  !/^(?:schedule|tool)_|^(?:fetch_url|web_search|search_collections)$/.test(name);

const tokens = (isSent: (tool: { name: string }) => boolean): number => {
  const sent = tools.filter(isSent).map(({ name, description, schema }) => ({
    type: 'function',
    function: { name, description, parameters: schema },
  }));
  return JSON.stringify(sent).length / 4;
};

test('the schemas of the whole set stay small: about four characters are a token', () => {
  expect(tokens(inProfiles)).toBeLessThan(1250);
  // In no profile that comes with Andiron.
  expect(tokens(({ name }) => name.startsWith('schedule_'))).toBeLessThan(260);
});

test('the two tools of the web cost at most 220 tokens of a head', () => {
  expect(tokens(({ name }) => name === 'fetch_url' || name === 'web_search')).toBeLessThan(220);
});

test('the tool of collections costs at most 90 tokens of a head', () => {
  expect(tokens(({ name }) => name === 'search_collections')).toBeLessThan(90);
});

test('the bridge to servers costs at most 250 tokens of a head, however many servers there are', () => {
  expect(tokens(({ name }) => name.startsWith('tool_'))).toBeLessThan(250);
});

test('every property has a type and at most one keyword that some templates print in random order', () => {
  for (const { name, schema } of tools) {
    expect(name).toMatch(/^[a-z_]+$/);
    for (const property of Object.values(schema.properties)) {
      expect(property.type).toBeTypeOf('string');
      expect(
        Object.keys(property).filter((key) => key !== 'type' && key !== 'description').length,
      ).toBeLessThan(2);
    }
  }
});
