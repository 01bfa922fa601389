/** A turn with a model of 0.5B: called by a grammar from its first reply on, and kept on its way. */
import { expect, test } from 'vitest';
import { z } from 'zod';
import { defineTool } from '../../src/host/tools/define-tool.ts';
import { AndironError } from '../../src/protocol/errors.ts';
import { assertValidHistory, call, done, profile, text, TurnWorld } from '../helpers/turn-world.ts';

function small(...replies: ConstructorParameters<typeof TurnWorld>): TurnWorld {
  const world = new TurnWorld(...replies);
  world.leased = { parameterSize: '630.17M' };
  world.entries = ['a.txt'];
  return world;
}

const formats = (world: TurnWorld): string[] =>
  world.requests.map(({ format }) => JSON.stringify(format ?? null));
const newest = (world: TurnWorld): string => JSON.stringify(world.requests.at(-1)?.messages.at(-1));
const reply = (value: unknown) => [text(JSON.stringify(value)), done()];

test('its first request already has a grammar, without an answer while nothing was looked at', async () => {
  const world = small(reply({ call: 'echo', with: { value: 'a.txt' } }), reply({ answer: 'It says hello.' }));
  await world.run('what does a.txt say?');
  expect(formats(world)[0]).toContain('"call"');
  expect(formats(world)[0]).not.toContain('"answer"');
  expect(formats(world)[1]).not.toContain('"call"');
  expect(world.ending()).toBe('turn/finished');
  assertValidHistory(world.messages);
});

test('the question stands once more behind the result that it is answered from, and nowhere in the log', async () => {
  const world = small(reply({ call: 'echo', with: { value: 'a.txt' } }), reply({ answer: 'Hello.' }));
  await world.run('what does a.txt say?');
  expect(newest(world)).toContain('what does a.txt say?');
  expect(JSON.stringify(world.messages.findLast(({ role }) => role === 'tool'))).not.toContain('what does');
});

test('it is sent no notes, and the log keeps them', async () => {
  const world = small(reply({ answer: 'Hello.' }));
  world.active = profile({ iterationBudgetEnabled: true });
  await world.run('Good morning');
  expect(JSON.stringify(world.requests[0]?.messages)).not.toContain('[andiron note]');
  expect(JSON.stringify(world.messages)).toContain('[andiron note]');
});

test('its reply is read also where the engine took it for a call of its own', async () => {
  const world = small(
    [call('touch', { call: 'echo', with: { value: 'a.txt' } }), done()],
    [call('echo', { answer: 'It says echo.' }), done()],
  );
  await world.run('what does a.txt say?');
  expect(world.executed).toEqual(['echo']);
  expect(world.messages.at(-1)).toMatchObject({ role: 'assistant', content: 'It says echo.' });
});

test('a reply that does not end is bounded', async () => {
  const world = small(reply({ call: 'echo', with: { value: 'a.txt' } }), reply({ answer: 'Hello.' }));
  await world.run('what does a.txt say?');
  expect(world.requests.every(({ maxOutputTokens }) => maxOutputTokens <= 400)).toBe(true);
});

const refusal = (): AndironError =>
  new AndironError('grammar_refused', 'Ollama refused the grammar of the reply: failed to parse grammar');

const commandTool = defineTool({
  name: 'run_command',
  description: 'Run a command.',
  parameters: z.object({ command: z.string(), why: z.string().optional() }),
  mutates: true,
  retrySafe: false,
  risk: 'read',
  about: 'outside',
  timeoutMs: 1_000,
  subject: ({ command }) => command,
  need: () => ({ risk: 'read', summary: '', mutates: '', sandboxed: false, scopes: ['once'] }),
  execute: async () => ({ ok: true, content: 'done', display: null }),
});

/** An engine that refuses some grammars, and answers the others with these replies in turn. */
function refusing(world: TurnWorld, refuses: (format: string) => boolean, ...replies: unknown[]): void {
  world.provider = {
    async *stream({ format }) {
      if (format && refuses(JSON.stringify(format))) throw refusal();
      yield { type: 'opened' };
      const next = replies.shift();
      yield text(typeof next === 'string' ? next : JSON.stringify(next));
      yield done();
    },
  };
}

