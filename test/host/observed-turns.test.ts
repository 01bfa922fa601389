/** What turns show of their models, and what a model is shown and asked because of it. */
import { expect, test } from 'vitest';
import { z } from 'zod';
import type { Ability } from '../../src/protocol/abilities.ts';
import { abilities } from '../../src/protocol/abilities.ts';
import type { Profile } from '../../src/protocol/model.ts';
import { defineTool } from '../../src/host/tools/define-tool.ts';
import type { Tool } from '../../src/host/tools/tool.ts';
import {
  call,
  done,
  model,
  profile,
  text,
  TurnWorld,
  words,
  type ScriptedReply,
} from '../helpers/turn-world.ts';

test('A turn keeps the toolset of its head before its first request, which may be about its plan', async () => {
  const world = new TurnWorld([text('DIRECT'), done()], [text('Hi.'), done()]);
  world.active = profile({ planningEnabled: true });
  const kept: number[] = [];
  world.toolsets = { of: () => 'full', keep: () => void kept.push(world.requests.length) };
  await world.run();
  expect([kept[0], world.requests.length]).toEqual([0, 2]);
});

test('A turn that goes on with another model keeps the toolset for that one too', async () => {
  const world = new TurnWorld([call('echo'), done()], [text('Hi.'), done()]);
  const kept = new Set<string>();
  world.toolsets = { of: () => 'full', keep: ({ name }) => void kept.add(name) };
  world.onExecute = async () => {
    world.active = profile({ id: 'other' });
    world.chooseModel = async () => ({ ...model, name: 'other-model' });
    return 'done';
  };
  await world.run();
  expect([...kept]).toEqual([model.name, 'other-model']);
});

const planner = (name: string, executed: string[] = []): Tool =>
  defineTool({
    name,
    description: name,
    parameters: z.object({ value: z.string().optional() }),
    mutates: false,
    retrySafe: true,
    risk: 'read',
    about: 'outside',
    timeoutMs: 1000,
    subject: () => '',
    need: () => ({ summary: name, mutates: '', sandboxed: false, scopes: ['once'] }),
    execute: async ({ value = '' }) => {
      executed.push(value);
      return { ok: true, content: 'The list is kept.', display: null };
    },
  });

let made = 0;
/** No two of them are alike. */
const todo = () => call('todo', { value: String((made += 1)) });
const answer: ScriptedReply = [text('All is done.'), done()];

function worldOf(changes: Partial<Profile>, ...replies: ScriptedReply[]) {
  const world = new TurnWorld(...replies);
  const planned: string[] = [];
  world.moreTools.push(planner('todo', planned));
  world.active = profile({ tools: ['echo', 'touch', 'todo'], ...changes });
  const seen = (ability: Ability): boolean[] =>
    world.observed.flatMap(([of, isGood]) => (of === ability ? [isGood] : []));
  return { world, planned, seen };
}
const results = ({ messages }: TurnWorld): string[] =>
  messages.flatMap((message) => (message.role === 'tool' ? [message.content] : []));
const without = (...left: Ability[]): ReadonlySet<Ability> =>
  new Set(abilities.filter((each) => !left.includes(each)));

test('The third planning call in a row is not run, and its result sends the model back to its work', async () => {
  const { world, planned } = worldOf({}, [todo(), todo(), todo(), done()], [todo(), done()], answer);
  await world.run();
  expect(planned).toHaveLength(2);
  expect(results(world).slice(1)).toEqual([
    'The list is kept.',
    'Not run: go on with the next step.',
    'Not run: go on with the next step.',
  ]);
});

test('A model that plans three times in a row fails at planning once in that turn', async () => {
  const { world, seen } = worldOf({}, [todo(), todo(), todo(), done()], [todo(), done()], answer);
  await world.run();
  expect(seen('planning')).toEqual([false]);
});

test('Work between planning calls lets the model plan again', async () => {
  const { world, planned } = worldOf({}, [todo(), todo(), call('echo'), todo(), done()], answer);
  await world.run();
  expect(world.executed).toEqual(['echo']);
  expect(planned).toHaveLength(3);
});

test('A model whose plans are followed by work is good at planning, once in a turn that finishes', async () => {
  const { world, seen } = worldOf(
    {},
    [todo(), call('echo', { value: '1' }), todo(), call('echo', { value: '2' }), done()],
    answer,
  );
  await world.run();
  expect(seen('planning')).toEqual([true]);
});

test('A turn that both works after a plan and plans three times in a row is a failure at planning', async () => {
  const { world, seen } = worldOf({}, [todo(), call('echo'), todo(), todo(), todo(), done()], answer);
  await world.run();
  expect(seen('planning')).toEqual([false]);
});

test('A turn that ends without an answer says nothing good of its model', async () => {
  const { world, seen } = worldOf({ maxIterations: 1 }, [todo(), call('echo'), done()]);
  await world.run();
  expect(world.ending()).toBe('turn/capped');
  expect(seen('planning')).toEqual([]);
});

