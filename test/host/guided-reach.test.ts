/** Tools of other programs and the web in turns of a model that is led: they stand in no head, and a search brings them. */
import { expect, test } from 'vitest';
import { findingExamples, openingExamples, usingExamples } from '../../src/host/loop/opening/examples.ts';
import { toolCallTool, toolSearchTool } from '../../src/host/tools/bridge-tools.ts';
import type { McpAccess } from '../../src/host/tools/mcp-access.ts';
import { ToolFailure, type ToolSchema } from '../../src/host/tools/tool.ts';
import { provenAbilities, withoutOpening } from '../helpers/proven-models.ts';
import { answers, reply, small, smallSize, touches } from '../helpers/small-models.ts';
import {
  assertValidHistory,
  call,
  done,
  text,
  TurnWorld,
  type ScriptedReply,
} from '../helpers/turn-world.ts';

const schema: ToolSchema = {
  type: 'object',
  properties: { title: { type: 'string' }, day: { type: 'string', enum: ['monday', 'friday'] } },
  required: ['title', 'day'],
};
const found = {
  name: 'calendar.add_event',
  description: 'Adds an event. It is kept for a year.',
  parameters: JSON.stringify(schema),
  schema,
  hints: { title: 'What is on', day: 'one of monday, friday' },
};

interface Servers {
  queries: string[];
  checks: string[];
  calls: [string, Record<string, unknown>][];
}

const added = 'The event was added.';

/** One server with one tool, or none. */
function withServers(
  world: TurnWorld,
  tools = [found],
  answer: { text: string; isError: boolean } = { text: added, isError: false },
): Servers {
  const servers: Servers = { queries: [], checks: [], calls: [] };
  const mcp: McpAccess = {
    search: async (query) => {
      servers.queries.push(query);
      return tools;
    },
    check: async (name) => {
      servers.checks.push(name);
      if (!tools.some((tool) => tool.name === name)) throw new ToolFailure(`There is no tool ${name}.`);
    },
    call: async (name, args) => {
      servers.calls.push([name, args]);
      return { ...answer, pictures: [] };
    },
  };
  world.moreTools.push(toolSearchTool(mcp), toolCallTool(mcp));
  world.active = { ...world.active, tools: ['echo', 'touch', 'tool_search', 'tool_call'] };
  return servers;
}

const opens = reply({
  steps: [
    { act: 'use', what: 'add a calendar event' },
    { act: 'answer', what: 'say that it is done' },
  ],
});
const asks = reply({
  steps: [
    { act: 'use', what: 'get the height of a mountain' },
    { act: 'answer', what: 'how high it is' },
  ],
});
const searchesHeight = reply({ call: 'tool_search', with: { query: 'get the height of a mountain' } });
const searches = reply({ call: 'tool_search', with: { query: 'add a calendar event' } });
const adds = reply({ call: 'calendar.add_event', with: { title: 'Lunch', day: 'friday' } });
const formats = (world: TurnWorld): string[] => world.requests.map(({ format }) => JSON.stringify(format));
const whole: ScriptedReply[] = [opens, searches, adds, answers('It is in your calendar.')];

test('A led model searches in the words of its opening, then calls what was found by its own name', async () => {
  const world = small(...whole);
  const servers = withServers(world);
  await world.run('Lunch on Friday, please keep that free.');
  expect(world.ending()).toBe('turn/finished');
  expect(servers).toEqual({
    queries: ['add a calendar event'],
    checks: ['calendar.add_event'],
    calls: [['calendar.add_event', { title: 'Lunch', day: 'friday' }]],
  });
  const [, search, use, last] = formats(world);
  expect(search).toContain('"enum":["add a calendar event"]');
  expect(use).toContain('"enum":["monday","friday"]');
  expect(use).toMatch(/"enum":\["calendar.add_event"\]/);
  for (const format of [search, use, last]) expect(format).not.toContain('tool_call');
  assertValidHistory(world.messages);
});

test('Only a turn that may search for tools of servers is shown how that is opened', async () => {
  const world = small(reply({ steps: [{ act: 'change', what: 'touch it' }] }), touches, answers('Done.'));
  withServers(world);
  world.active = { ...world.active, tools: ['echo', 'touch', 'tool_call'] };
  await world.run('touch it');
  const begun = world.requests[0]?.messages.slice(0, usingExamples.length);
  expect(begun).toEqual(usingExamples);
});

test('Its card and its question are those of any call of another program', async () => {
  const world = small(...whole);
  withServers(world);
  await world.run('Lunch on Friday, please keep that free.');
  expect(world.items()).toContainEqual(
    expect.objectContaining({ kind: 'tool', tool: 'tool_call', subject: 'calendar.add_event' }),
  );
  const asked = world.asked.map(({ item, need }) => [item.tool, need.risk]);
  expect(asked).toContainEqual(['tool_call', 'network']);
});

test('A turn that used a tool of another program proves no restraint', async () => {
  const world = small(...whole);
  withServers(world);
  await world.run('Lunch on Friday, please keep that free.');
  expect(world.observed).not.toContainEqual(['restraint', true]);
});

