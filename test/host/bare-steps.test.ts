/** A step that names no more than the file that was just read: what is to come into it the person's words say. */
import { expect, test } from 'vitest';
import { z } from 'zod';
import { defineTool } from '../../src/host/tools/define-tool.ts';
import { answers, reply, small, touches } from '../helpers/small-models.ts';
import { profile } from '../helpers/turn-world.ts';

const readFile = defineTool({
  name: 'read_file',
  description: 'Reads.',
  parameters: z.object({ path: z.string() }),
  mutates: false,
  retrySafe: true,
  risk: 'read',
  about: 'outside',
  timeoutMs: 1_000,
  subject: ({ path }) => path,
  need: () => ({ risk: 'read', summary: '', mutates: '', sandboxed: false, scopes: ['once'] }),
  execute: async () => ({ ok: true, content: 'lines 1-1 of 1\nport = 1', display: null }),
});

test('Behind what was read stands what the person asked for', async () => {
  const steps = [
    { act: 'change', what: 'write a.txt' },
    { act: 'answer', what: 'say that it is done' },
  ];
  const reads = reply({ call: 'read_file', with: { path: 'a.txt' } });
  const world = small(reply({ steps }), reads, touches, answers('Done.'));
  world.moreTools.push(readFile);
  world.active = profile({ tools: ['echo', 'touch', 'read_file'] });
  await world.run('Set port in a.txt to 2');
  const read = world.messages.find(({ role, content }) => role === 'tool' && content.includes('port = 1'));
  expect(read?.content).toMatch(/port = 1\n\nSet port in a\.txt to 2$/);
});
