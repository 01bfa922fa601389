/** A step that copies a file is a command, where its profile has commands. */
import { expect, test } from 'vitest';
import { z } from 'zod';
import { defineTool } from '../../src/host/tools/define-tool.ts';
import { answers, reply, small } from '../helpers/small-models.ts';
import { profile } from '../helpers/turn-world.ts';

const runs = defineTool({
  name: 'run_command',
  description: 'Run a command.',
  parameters: z.object({ command: z.string() }),
  mutates: true,
  retrySafe: false,
  risk: 'execute',
  about: 'workspace',
  timeoutMs: 1000,
  subject: ({ command }) => command,
  need: ({ command }) => ({ summary: command, mutates: '', sandboxed: false, scopes: ['once'] }),
  execute: () => Promise.resolve({ ok: true, content: 'exit code: 0', display: null }),
});
const copies = reply({
  steps: [
    { act: 'change', what: 'copy a.txt to b.txt' },
    { act: 'answer', what: 'say that it is done' },
  ],
});

test('A step that copies a file under a new name offers the command that does, and nothing else', async () => {
  const command = 'cp a.txt b.txt';
  const world = small(copies, reply({ call: 'run_command', with: { command } }), answers('Copied.'));
  world.moreTools.push(runs);
  world.active = profile({ tools: ['echo', 'touch', 'run_command'] });
  await world.run('Copy a.txt to b.txt');
  expect(JSON.stringify(world.requests[1]?.format)).toContain(`"enum":["${command}"]`);
  expect(world.items().find(({ kind }) => kind === 'tool')).toMatchObject({
    tool: 'run_command',
    args: { command },
  });
});

test('Where nothing can be run, a copy stays a change', async () => {
  const world = small(copies, reply({ call: 'touch', with: {} }), answers('Copied.'));
  await world.run('Copy a.txt to b.txt');
  expect(world.executed).toEqual(['touch']);
});