test('The head of a led model has none of these tools, and its prompt only grows (head_growth 0)', async () => {
  const world = small(...whole);
  withServers(world);
  await world.run('Lunch on Friday, please keep that free.');
  const heads = new Set(world.requests.map(({ head }) => JSON.stringify(head)));
  expect(heads.size).toBe(1);
  expect([...heads].join('')).not.toMatch(/tool_search|tool_call|calendar/);
  for (const { messages } of world.requests)
    expect(messages.slice(0, findingExamples.length)).toEqual(findingExamples);
  for (const [at, { messages }] of world.requests.entries())
    expect(world.requests.at(at + 1)?.messages.slice(0, messages.length) ?? messages).toEqual(messages);
});

test('A led model reads of a tool that was found what is said of its arguments, then the message once more', async () => {
  const world = small(...whole);
  withServers(world);
  await world.run('Lunch on Friday, please keep that free.');
  const results = world.messages.flatMap((each) => (each.role === 'tool' ? each.content : []));
  expect(results[0]).toBe(
    [
      'calendar.add_event: Adds an event. It is kept for a year.',
      '  title: What is on',
      '  day: one of monday, friday',
      '',
      'Lunch on Friday, please keep that free.',
    ].join('\n'),
  );
});

const judged = (verdict: 'no' | 'yes'): ScriptedReply => reply({ made_for_this_question: verdict });
const madeUp = reply({ call: 'calendar.add_event', with: { title: 'Birthday party', day: 'friday' } });

test('A call with an argument that nobody said is not made where its tool is for something else', async () => {
  const world = small(asks, searchesHeight, madeUp, judged('no'), answers('No tool here does that.'));
  const servers = withServers(world);
  await world.run('Who invented the calendar?');
  expect(servers.calls).toEqual([]);
  expect(world.asked.map(({ item }) => item.tool)).not.toContain('tool_call');
  expect(world.ending()).toBe('turn/finished');
  expect(formats(world).at(-1)).toContain('answer_without_a_tool');
  expect(notesOf(world)).toEqual(['toolless']);
  assertValidHistory(world.messages);
});

const notesOf = (world: TurnWorld): string[] =>
  world.items().flatMap((item) => (item.kind === 'note' ? item.note : []));
const questionOf = (world: TurnWorld) =>
  world.requests.filter(({ format }) => JSON.stringify(format).includes('made_for_this_question'));

test('What a tool is for is asked behind what it says of itself, before the call was written', async () => {
  const world = small(opens, searches, madeUp, judged('no'), answers('No tool here does that.'));
  withServers(world);
  await world.run('Who invented the calendar?');
  const [asked] = questionOf(world);
  expect(asked?.messages.at(-1)?.content).toContain('calendar.add_event: Adds an event.');
});

test('What a server says where it fails is nothing that was said', async () => {
  const again = reply({ call: 'calendar.add_event', with: { title: 'Birthday party', day: 'monday' } });
  const failing = { text: 'There is no Birthday party.', isError: true };
  const world = small(opens, searches, madeUp, judged('yes'), again, judged('no'), answers('It failed.'));
  const servers = withServers(world, [found], failing);
  await world.run('Wann feiern wir?');
  expect(questionOf(world)).toHaveLength(2);
  expect(servers.calls).toHaveLength(1);
});

test('Stop while it is asked what a tool is for ends the turn without the call', async () => {
  const world = small(opens, searches, madeUp, ['hang']);
  const servers = withServers(world);
  const running = world.run('Wann feiern wir?');
  await expect.poll(() => questionOf(world)).toHaveLength(1);
  world.stop();
  await running;
  expect(servers).toMatchObject({ checks: [], calls: [] });
  expect(world.ending()).toBe('turn/stopped');
  const states = world.events.flatMap((event) => (event.type === 'tool/finished' ? event.state : []));
  expect(states.at(-1)).toBe('stopped');
  assertValidHistory(world.messages);
});

test('A call with an argument that nobody said is made where its tool is for that', async () => {
  const world = small(opens, searches, madeUp, judged('yes'), answers('It is in your calendar.'));
  const servers = withServers(world);
  await world.run('Am Freitag feiern wir, trag es bitte ein.');
  expect(servers.calls).toEqual([['calendar.add_event', { title: 'Birthday party', day: 'friday' }]]);
});

test('What a server says of an argument is a bounded line, and counts as nothing that was said', async () => {
  const world = small(opens, searches, madeUp, judged('no'), answers('No tool here does that.'));
  const hints = { title: 'Such as\nBirthday party', day: 'x'.repeat(5_000) };
  const servers = withServers(world, [{ ...found, hints }]);
  await world.run('Who invented the calendar?');
  expect(servers.calls).toEqual([]);
  const [listed = ''] = world.messages.flatMap((each) => (each.role === 'tool' ? each.content : []));
  expect(listed).toContain('\n  title: Such as Birthday party\n');
  expect(listed.length).toBeLessThan(1_600);
});

