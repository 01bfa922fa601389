/** A call that would write what nobody asked for is not made, and asked for again with other dice. */
import { expect, test } from 'vitest';
import { z } from 'zod';
import { defineTool } from '../../src/host/tools/define-tool.ts';
import { answers, reply, small } from '../helpers/small-models.ts';
import { profile } from '../helpers/turn-world.ts';

const held = 'lines 1-1 of 1\n{"port": 1}';
const changes = {
  steps: [
    { act: 'change', what: '1 to 2 in a.json' },
    { act: 'answer', what: 'say that it is done' },
  ],
};
const reads = reply({ call: 'read_file', with: { path: 'a.json' } });
const edits = (next: string) =>
  reply({ call: 'edit_file', with: { path: 'a.json', old_text: '1', new_text: next } });

function fileTool(name: string, risk: 'read' | 'write', onRun: () => string) {
  const texts = z.object({
    path: z.string(),
    old_text: z.string().optional(),
    new_text: z.string().optional(),
  });
  return defineTool({
    name,
    description: name,
    parameters: texts,
    mutates: risk === 'write',
    retrySafe: risk === 'read',
    risk,
    about: 'workspace',
    timeoutMs: 1000,
    subject: ({ path }) => path,
    need: () => ({ summary: name, mutates: '', sandboxed: false, scopes: ['once', 'session'] }),
    execute: () => Promise.resolve({ ok: true, content: onRun(), display: null }),
  });
}

test('An edit that breaks a JSON file is not made, and its call is asked for again with other dice', async () => {
  const world = small(reply(changes), reads, edits('2}}'), edits('2'), answers('The port is 2.'));
  const made: string[] = [];
  world.entries = ['a.json'];
  world.moreTools.push(
    fileTool('read_file', 'read', () => held),
    fileTool('edit_file', 'write', () => {
      made.push('edit');
      return 'Edited a.json.';
    }),
  );
  world.active = profile({ tools: ['read_file', 'edit_file'] });
  await world.run('The port in a.json has to be 2.');
  expect(made).toEqual(['edit']);
  expect(world.requests.slice(1).map(({ sampling }) => sampling)).toMatchObject([
    { temperature: 0 },
    { temperature: 0 },
    { temperature: 0.4, seed: 1 },
    { temperature: 0 },
  ]);
  expect(JSON.stringify(world.messages)).toContain('would not be JSON any more');
});
