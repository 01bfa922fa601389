/** A session that only plans: nothing is changed or run, and the person approves the plan as they left it. */
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { ItemOf, PlanStep } from '../../src/protocol/model.ts';
import { waitingPlan } from '../../src/rules/waiting-plan.ts';
import { reply, type Script, type ScriptRequest } from '../../src/sim/index.ts';
import { World, type SessionView } from '../helpers/host-world.ts';

let world: World;
afterEach(() => world.close());

const steps =
  '**Steps:**\n1. Write new.txt - TOOL: write_file\nCHECK: file new.txt\n2. Look at it - TOOL: read_file\n3. Say so - SELF';
const asksForPlan = ({ lastUser }: ScriptRequest): boolean =>
  lastUser.startsWith('If what I asked for needs');

/** Calls what a message names (`do: tool {…}`), one after the other, plans, and writes a file where it carries out a plan. */
const planner: Script = (request) => {
  const { lastUser, results } = request;
  if (asksForPlan(request))
    return reply().text(JSON.stringify(request.messages).includes('only a question') ? 'DIRECT' : steps);
  if (lastUser.startsWith('Carry out the plan'))
    return results.length > 0
      ? reply().text('It is done.')
      : reply().toolCall('write_file', { path: 'new.txt', content: 'new' });
  const calls = [...lastUser.matchAll(/do: (\w+) (\{.*?\})/g)];
  const [, tool = '', args = ''] = calls[results.length] ?? [];
  return tool === '' ? reply().text('I have looked.') : reply().toolCall(tool, JSON.parse(args));
};

async function open(script: Script = planner): Promise<SessionView> {
  world = await World.start({ files: { 'a.txt': 'one\n' }, sim: { script } });
  const session = await world.openSession();
  await session.rpc.call('session/update', { sessionId: session.sessionId, approvals: 'plan_only' });
  return session;
}

const plans = (session: SessionView): ItemOf<'plan'>[] => session.items('plan');
const inside = (path: string): string => join(world.workspace, path);
const left = (planned: readonly PlanStep[]) => planned.map(({ id, text }) => ({ id, text }));

function approve(
  { rpc, sessionId, state }: SessionView,
  change: Partial<{
    itemId: string;
    steps: { id: string | null; text: string }[];
    approvals: 'autonomous';
  }> = {},
): Promise<{ turnId: string }> {
  const plan = waitingPlan(state);
  return rpc.call('session/approve-plan', {
    sessionId,
    itemId: plan?.id ?? '',
    steps: left(plan?.steps ?? []),
    approvals: 'accept_edits',
    ...change,
  });
}

describe('While it only plans', () => {
  it.each([
    ['write_file', '{"path":"new.txt","content":"x"}'],
    ['edit_file', '{"path":"a.txt","old_text":"one","new_text":"two"}'],
    ['run_command', '{"command":"touch new.txt"}'],
    ['memory_save', '{"key":"drink","value":"tea"}'],
    ['switch_profile', '{"profile_id":"reader"}'],
  ])('%s does nothing and asks nobody, and the model reads why', async (tool, args) => {
    const session = await open();
    await session.ask(`do: read_file {"path":"a.txt"} do: ${tool} ${args}`);
    const call = session.items('tool')[1];
    expect(call).toMatchObject({ tool, state: 'failed', approval: null });
    expect(call?.result).toContain('This session only plans');
    expect(existsSync(inside('new.txt'))).toBe(false);
    expect(await readFile(inside('a.txt'), 'utf8')).toBe('one\n');
    expect(session.state.session.profileId).toBe('developer');
  });

  it('reading is free, and the turn ends with a plan that waits', async () => {
    const session = await open();
    const turn = await session.ask('do: read_file {"path":"a.txt"}');
    expect(session.items('tool')).toMatchObject([{ state: 'done', approval: null }]);
    expect(turn.status).toBe('finished');
    expect(waitingPlan(session.state)?.steps.map(({ text }) => text)).toEqual([
      'Write new.txt',
      'Look at it',
      'Say so',
    ]);
    expect(session.state.todo).toBeUndefined();
  });

  it('a question is answered, and nothing is planned', async () => {
    const session = await open();
    await session.ask('only a question');
    expect(plans(session)).toEqual([]);
    expect(session.items('text').map(({ text }) => text)).toEqual(['I have looked.']);
  });

  it('a plan that cannot be read is told, with what the model wrote', async () => {
    const session = await open((request) =>
      asksForPlan(request) ? reply().text('I would begin.\nThen I would end.') : reply().text('Yes.'),
    );
    const turn = await session.ask('make it new');
    expect(turn.status).toBe('finished');
    expect(plans(session)).toMatchObject([
      { text: 'I would begin.\nThen I would end.', steps: [], problem: expect.stringContaining('no steps') },
    ]);
    expect(waitingPlan(session.state)).toBe(null);
  });

  it('a program gets its answer, and neither a plan nor an effect', async () => {
    const session = await open();
    const { sessionId } = session;
    const { text } = await session.rpc.call('turn/run', {
      sessionId,
      text: 'do: run_command {"command":"touch new.txt"}',
    });
    expect(text).toBe('I have looked.');
    expect(plans(session)).toEqual([]);
    expect(existsSync(inside('new.txt'))).toBe(false);
  });

  it('every prompt grows at its end', async () => {
    const session = await open();
    await session.ask('do: read_file {"path":"a.txt"}');
    const { turnId } = await approve(session);
    await session.closed(turnId);
    const sent = world.sim.truth.requests.flatMap(({ endpoint, body }) =>
      endpoint === '/api/chat' ? [(body as { messages: unknown[] }).messages] : [],
    );
    expect(sent.length).toBeGreaterThan(4);
    for (const [index, messages] of sent.slice(1).entries())
      expect(messages.slice(0, sent[index]?.length)).toEqual(sent[index]);
  });
});

