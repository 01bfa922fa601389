/** What stands under an answer after a turn that did a part of what it was to do. */
import { beforeEach, expect, test } from 'vitest';
import { z } from 'zod';
import { defineTool } from '../../src/host/tools/define-tool.ts';
import { answers, opening, reply, small, touches } from '../helpers/small-models.ts';
import { profile } from '../helpers/turn-world.ts';

let ran = 0;
beforeEach(() => (ran = 0));

const command = defineTool({
  name: 'run_command',
  description: 'Run a command.',
  parameters: z.object({ command: z.string() }),
  mutates: true,
  retrySafe: false,
  risk: 'execute',
  about: 'outside',
  timeoutMs: 1_000,
  subject: (args) => args.command,
  need: () => ({ risk: 'execute', summary: '', mutates: '', sandboxed: false, scopes: ['once'] }),
  execute: async () => {
    ran += 1;
    return { ok: true, content: 'It ran.', display: null };
  },
});

/** The notes under its answer after a file was edited and a command with these arguments was called for. */
async function notesAfter(
  args: Record<string, string>,
  decision: 'allow' | 'deny',
  calls = 1,
): Promise<string[]> {
  const runs = Array<ReturnType<typeof reply>>(calls).fill(reply({ call: 'run_command', with: args }));
  const said = answers('I changed and ran it.');
  const world = small(opening('change', 'run', 'answer'), touches, ...runs, said, said);
  world.moreTools.push(command);
  world.active = profile({ tools: ['echo', 'touch', 'run_command'] });
  world.decision = ({ item }) => (item.tool === 'touch' ? 'allow' : decision);
  await world.run('change it and run it');
  expect(world.executed).toEqual(['touch']);
  return world.items().flatMap((item) => (item.kind === 'note' ? [item.note] : []));
}

test('An answer after an edit and a command that the person declined says that no command was run', async () => {
  expect(await notesAfter({ command: 'x' }, 'deny')).toEqual(['unrun']);
});

test('An answer after an edit and a command without its arguments says that no command was run', async () => {
  expect(await notesAfter({}, 'allow', 3)).toContain('unrun');
});

test('An answer after an edit and a command says nothing of either', async () => {
  expect(await notesAfter({ command: 'x' }, 'allow')).toEqual([]);
  expect(ran).toBe(1);
});
