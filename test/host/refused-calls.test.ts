/** Calls of a reply that do not run, or run only partly: what the model reads in their place and what the person sees. */
import { expect, it } from 'vitest';
import { z } from 'zod';
import { setSteps } from '../../src/host/planning/todo-list.ts';
import { defineTool } from '../../src/host/tools/define-tool.ts';
import type { Tool } from '../../src/host/tools/tool.ts';
import { maxCallsPerReply } from '../../src/protocol/limits.ts';
import { call, done, profile, text, TurnWorld, type ScriptedReply } from '../helpers/turn-world.ts';

const answer: ScriptedReply = [text('Done.'), done()];
const cancelled = 'operation cancelled by user';

const results = (world: TurnWorld): string[] =>
  world.messages.flatMap((message) => (message.role === 'tool' ? [message.content] : []));
const finished = (world: TurnWorld) => world.events.filter((event) => event.type === 'tool/finished');
const notes = (world: TurnWorld): string[] =>
  world.items().flatMap((item) => (item.kind === 'note' ? [item.text] : []));

function quiet(...replies: ScriptedReply[]): TurnWorld {
  const world = new TurnWorld(...replies);
  world.active = profile({ iterationBudgetEnabled: false });
  return world;
}

/** A tool of the workspace that may have to be asked for. */
const tool = (name: string, sandboxed: boolean | null): Tool =>
  defineTool({
    name,
    description: name,
    parameters: z.object({}),
    mutates: true,
    retrySafe: false,
    risk: 'write',
    about: 'workspace',
    timeoutMs: 1_000,
    subject: () => name,
    need: () => ({
      risk: sandboxed === null ? 'write' : 'execute',
      summary: name,
      mutates: '',
      sandboxed: sandboxed ?? true,
      scopes: ['once'],
    }),
    execute: async () => ({ ok: true, content: 'written', display: null }),
  });

function withTool(added: Tool): TurnWorld {
  const world = new TurnWorld([call(added.name, {}, 'a'), done()], answer);
  world.moreTools.push(added);
  world.active = profile({ tools: [added.name], iterationBudgetEnabled: false });
  return world;
}

it('Stop cancels the calls beyond the limit of a reply like any other (audit-A14)', async () => {
  const made = Array.from({ length: maxCallsPerReply + 2 }, (_, at) =>
    call('echo', { value: String(at) }, `call-${String(at)}`),
  );
  const world = new TurnWorld([...made, done()]);
  world.onExecute = async () => {
    world.stop();
    return 'too late';
  };
  await world.run();
  expect(results(world)).toEqual(made.map(() => cancelled));
});

const ourMistake = (): Promise<never> => Promise.reject(new Error('a mistake of ours'));

it('A tool that breaks inside Andiron fails its call, and the fault is reported (audit-A14)', async () => {
  const parse: Tool['parse'] = (args) => {
    const parsed = tool('broken', null).parse(args);
    return parsed.ok ? { ...parsed, call: { ...parsed.call, execute: ourMistake } } : parsed;
  };
  const world = withTool({ ...tool('broken', null), parse });
  await world.run();
  expect(finished(world)).toEqual([expect.objectContaining({ state: 'failed' })]);
  expect(world.internalErrors).toEqual([new Error('a mistake of ours')]);
});

it('Between two calls of a reply everything else has its turn (audit-A14)', async () => {
  const order: string[] = [];
  const world = quiet([call('echo', {}, 'a'), call('touch', {}, 'b'), done()], answer);
  world.onExecute = async (name) => {
    order.push(name);
    setImmediate(() => order.push('somebody else'));
    return 'fine';
  };
  await world.run();
  expect(order.slice(0, 3)).toEqual(['echo', 'somebody else', 'touch']);
});

it('Each call of a cut reply is shown as failed, and its last result has the note (audit-A14)', async () => {
  const cut: ScriptedReply = [...['a', 'b', 'c'].map((id) => call('touch', {}, id)), done({}, 'length')];
  const world = new TurnWorld(cut, answer);
  world.active = profile({ maxIterations: 2 });
  await world.run();
  expect(results(world).map((result) => result.includes('last step'))).toEqual([false, false, true]);
  expect(finished(world).map(({ state }) => state)).toEqual(['failed', 'failed', 'failed']);
  const cards = world.items().filter(({ kind }) => kind === 'tool');
  expect(finished(world).map(({ itemId }) => itemId)).toEqual(cards.map(({ id }) => id));
});

it('The person reads that a call failed twice in the same way when it is not run (audit-A14)', async () => {
  const again: ScriptedReply = [call('echo', { value: 'a' }), done()];
  const world = quiet(again, again, again, answer);
  world.onExecute = () => Promise.reject(new Error('reset'));
  await world.run();
  expect(notes(world)).toEqual([
    'This call of echo has failed twice in the same way, so it was not run again.',
  ]);
});

it('The person reads that a call was made before when a grammar brings it again (audit-A14)', async () => {
  const again: ScriptedReply = [text('{"call":"echo","with":{"value":"a"}}'), done()];
  const world = new TurnWorld(again, again, again, [text('{"answer":"Done."}'), done()]);
  world.abilities = new Set(['grammar', 'values', 'pattern']);
  world.active = profile({ calls: 'constrained', iterationBudgetEnabled: false });
  await world.run();
  expect(notes(world)).toContain('This call of echo was made before, so it was not run again.');
});

it.each([
  ['that ran', true, 'allow'],
  ['that the person declined', false, 'deny'],
] as const)(
  'The result of a call %s has advice on its folder: %s (audit-A14)',
  async (_, isAdvised, decision) => {
    const world = withTool(tool('write', null));
    world.decision = decision;
    const ports = world.ports();
    const workspace = { ...ports.tools.workspace, advice: () => ({ content: 'This is another folder.' }) };
    world.ports = () => ({ ...ports, tools: { ...ports.tools, workspace } });
    await world.run();
    expect(results(world)[0]?.includes('This is another folder.')).toBe(isAdvised);
  },
);

it.each([
  ['a command that is kept in', true, true],
  ['a command that nothing keeps in', false, false],
  ['what is no command', null, null],
])('The card of %s has %s for its sandbox (audit-A14)', async (_, sandboxed, shown) => {
  const world = withTool(tool('act', sandboxed));
  await world.run();
  expect(world.events).toContainEqual(expect.objectContaining({ type: 'tool/started', sandboxed: shown }));
});

it('A call that the person declined ticks no step, whatever its check would find (audit-A14)', async () => {
  for (const [decision, status] of [
    ['deny', 'pending'],
    ['allow', 'done'],
  ] as const) {
    const world = quiet([call('touch'), done()], [text('Half of it.'), done({}, 'length')]);
    const list = setSteps({ steps: [] }, ['Make it', 'Greet']);
    if (!list.ok) throw new Error('The steps could not be set.');
    const [first, ...others] = list.todo.steps;
    if (first)
      world.data.setTodo({ steps: [{ ...first, check: { kind: 'file_exists', path: 'a.txt' } }, ...others] });
    world.decision = decision;
    world.onLook = async () => ({ passed: true, text: 'exists, 1 byte' });
    await world.run();
    expect(world.data.todo().steps[0]?.status).toBe(status);
  }
});