test('Where it cannot be told what a tool is for, the call is made', async () => {
  const world = small(opens, searches, madeUp, reply('it is'), answers('It is in your calendar.'));
  const servers = withServers(world);
  await world.run('Am Freitag feiern wir, trag es bitte ein.');
  expect(servers.calls).toHaveLength(1);
});

test('Where no server has such a tool the model is told so and answers', async () => {
  const world = small(opens, searches, answers('There is no tool for that.'));
  const servers = withServers(world, []);
  await world.run('Lunch on Friday, please keep that free.');
  expect(world.ending()).toBe('turn/finished');
  expect(servers.calls).toEqual([]);
  expect(formats(world).at(-1)).not.toContain('"call"');
  expect(formats(world).at(-1)).toContain('answer_why_not');
  expect(notesOf(world)).not.toContain('toolless');
});

test('Where no tool fits the model answers by itself, figures and all, and a note says that it had none', async () => {
  const world = small(asks, searchesHeight, reply({ answer_without_a_tool: 'It is 8848 metres high.' }));
  withServers(world, []);
  await world.run('How high is it?');
  expect(JSON.stringify(world.messages)).toContain('8848 metres');
  expect(notesOf(world)).toEqual(['toolless']);
});

test('Where something was to be changed besides, it says why not', async () => {
  const both = reply({
    steps: [
      { act: 'use', what: 'who is on duty' },
      { act: 'change', what: 'touch it' },
    ],
  });
  const world = small(both, searches, reply({ answer_why_not: 'I cannot find out who is on duty.' }));
  withServers(world, []);
  await world.run('Who is on duty? Touch that.');
  expect(formats(world).at(-1)).toContain('answer_why_not');
  expect(notesOf(world)).not.toContain('toolless');
});

test('A turn that was not opened for it is offered no tool of another program', async () => {
  const looks = reply({ steps: [{ act: 'change', what: 'touch it' }] });
  const world = small(looks, touches, answers('Done.'));
  const servers = withServers(world);
  await world.run('touch it');
  for (const format of formats(world).slice(1)) expect(format).not.toContain('tool_search');
  expect(servers.queries).toEqual([]);
});

test('A profile without such tools asks for openings without them', async () => {
  const world = small(reply({ steps: [{ act: 'change', what: 'touch it' }] }), touches, answers('Done.'));
  await world.run('touch it');
  expect(formats(world)[0]).not.toContain('"use"');
  expect(world.requests[0]?.messages.slice(0, openingExamples.length)).toEqual(openingExamples);
  expect(JSON.stringify(world.requests[0]?.messages)).not.toContain(String.raw`\"use\"`);
});

test('In a profile of servers alone a turn is opened with uses and answers, and led', async () => {
  const world = small(...whole);
  const servers = withServers(world);
  world.active = { ...world.active, tools: ['tool_search', 'tool_call'] };
  await world.run('Lunch on Friday, please keep that free.');
  expect(formats(world)[0]).toContain('"enum":["answer","use"]');
  expect(servers.calls).toHaveLength(1);
});

test('A model that does not say what it is about to do looks for a tool in a profile of servers alone', async () => {
  const mute = Array.from({ length: 4 }, () => reply('well'));
  const search = reply({ call: 'tool_search', with: { query: 'event' } });
  const world = small(...mute, search, adds, answers('It is in your calendar.'));
  const servers = withServers(world);
  world.active = { ...world.active, tools: ['tool_search', 'tool_call'] };
  await world.run('Lunch on Friday, please keep that free.');
  expect(servers.calls).toHaveLength(1);
});

test('A model under a grammar that is led by nothing calls what it found by its own name too', async () => {
  const world = small(
    reply({ call: 'tool_search', with: { query: 'event' } }),
    adds,
    answers('It is in your calendar.'),
  );
  world.abilities = withoutOpening(provenAbilities(smallSize));
  const servers = withServers(world);
  await world.run('Lunch on Friday, please keep that free.');
  expect(servers.calls).toEqual([['calendar.add_event', { title: 'Lunch', day: 'friday' }]]);
});

test('A model that makes its own calls may leave the wrapper out', async () => {
  const world = new TurnWorld(
    [call('tool_search', { query: 'event' }), done()],
    [call('calendar.add_event', { title: 'Lunch', day: 'friday' }), done()],
    [text('Done.'), done()],
  );
  const servers = withServers(world);
  await world.run('Lunch on Friday, please keep that free.');
  expect(servers.calls).toEqual([['calendar.add_event', { title: 'Lunch', day: 'friday' }]]);
  expect(
    world.messages.flatMap((each) => (each.role === 'assistant' ? each.calls : [])).at(-1),
  ).toMatchObject({
    name: 'calendar.add_event',
  });
});

test('A name that no server has is refused in words, whoever calls it', async () => {
  const world = new TurnWorld(
    [call('calendar.drop', { title: 'Lunch' }), done()],
    [text('There is no such tool.'), done()],
  );
  const servers = withServers(world);
  await world.run('Drop the lunch.');
  expect(servers.calls).toEqual([]);
  expect(JSON.stringify(world.messages)).toContain('There is no tool calendar.drop.');
});
