/** What a turn learns of how a model calls its tools, and what it makes of each kind of reply. */
import { expect, it } from 'vitest';
import { AndironError } from '../../src/protocol/errors.ts';
import { call, done, profile, text, TurnWorld, type ScriptedReply } from '../helpers/turn-world.ts';

const answer: ScriptedReply = [text('Done.'), done()];
/** The engine counted tokens that it did not pass on. */
const lostCall: ScriptedReply = [text('Let me look.'), done({ outputTokens: 90 })];
const underGrammar: ScriptedReply = [text('{"call":"echo","with":{"value":"a"}}'), done()];
type Seen = TurnWorld['observed'][number];

const noteKinds = (world: TurnWorld): string[] =>
  world.items().flatMap((item) => (item.kind === 'note' ? [item.note] : []));
const states = (world: TurnWorld): string[] =>
  world.events.flatMap((event) => (event.type === 'tool/finished' ? [event.state] : []));

function quiet(...replies: ScriptedReply[]): TurnWorld {
  const world = new TurnWorld(...replies);
  world.active = profile({ iterationBudgetEnabled: false });
  return world;
}

it.each<[string, ScriptedReply, Seen[]]>([
  [
    'that the model made by itself counts for its native calls',
    [call('echo', { value: 'a' }), done()],
    [['native', true]],
  ],
  [
    'that stood in the text counts against its native calls',
    [text('{"name": "echo", "arguments": {"value": "a"}}'), done()],
    [
      ['text', true],
      ['native', false],
    ],
  ],
])('A call %s (audit-A14)', async (_, reply, seen) => {
  const world = quiet(reply, answer);
  await world.run();
  expect(world.executed).toEqual(['echo']);
  expect(world.observed).toEqual([...seen, ['settles', true]]);
});

it('A call that only a grammar brought counts for the grammar, and the lost one against native calls (audit-A14)', async () => {
  const world = quiet(lostCall, underGrammar, answer);
  await world.run();
  expect(world.executed).toEqual(['echo']);
  expect(world.observed).toEqual([
    ['native', false],
    ['grammar', true],
    ['settles', true],
  ]);
  expect(world.requests.map(({ format }) => format !== undefined)).toEqual([false, true, false]);
});

it('A model that does not hold native calls is asked under a grammar from its first step on', async () => {
  const world = quiet(underGrammar, [text('{"answer":"Done."}'), done()]);
  world.abilities = new Set(['grammar', 'pattern', 'values']);
  await world.run();
  expect(world.requests.map(({ format }) => format !== undefined)).toEqual([true, true]);
  expect(world.observed).toContainEqual(['grammar', true]);
});

it('A model that holds neither native calls nor grammars is read for calls in its text', async () => {
  const world = quiet([text('{"name": "echo", "arguments": {"value": "a"}}'), done()], answer);
  world.abilities = new Set();
  await world.run();
  expect(world.executed).toEqual(['echo']);
  expect(world.requests.map(({ format }) => format)).toEqual([undefined, undefined]);
});

it('A profile that names the way to call overrules what was observed', async () => {
  const world = quiet([call('echo', { value: 'a' }), done()], answer);
  world.abilities = new Set(['grammar', 'pattern', 'values']);
  world.active = { ...world.active, calls: 'native' };
  await world.run();
  expect(world.requests.map(({ format }) => format)).toEqual([undefined, undefined]);
});

it('The same call once more after it succeeded counts against settling', async () => {
  const echo: ScriptedReply = [call('echo', { value: 'a' }), done()];
  const world = quiet(echo, echo, answer);
  await world.run();
  expect(world.observed.filter(([ability]) => ability === 'settles')).toEqual([
    ['settles', false],
    ['settles', true],
  ]);
});

it('A call that its tool cannot read counts against the way in which it was made', async () => {
  const wrong: ScriptedReply = [call('echo', { value: { deep: [1] } }), done()];
  const world = quiet(wrong, [call('echo', { value: 'a' }), done()], answer);
  await world.run();
  expect(world.observed.slice(0, 2)).toEqual([
    ['native', false],
    ['native', true],
  ]);
});