test('A turn whose answer was cut says nothing good of its model', async () => {
  const { world, seen } = worldOf(
    {},
    [todo(), call('echo'), done()],
    [text('All is'), done({ outputTokens: 9 }, 'length')],
  );
  await world.run();
  expect(world.ending()).toBe('turn/finished');
  expect(seen('planning')).toEqual([]);
});

test('A call that failed is no work that followed a plan', async () => {
  const { world, seen } = worldOf({}, [todo(), call('echo'), done()], answer);
  world.decision = 'deny';
  await world.run();
  expect(seen('planning')).toEqual([]);
});

test('A planning call that could not be read counts in no row', async () => {
  const unread = call('todo', { value: { of: 'a list' } });
  const { world, planned } = worldOf({}, [todo(), unread, todo(), done()], answer);
  await world.run();
  expect(planned).toHaveLength(2);
});

const named = (world: TurnWorld): boolean[] =>
  world.requests.map(({ format }) => JSON.stringify(format).includes('"todo"'));

const planWith = (value: string): ScriptedReply => [
  text(JSON.stringify({ call: 'todo', with: { value } })),
  done(),
];

test('A grammar offers no planning tool after two planning calls in a row', async () => {
  const say: ScriptedReply = [text('{"answer": "All is done."}'), done()];
  const { world } = worldOf({ calls: 'constrained' }, planWith('1'), planWith('2'), say);
  world.abilities = without('opens');
  await world.run();
  expect(named(world)).toEqual([true, true, false]);
});

test('A model that was not seen to plan well makes no plan before its work', async () => {
  const { world } = worldOf({ planningEnabled: true, iterationBudgetEnabled: false }, answer);
  world.abilities = without('planning');
  await world.run();
  expect(world.types()).not.toContain('planning/status');
  expect(world.messages[0]?.content).toBe('Hello');
});

test('A model that opens its turns makes no plan and is sent no notes, however well it does both', async () => {
  const opens: ScriptedReply = [text('{"steps": [{"act": "answer", "what": "it"}]}'), done()];
  const { world } = worldOf({ planningEnabled: true }, opens, [text('{"answer": "Hello."}'), done()]);
  world.abilities = without('native');
  await world.run();
  expect(JSON.stringify(world.requests[0]?.format)).toContain('"steps"');
  expect(world.types()).not.toContain('planning/status');
  expect(world.messages[0]?.content).toBe('Hello');
});

const urgent: Partial<Profile> = { iterationBudgetEnabled: true, maxIterations: 4 };
const notesOf = (world: TurnWorld): string[] =>
  world.items().flatMap((item) => (item.kind === 'note' ? [item.note] : []));

test('A model that does not take notes is sent none, and none is shown as sent (audit-A2)', async () => {
  const { world } = worldOf(urgent, [call('echo'), done()], answer);
  world.abilities = without('notes');
  await world.run();
  expect(JSON.stringify(world.messages)).not.toContain('andiron note');
  expect(notesOf(world)).toEqual([]);
});

test('A model that takes notes is sent them behind its message and its results', async () => {
  const { world } = worldOf(urgent, [call('echo'), done()], answer);
  await world.run();
  const [message, , result] = world.messages.map(({ content }) => content);
  expect(message).toBe('Hello\n\n[andiron note] You have 4 steps for this.');
  expect(result).toContain('[andiron note] 3 steps are left. Bring the work to an end.');
  expect(notesOf(world)).toEqual(['budget']);
});

test('A model that answers in its own words after notes follows them, once in a turn', async () => {
  const { world, seen } = worldOf(urgent, [call('echo'), done()], answer);
  await world.run();
  expect(seen('notes')).toEqual([true]);
});

test('A turn without notes says nothing of how its model takes them', async () => {
  const { world, seen } = worldOf({ iterationBudgetEnabled: false }, [call('echo'), done()], answer);
  await world.run();
  expect(seen('notes')).toEqual([]);
});

test.each<[string, ScriptedReply[]]>([
  ['its answer', [[text('You have 4 steps for this.'), done()]]],
  [
    'a call',
    [[call('touch', { value: 'Total 4. 3 steps are left. Bring the work to an end.' }), done()], answer],
  ],
])('A model that writes the words of a note into %s does not take notes', async (_, replies) => {
  const { world, seen } = worldOf(urgent, [call('echo'), done()], ...replies);
  await world.run();
  expect(seen('notes')).toEqual([false]);
});

test('A model that repeats the goal it was reminded of has copied no note', async () => {
  const goal = words(12);
  const { world, seen } = worldOf(
    { goalAnchoringEnabled: true, goalAnchoringInterval: 1 },
    [call('echo'), done()],
    [text(`This is done: ${goal}`), done()],
  );
  await world.run(goal);
  expect(JSON.stringify(world.messages)).toContain(`The goal is still: ${goal}`);
  expect(seen('notes')).toEqual([true]);
});
