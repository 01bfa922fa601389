import { expect, test } from 'vitest';
import { z } from 'zod';
import { toolCallTool } from '../tools/bridge-tools.ts';
import { defineTool } from '../tools/define-tool.ts';
import { noMcp } from '../tools/testing.ts';
import { readCall } from './offered.ts';

const look = defineTool({
  name: 'look',
  description: 'Look.',
  parameters: z.object({}),
  mutates: false,
  retrySafe: true,
  risk: 'read',
  about: 'outside',
  timeoutMs: 1_000,
  subject: () => '',
  need: () => ({ summary: '', mutates: '', sandboxed: false, scopes: ['once'] }),
  execute: async () => ({ ok: true, content: '', display: null }),
});

test.each([
  ['unread', 'its arguments are no JSON object.', 'Call it again with valid JSON.'],
  ['too_large', 'its arguments are too large.', 'Call it again with less, in several calls if need be.'],
] as const)('A call whose arguments are %s says why, and what to do next', (fault, why, next) => {
  const { parsed } = readCall('look', {}, fault, [look]);
  const bare = `Tool error: look was not run: ${why}`;
  expect(parsed).toEqual({ ok: false, error: `${bare} ${next}`, bare });
});

const bridge = [look, toolCallTool(noMcp)];

test.each([
  ['notes.add', 'tool_call'],
  ['functions.look', 'look'],
  ['look', 'look'],
])('A call of %s is one of %s', (name, tool) => {
  expect(readCall(name, {}, undefined, bridge).tool?.name).toBe(tool);
});

test('Without servers a name of one is no tool', () => {
  expect(readCall('notes.add', {}, undefined, [look]).tool).toBeUndefined();
});

test('Arguments of a tool of a server are passed on as they came', () => {
  expect(readCall('notes.add', { path: 'x', deep: { a: [1] } }, undefined, bridge).args).toEqual({
    name: 'notes.add',
    arguments: { path: 'x', deep: { a: [1] } },
  });
});
