/** A plan and its steps (D, P1): as models write them, and ticked by what the host saw. */
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { executeInstruction } from '../../src/host/planning/instructions.ts';
import { renderTodo, setStatus, setSteps, summarizeTodo } from '../../src/host/planning/todo-list.ts';
import { defineTool } from '../../src/host/tools/define-tool.ts';
import { todoTool } from '../../src/host/tools/todo.ts';
import type { Tool } from '../../src/host/tools/tool.ts';
import { reply, sequence } from '../../src/sim/index.ts';
import { World } from '../helpers/host-world.ts';
import {
  said,
  analysis,
  answer,
  planning,
  contents,
  phases,
  notes,
  checked,
} from '../helpers/planned-turns.ts';
import { call, done } from '../helpers/turn-world.ts';

const npmTest = (exitCode: number): Tool =>
  defineTool({
    name: 'run',
    description: 'Runs the tests.',
    parameters: z.object({}),
    mutates: true,
    retrySafe: false,
    risk: 'read',
    about: 'outside',
    timeoutMs: 1_000,
    subject: () => 'npm test',
    need: () => ({ risk: 'execute', summary: 'npm test', mutates: '', sandboxed: false, scopes: ['once'] }),
    execute: async () => {
      const display = { kind: 'command' as const, command: 'npm  test', exitCode, signal: null };
      return { ok: exitCode === 0, content: `exit ${String(exitCode)}`, display };
    },
  });

const todo = todoTool({
  rules: { renderTodo, setStatus, setSteps, summarizeTodo },
  mustValidate: () => false,
});

describe('the steps', () => {
  it('are ticked by the file that the host saw, not by what the model says', async () => {
    const world = planning({}, analysis('no'), checked('file a.txt'), [call('touch'), done()], answer);
    let there = false;
    world.onExecute = async () => ((there = true), 'made');
    world.onLook = async () => ({ passed: there, text: there ? 'exists, 3 bytes' : 'is not there' });
    await world.run('Make a.txt');
    expect(world.data.todo().steps[0]).toMatchObject({
      status: 'done',
      evidence: { text: 'exists, 3 bytes' },
    });
    expect(notes(world)).toContain('Step 1 (Make it) is done: exists, 3 bytes.');
  });

  it('are ticked by the very command that ran, and never by one that nobody asked for', async () => {
    for (const [exitCode, evidence] of [
      [0, { text: 'exit 0' }],
      [1, null],
    ] as const) {
      const world = planning(
        { tools: ['run'] },
        analysis('no'),
        checked('command npm test'),
        [call('run'), done()],
        answer,
      );
      world.moreTools.push(npmTest(exitCode));
      await world.run('Test it');
      expect(world.data.todo().steps[0]).toMatchObject({ status: evidence ? 'done' : 'pending', evidence });
    }
    const unasked = planning({}, analysis('no'), checked('command npm test'), answer);
    await unasked.run('Test it');
    expect(unasked.data.todo().steps[0]?.evidence).toBeNull();
  });

  it('that hold before any work lose their check, which would prove nothing', async () => {
    const world = planning({}, analysis('no'), checked('file a.txt'), [call('touch'), done()], answer);
    world.onLook = async () => ({ passed: true, text: 'exists, 3 bytes' });
    await world.run('Make a.txt');
    expect(world.data.todo().steps[0]).toMatchObject({ status: 'pending', check: null, evidence: null });
  });

  it('that the model calls done without evidence are shown as unproved', async () => {
    const world = planning(
      { tools: ['touch', 'todo'] },
      analysis('no'),
      checked('file a.txt'),
      [call('todo', { action: 'done', step: 1 }), done()],
      answer,
    );
    world.moreTools.push(todo);
    await world.run('Make a.txt');
    const [step] = world.data.todo().steps;
    expect(step).toMatchObject({ status: 'done', evidence: null });
    expect(renderTodo(world.data.todo())).toContain('unproved');
    expect(contents(world)).toContain(executeInstruction(null, true));
  });
});

describe('plans as models write them', () => {
  it('never come without somebody who watches (A1, D1)', async () => {
    const world = planning({ planningMandatory: true }, answer);
    world.mayPlan = false;
    await world.run('Say hello');
    expect(world.requests).toHaveLength(1);
    expect(contents(world)[0]).not.toContain('Do not start yet');
    expect(phases(world)).toEqual([]);
  });

  it('of 40 steps keep the first 15, and say so (D10)', async () => {
    const long = said(
      '**Steps:**',
      ...Array.from({ length: 40 }, (_, n) => `${String(n + 1)}. Do thing ${String(n + 1)} - SELF`),
    );
    const world = planning({}, analysis('no'), long, answer);
    await world.run('Do 40 things');
    expect(world.data.todo().steps).toHaveLength(15);
    expect(notes(world)).toContainEqual(
      expect.stringContaining('The plan had 40 steps; the first 15 were kept.'),
    );
    expect(world.ending()).toBe('turn/finished');
  });

  it("with tools that do not exist are the agent's own there, and say so", async () => {
    const world = planning(
      {},
      analysis('no'),
      said('**Steps:**', '1. Fly - TOOL: fly_away', '2. Look - TOOL: echo'),
      answer,
    );
    await world.run('Fly');
    expect(world.data.todo().steps.map(({ executor }) => executor.kind)).toEqual(['self', 'tool']);
    expect(notes(world).join(' ')).toMatch(/Step 1: .*fly_away.*agent's own/);
  });

  it('that contradict themselves are kept as they are, in order, without what is said twice', async () => {
    const odd = said(
      '**Steps:**',
      '3. Delete a.txt - SELF',
      '1. Create a.txt - SELF',
      '2. Never touch a.txt - SELF',
      '2. Create a.txt - SELF',
    );
    const world = planning({}, analysis('no'), odd, answer);
    await world.run('Do it');
    expect(world.data.todo().steps.map(({ text: each }) => each)).toEqual([
      'Delete a.txt',
      'Create a.txt',
      'Never touch a.txt',
    ]);
    // Its numbers are not those of the list, so the model reads the list.
    expect(contents(world)).toContain(executeInstruction(renderTodo(world.data.todo()), false));
    expect(notes(world)).toContainEqual(expect.stringContaining('repeated'));
  });
});

it('a planned turn goes through the whole house and is ticked from the file that it wrote (D)', async () => {
  const world = await World.start({
    sim: {
      script: sequence(
        reply().text('Goal: a note.\nREFLECT: no'),
        reply().text('**Steps:**\n1. Write the note - TOOL: write_file\n   CHECK: text "milk" in note.txt'),
        reply().toolCall('write_file', { path: 'note.txt', content: 'eggs\nmilk\n' }),
        reply().text('It is written.'),
      ),
    },
  });
  try {
    const { rpc } = world.openWindow();
    await rpc.call('profile/update', { profileId: 'developer', changes: { planningEnabled: true } });
    const session = await world.openSession();
    const turnId = await session.send('Note milk');
    await session.answer('allow');
    expect((await session.closed(turnId)).status).toBe('finished');
    expect(session.items('plan')).toHaveLength(1);
    expect(session.state.todo?.steps).toMatchObject([
      { status: 'done', evidence: { text: 'found in line 2' } },
    ]);
  } finally {
    await world.close();
  }
});