describe('A plan that is approved', () => {
  it('is carried out in a turn of its own, in the mode that was chosen, as the person left it', async () => {
    const session = await open();
    await session.ask('make it new');
    const [write, look] = waitingPlan(session.state)?.steps ?? [];
    const { turnId } = await approve(session, {
      steps: [
        { id: null, text: 'Think first' },
        { id: look?.id ?? '', text: 'Look at it' },
        { id: write?.id ?? '', text: 'Write new.txt with care' },
      ],
    });
    const turn = await session.closed(turnId);
    expect(turn).toMatchObject({ status: 'finished', text: 'Carry out the plan.' });
    expect(session.state.session.approvals).toBe('accept_edits');
    expect(existsSync(inside('new.txt'))).toBe(true);
    expect(session.items('tool').map(({ approval }) => approval)).toEqual([null]);
    expect(session.state.todo?.steps).toMatchObject([
      { id: 'step_4', text: 'Think first', executor: { kind: 'self' } },
      { id: 'step_2', text: 'Look at it', executor: { kind: 'tool', tool: 'read_file' } },
      { id: 'step_1', text: 'Write new.txt with care', check: null },
    ]);
    expect(plans(session).at(-1)).toMatchObject({ turnId, steps: turn.plan?.steps });
    const sent = JSON.stringify(world.sim.truth.requests.at(-1)?.body);
    expect(sent).toContain(
      'Carry out the plan.\\n\\nThe steps, in this order:\\n1. ○ Think first\\n2. ○ Look at it',
    );
    expect(sent).toContain('Mark each step in the todo tool');
    expect(session.items('user').at(-1)?.text).toBe('Carry out the plan.');
  });

  it('is carried out once', async () => {
    const session = await open();
    await session.ask('make it new');
    const itemId = plans(session)[0]?.id ?? '';
    const planned = plans(session)[0]?.steps ?? [];
    await session.closed((await approve(session)).turnId);
    expect(waitingPlan(session.state)).toBe(null);
    await expect(approve(session, { itemId, steps: left(planned) })).rejects.toMatchObject({
      code: 'invalid_params',
    });
  });

  it('asks again with the same steps where another answer is asked for', async () => {
    const session = await open();
    await session.ask('make it new');
    const { turnId } = await approve(session);
    const { plan } = await session.closed(turnId);
    const again = await session.rpc.call('turn/regenerate', { sessionId: session.sessionId, turnId });
    expect((await session.closed(again.turnId)).plan).toEqual(plan);
    expect(waitingPlan(session.state)).toBe(null);
  });

  it('is no longer carried out by a message that was written anew', async () => {
    const session = await open();
    await session.ask('make it new');
    const { sessionId, rpc } = session;
    const { turnId } = await approve(session);
    await session.closed(turnId);
    const again = await rpc.call('turn/edit', { sessionId, turnId, text: 'Rather tell me a story.' });
    expect((await session.closed(again.turnId)).plan).toBeUndefined();
    expect(waitingPlan(session.state)?.id).toBe(plans(session)[0]?.id);
  });

  it('waits over a restart, and still only plans until then', async () => {
    let session = await open();
    await session.ask('make it new');
    await world.restartHost();
    session = await world.openWindow().follow(session.sessionId);
    await session.ask('do: write_file {"path":"other.txt","content":"x"}');
    expect(existsSync(inside('other.txt'))).toBe(false);
    await session.closed((await approve(session)).turnId);
    expect(existsSync(inside('new.txt'))).toBe(true);
  });

  it('is refused with a mode that the session may not have, and nothing has begun', async () => {
    const session = await open();
    await session.ask('make it new');
    await expect(approve(session, { approvals: 'autonomous' })).rejects.toMatchObject({
      code: 'invalid_params',
    });
    expect(session.state.turns).toHaveLength(1);
    expect(session.state.session.approvals).toBe('plan_only');
  });

  it('is refused once a newer one was made, and with an id that is none', async () => {
    const session = await open();
    await session.ask('make it new');
    const older = plans(session)[0]?.id ?? '';
    await session.ask('make it otherwise');
    for (const itemId of [older, 'item_none'])
      await expect(approve(session, { itemId })).rejects.toMatchObject({ code: 'invalid_params' });
    expect(waitingPlan(session.state)?.id).toBe(plans(session)[1]?.id);
  });
});

it('A turn that is stopped while its plan is written leaves no plan that waits', async () => {
  const session = await open((request) =>
    asksForPlan(request)
      ? reply().text(`${steps}\n`).pause(60_000).text('4. And more')
      : reply().text('I have looked.'),
  );
  const turnId = await session.send('make it new');
  await session.until(() => plans(session).length > 0);
  await session.rpc.call('turn/stop', { sessionId: session.sessionId });
  expect((await session.closed(turnId)).status).toBe('stopped');
  expect(plans(session)).toMatchObject([{ cut: true, completedAt: expect.any(Number) }]);
  expect(waitingPlan(session.state)).toBe(null);
});