test('A refused grammar is asked for with less and less, and at last as text (audit-E2)', async () => {
  const world = small();
  world.entries = ['tool.sh'];
  world.moreTools.push(commandTool);
  world.active = profile({ tools: ['echo', 'run_command'] });
  refusing(world, () => true, 'It says hello.');
  await world.run('run tool.sh');
  const sent = formats(world);
  expect(sent[0]).toContain('"pattern":"^');
  expect(sent[1]).not.toContain('"pattern":"^');
  expect(sent[1]).toContain('"required":["command"]');
  expect(sent[2]).toContain('"enum":["run_command"]');
  expect(sent.slice(3)).toEqual(['null']);
  expect(new Set(sent).size).toBe(4);
  expect(world.refusedGrammars).toEqual([1, 2, 3].map(() => `test-model: ${refusal().message}`));
  expect(world.ending()).toBe('turn/finished');
  assertValidHistory(world.messages);
});

test('A turn whose smallest grammar was refused goes on in text, without asking for one again (audit-E2)', async () => {
  const world = small();
  const call = '{"name": "echo", "arguments": {"value": "a.txt"}}';
  refusing(world, () => true, call, 'It says hello.');
  await world.run('what does a.txt say?');
  expect(world.executed).toEqual(['echo']);
  expect(formats(world).map((format) => format !== 'null')).toEqual([true, true, false, false]);
});

test('One refusal teaches nothing: the next turn asks under a grammar again (audit-E2)', async () => {
  const world = small();
  refusing(world, () => true, 'It says hello.', 'It says hello again.');
  await world.run('what does a.txt say?');
  await world.run('and what does a.txt say now?');
  expect(formats(world).map((format) => format !== 'null')).toEqual([true, true, false, true, true, false]);
});

test('The next step of a turn asks for the whole grammar again once a smaller one was taken (audit-E2)', async () => {
  const world = small();
  let refusals = 1;
  refusing(
    world,
    () => (refusals -= 1) >= 0,
    { call: 'echo', with: { value: 'a.txt' } },
    { answer: 'It says hello.' },
  );
  await world.run('what does a.txt say?');
  expect(world.executed).toEqual(['echo']);
  expect(formats(world)[2]).toContain('"answer"');
  expect(world.refusedGrammars).toHaveLength(1);
});

test('Only a refusal of the grammar narrows it: any other fails the turn at once (audit-E2)', async () => {
  const world = small([new AndironError('engine_refused', 'The host does not accept the key (401).')]);
  await world.run('what does a.txt say?');
  expect(world.requests).toHaveLength(1);
  expect(world.ending()).toBe('turn/failed');
});

test('it reads a whole file without the head of the result, and no full path of the workspace', async () => {
  const world = small(reply({ call: 'echo', with: { value: 'a.txt' } }), reply({ answer: 'Red.' }));
  world.onExecute = async () => 'lines 1-1 of 1\nred';
  await world.run('what does a.txt say?');
  expect(newest(world)).toContain('red');
  expect(newest(world)).not.toContain('lines 1-1');
});

test('A small model reads the message without the line about the workspace (audit-A14)', async () => {
  const world = small(reply({ answer: 'Hello.' }));
  world.opening = 'Workspace folder: /work\n\n';
  world.active = profile({ iterationBudgetEnabled: false });
  await world.run('Good morning');
  expect(world.requests[0]?.messages[0]?.content.trim()).toBe('Good morning');
});

test('A small model may call each tool where nothing of the workspace is named (audit-A14)', async () => {
  const world = small(reply({ answer: 'Hello.' }));
  await world.run('Good morning');
  expect(formats(world)).toEqual([expect.stringContaining('"echo"')]);
  expect(formats(world)[0]).toContain('"touch"');
  expect(world.ending()).toBe('turn/finished');
});

test.each([
  ['looks before it answers where there are files', ['a.txt'], false],
  ['may answer at once where there are none', [], true],
])('A small model that is asked for a code %s (audit-A14)', async (_, entries, mayAnswer) => {
  const world = small(
    reply(mayAnswer ? { answer: 'No idea.' } : { call: 'echo', with: { value: 'a.txt' } }),
    reply({ answer: 'Ann.' }),
  );
  world.entries = entries;
  await world.run('Who is E4711?');
  expect(formats(world)[0]?.includes('"answer"')).toBe(mayAnswer);
});
