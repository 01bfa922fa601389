import { expect, test } from 'vitest';
import { systemFiles } from '../../platform/files.ts';
import { systemProcesses } from '../../platform/processes.ts';
import { renderTodo, setStatus, setSteps, summarizeTodo } from '../planning/todo-list.ts';
import { describeTools } from './describe-tools.ts';
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

const registry = createToolRegistry({
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
});

test('every tool says its risk, and only those that change something more than reading', () => {
  const facts = describeTools(registry);
  expect(facts.map(({ name }) => name)).toEqual([...registry.keys()]);
  const risky = facts.filter(({ risk }) => risk !== 'read').map(({ name, risk }) => [name, risk]);
  expect(risky).toEqual([
    ['write_file', 'write'],
    ['edit_file', 'write'],
    ['create_document', 'write'],
    ['run_command', 'execute'],
    ['schedule_add', 'write'],
    ['schedule_cancel', 'write'],
    ['tool_call', 'network'],
  ]);
});

test('a tool costs more the more its schema says', () => {
  const tokens = new Map(describeTools(registry).map((fact) => [fact.name, fact.tokens]));
  expect(tokens.get('list_profiles')).toBeLessThan(tokens.get('spawn_agent') ?? 0);
  // Nobody has set up who searches the web, and nobody has a collection.
  for (const name of ['web_search', 'search_collections']) {
    expect(tokens.get(name)).toBe(0);
    tokens.delete(name);
  }
  for (const count of tokens.values()) expect(count).toBeGreaterThan(10);
});