it('A model that has no tools may write a call as its answer (audit-A14)', async () => {
  const written = '<tool_call>{"name": "echo", "arguments": {}}</tool_call>';
  const world = quiet([text(`It looks like this:\n${written}`), done()]);
  world.active = profile({ tools: [] });
  await world.run();
  expect(world.requests).toHaveLength(1);
  expect(world.ending()).toBe('turn/finished');
});

it.each<[string, ScriptedReply, ScriptedReply, string]>([
  ['a reply with nothing in it', [done()], answer, 'reask'],
  [
    'a call that broke off in the text',
    [text('{"name": "echo", "arguments": {"value": "a'), done()],
    [text('{"answer":"Done."}'), done()],
    'constrained',
  ],
  [
    'a reply that the engine could not read',
    [new AndironError('reply_unusable', 'Ollama could not read the reply.')],
    [text('{"answer":"Done."}'), done()],
    'constrained',
  ],
])('After %s the person reads that it was asked again, and how (audit-A14)', async (_, first, next, kind) => {
  const world = quiet(first, next);
  await world.run();
  expect(noteKinds(world)).toEqual([kind]);
  expect(world.ending()).toBe('turn/finished');
});

it('Calls of replies that were given up are shown as interrupted (audit-A14)', async () => {
  const wrong: ScriptedReply = [call('echo', { value: { deep: [1] } }), done()];
  const world = quiet(...Array.from({ length: 12 }, () => wrong));
  await world.run();
  expect(world.executed).toEqual([]);
  expect(world.items().at(-1)).toMatchObject({ kind: 'error', code: 'reply_unusable' });
  expect(states(world).at(-1)).toBe('interrupted');
  expect(new Set(states(world))).toEqual(new Set(['failed', 'interrupted']));
});

it('The call of a reply whose connection broke is shown as interrupted (audit-A14)', async () => {
  const world = quiet([call('echo'), new AndironError('engine_refused', 'It broke.')]);
  await world.run();
  expect(states(world)).toEqual(['interrupted']);
});

it('An overflow that nothing can make smaller fails the turn without asking again (audit-A14)', async () => {
  const overflow = new AndironError('context_overflow', 'It does not fit.');
  // It counted far more than was estimated, so every estimate looks smaller.
  const world = quiet([call('echo'), done({ promptTokens: 5_000, outputTokens: 10 })], [overflow]);
  await world.run();
  expect(world.requests).toHaveLength(2);
  expect(world.items().at(-1)).toMatchObject({ kind: 'error', code: 'context_overflow' });
  expect(world.items().some(({ kind }) => kind === 'summary')).toBe(false);
});

it('Each request carries its own id and the models that may stand in (audit-A14)', async () => {
  const world = quiet([call('echo'), done()], answer);
  const candidates = [{ host: 'local', model: 'spare:4b' }];
  const ports = world.ports();
  world.ports = () => ({ ...ports, model: { ...ports.model, fallbacks: () => candidates } });
  await world.run();
  expect(world.requests.map((request) => request.candidates)).toEqual([candidates, candidates]);
  const ids = world.events.flatMap((event) =>
    event.type === 'usage/measured' ? [event.usage.requestId] : [],
  );
  expect(new Set(ids).size).toBe(2);
  expect(ids.every((id) => id.startsWith('req_'))).toBe(true);
});

it('Silence that outlasts every try is called a lost slot, with what to do about it (audit-A14)', async () => {
  const cut = [new AndironError('stream_cut', 'It was cut.')];
  const silence = [new AndironError('stream_first_token_timeout', 'Nothing came.')];
  const world = quiet(cut, cut, cut, cut, cut, silence);
  world.slots.closedWhileLinesCame('test-model');
  await world.run();
  expect(world.items().at(-1)).toMatchObject({
    kind: 'error',
    code: 'slot_lost',
    message: expect.stringContaining('test-model has not answered since an answer was stopped'),
    advice: expect.stringContaining('Unload the model') as string,
  });
});
