/** What the demo suggests to say, to a model that opens its turns: each turn makes sense, and keeps to its grammars. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { demoScript } from '../../src/sim/demo/index.ts';
import { World } from '../helpers/host-world.ts';

const files = {
  'README.md': '# Tide tables\n\nTells when the tide is high.\n',
  'package.json': '{"scripts": {"test": "echo all is well"}}\n',
  'src/tides.js': 'export const high = 1;\n',
};

let world: World;
beforeAll(async () => {
  const models = [{ name: 'llama3.1:8b', family: 'template-llama3.1' }] as const;
  world = await World.start({ files, sim: { script: demoScript, models } });
});
afterAll(() => world.close());

describe('The demo under a grammar', () => {
  it.each([
    ['Good morning', [], 'answer'],
    ['What is in this folder?', ['list_files', 'read_file'], 'look look answer'],
    ['Read src/tides.js', ['read_file'], 'look answer'],
    ['Search for "high".', ['search'], 'look answer'],
    ['Create notes.txt with "milk"', ['write_file'], 'change answer'],
    ['Overwrite package.json with "{}"', ['read_file', 'write_file'], 'change answer'],
    ['Replace "high" with "low" in src/tides.js', ['read_file', 'edit_file'], 'look change answer'],
    ['Run `echo hello`', ['run_command'], 'run answer'],
    ['Please run the tests.', ['read_file', 'run_command'], 'look run answer'],
    ['Search for "teapot".', ['search'], 'look answer'],
  ])('says what it will do with %j, does it and answers', async (message, tools, acts) => {
    const session = await world.openSession();
    const turnId = await session.send(message);
    await session.until(({ turns, items }) => {
      for (const item of items) {
        const approvalId = item.kind === 'tool' && item.state === 'awaiting_approval' && item.approval?.id;
        if (approvalId !== false && approvalId !== undefined)
          void session.rpc
            .call('approval/answer', { sessionId: session.sessionId, approvalId, decision: 'allow' })
            .catch(() => undefined);
      }
      return turns.at(-1)?.closed === true;
    });
    const turn = session.turn(turnId);
    expect(turn?.status).toBe('finished');
    expect(turn?.scope?.steps.map(({ act }) => act).join(' ')).toBe(acts);
    expect(session.items('tool').map(({ tool }) => tool)).toEqual(tools);
    expect(session.items('text').at(-1)?.text).not.toMatch(/None of the tools|no rule for that/);
    expect(world.sim.truth.violations).toEqual([]);
  });
});
