import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { toolModules } from '../../../protocol/tools.ts';
import type { PromptHead } from '../../providers/provider.ts';
import { guidedHead, headWith, planningLines } from './toolsets.ts';

const planner = readFileSync('resources/profiles/planner/system.md', 'utf8');
const all = Object.keys(toolModules);
const planning = new Set(['todo', 'scratchpad', 'spawn_agent', 'switch_profile', 'list_profiles']);
const ahead = new Set(['schedule_add', 'schedule_list', 'schedule_cancel', 'load_skill']);

const headOf = (tools: readonly string[], system = 'Be brief.'): PromptHead => ({
  system,
  tools: tools.map((name) => ({
    name,
    description: `About ${name}`,
    schema: { type: 'object', properties: {}, required: [] },
  })),
});
const named = ({ tools }: PromptHead): string[] => tools.map(({ name }) => name);

test('A full head is the head of the profile, to the byte', () => {
  const head = headOf(all, planner);
  expect(headWith('full', head)).toBe(head);
});

test('A core head has every tool of the profile but those that plan', () => {
  expect(named(headWith('core', headOf(all)))).toEqual(
    all.filter((name) => !planning.has(name) && !ahead.has(name)),
  );
  expect(named(headWith('core', headOf(['weather', 'todo'])))).toEqual(['weather']);
});

test('A core head of the planner speaks of no todo list, no scratchpad and no subagent', () => {
  const { system } = headWith('core', headOf(all, planner));
  expect(system).not.toMatch(/todo|scratchpad|subagent/);
  expect(planner.split('\n').filter((line) => !system.split('\n').includes(line))).toEqual([
    ...planningLines,
  ]);
});

test('A core head of a profile without planning tools keeps its text, to the byte', () => {
  const head = headOf(['read_file'], planner);
  expect(headWith('core', head)).toBe(head);
});

test('A guided model is shown the tools of files and commands, and none that serves the agent itself', () => {
  const work = Object.entries(toolModules).flatMap(([name, module]) =>
    module === 'files' || module === 'commands' ? name : [],
  );
  expect(named(guidedHead(headOf(all)))).toEqual(work);
});

test('A guided model is shown a tool that did not come with Andiron', () => {
  expect(named(guidedHead(headOf(['todo', 'weather', 'read_file'])))).toEqual(['weather', 'read_file']);
});

test('A head of a guided model keeps its system text, and its tools to the letter', () => {
  const head = headOf(['todo', 'read_file', 'search']);
  expect(guidedHead(head)).toEqual({ system: 'Be brief.', tools: head.tools.slice(1) });
});
