import { expect, test } from 'vitest';
import type { ToolFacts } from '../../../protocol/profile-methods.ts';
import { aProfile } from '../../testing/fixtures.ts';
import { freeName, headCost, withTool } from './profile-head.ts';

const fact = (name: string, tokens: number): ToolFacts => ({
  name,
  description: '',
  risk: 'read',
  about: 'workspace',
  tokens,
});
const list = ['read_file', 'glob', 'search', 'todo'];

test('a tool that is taken away and put back leaves the head as it was, whatever its order', () => {
  for (const chosen of [['read_file', 'glob', 'todo'], ['todo', 'read_file'], ['glob']]) {
    const other = withTool(chosen, 'search', list);
    expect(other).toContain('search');
    expect(withTool(other, 'search', list)).toEqual(chosen);
  }
  const builtIn = ['read_file', 'search', 'todo'];
  expect(withTool(withTool(builtIn, 'search', list), 'search', list)).toEqual(builtIn);
});

test('a tool that comes stands where the list has it', () => {
  expect(withTool(['read_file', 'todo'], 'glob', list)).toEqual(['read_file', 'glob', 'todo']);
  expect(withTool([], 'todo', list)).toEqual(['todo']);
});

test('the head costs its tools and its texts, with the persona of all profiles unless it has its own', () => {
  const profile = aProfile({ tools: ['glob'], systemPrompt: 'x'.repeat(40) });
  const facts = [fact('glob', 62), fact('todo', 92)];
  expect(headCost(profile, facts, 'y'.repeat(60))).toEqual({ tools: 62, texts: 25 });
  expect(headCost({ ...profile, persona: 'z' }, facts, 'y'.repeat(60))).toEqual({ tools: 62, texts: 11 });
});

test('what is not known is not counted as nothing', () => {
  const profile = aProfile({ tools: ['gone'] });
  expect(headCost(profile, null, '')).toBeNull();
  expect(headCost(profile, [], null)).toBeNull();
  expect(headCost(profile, [fact('glob', 62)], '')).toBeNull();
});

const copy = (nth: number): string => `Writer copy ${nth}`;

test('a copy has a name of its own', () => {
  expect(freeName(copy, ['Writer'])).toBe('Writer copy 1');
  expect(freeName(copy, ['writer COPY 1', 'Writer copy 2'])).toBe('Writer copy 3');
});
