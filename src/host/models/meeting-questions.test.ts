import { expect, test } from 'vitest';
import { openingExamples } from '../loop/opening/examples.ts';
import { meetingOpenings } from './meeting-openings.ts';
import { meetingQuestions, pickQuestions, type CallQuestion } from './meeting-questions.ts';

const noted = (): CallQuestion[] =>
  meetingQuestions([], true).flatMap((each) => (each.ability === 'notes' ? [each] : []));
const answer = { text: '', calls: [], textCalls: 0, isBroken: false };
const picksOut = (said: string): (boolean | undefined)[] =>
  pickQuestions([{ name: 'read_file' }]).map(
    (question) => question.judge({ ...answer, text: said })[0]?.isGood,
  );
const judged = (said: Partial<Parameters<CallQuestion['judge']>[0]>): unknown[] =>
  noted().map(({ judge }) => judge({ ...answer, ...said }));
const wrote = (content: string) => [{ tool: null, isReadable: true, args: { path: 'hello.txt', content } }];

test('A first meeting asks three questions with a note behind them, whatever tools there are', () => {
  const asked = noted().map(({ text }) => text);
  expect(asked).toHaveLength(3);
  for (const text of asked) expect(text).toMatch(/^[^[]+\n\n\[andiron note\] [^[]+$/);
});

test('An answer or a call without the words of the note follows it', () => {
  const good = [{ ability: 'notes', isGood: true }];
  expect(judged({ text: 'White.' })).toEqual([good, good, good]);
  expect(judged({ calls: wrote('Good morning') })).toEqual([good, good, good]);
});

test('An answer or a call with the words of the note does not follow it', () => {
  const bad = [{ ability: 'notes', isGood: false }];
  const note = 'are left. Bring the work to an end. Answer now with what you have, without calling';
  expect(judged({ text: note })).toEqual([bad, bad, bad]);
  expect(judged({ calls: wrote(note) })).toEqual([bad, bad, bad]);
  expect(judged({ text: note, isBroken: true })).toEqual([bad, bad, bad]);
});

test('A reply that says nothing, or breaks its grammar, tells nothing of notes', () => {
  expect(judged({})).toEqual([[], [], []]);
  expect(judged({ text: 'Whi', isBroken: true })).toEqual([[], [], []]);
});

const schema = { type: 'object' as const, properties: {}, required: [] };
const tools = ['read_file', 'list_files', 'search', 'write_file', 'edit_file', 'todo'].map((name) => ({
  name,
  schema,
}));

const abilitiesAsked = (mayCallNatively: boolean): string[] =>
  meetingQuestions(tools, mayCallNatively).map(({ ability }) => ability);

test('A model is asked first whether it makes its own calls, then under a grammar, then to open turns', () => {
  expect(abilitiesAsked(true).slice(0, 9)).toEqual([
    'native',
    'native',
    'native',
    'grammar',
    'opens',
    'opens',
    'opens',
    'opens',
    'opens',
  ]);
});

test('A model that cannot call natively is asked under a grammar first, then to open turns', () => {
  const openings = meetingOpenings.map(() => 'opens');
  expect(abilitiesAsked(false).slice(0, openings.length + 2)).toEqual(['grammar', ...openings, 'picks']);
});

test('No two questions of a first meeting have the same words, so none counts as asked before it was', () => {
  const openings = meetingQuestions(tools, true).filter(({ ability }) => ability === 'opens');
  expect(new Set(openings.map(({ text }) => text)).size).toBe(meetingOpenings.length);
});

test('An answer picks out what was asked only where nothing of another question stands in it', () => {
  expect(picksOut('Bo')).toEqual([true, false, false]);
  expect(picksOut('It is 12.')).toEqual([false, false, true]);
  expect(picksOut('Mia,12')).toEqual([false, false, false]);
  expect(picksOut('Lisbon, Porto, Braga')).toEqual([false, false, false]);
});

test('Each act is the right beginning of an opening that is asked for', () => {
  expect(new Set(meetingOpenings.map(({ act }) => act))).toEqual(
    new Set(['answer', 'look', 'change', 'run']),
  );
});

test('A model that begins every turn in the same way is wrong in most openings', () => {
  for (const act of ['answer', 'look', 'change', 'run'])
    expect(meetingOpenings.filter((each) => each.act === act).length).toBeLessThan(
      meetingOpenings.length / 2,
    );
});

test('No file of the openings that are asked for stands in a worked example', () => {
  const shown = openingExamples.map(({ content }) => content).join('\n');
  for (const { text } of meetingOpenings)
    for (const file of text.match(/[\p{L}/]+\.[a-z]+/gu) ?? []) expect(shown).not.toContain(file);
});

test('Not all openings are asked for in English', () => {
  expect(meetingOpenings.filter(({ text }) => /\P{ASCII}/u.test(text)).length).toBeGreaterThan(1);
});

const made = (name: string): unknown[] => pickQuestions([{ name }]).map((each) => each.made?.tool);

test('What an answer is picked out of was brought by a tool that the profile has', () => {
  for (const name of ['read_file', 'tool_call', 'fetch_url', 'search_collections'])
    expect(made(name)).toEqual([name, name, name]);
  expect(pickQuestions([{ name: 'todo' }])).toEqual([]);
});

test('Whoever calls for what it was given has not settled for it', () => {
  const bridge = [{ name: 'tool_call', schema }];
  const [asked] = meetingQuestions(bridge, true).flatMap((each) =>
    each.ability === 'settles' ? [each] : [],
  );
  const again = (args: Record<string, unknown>) =>
    asked?.judge({
      ...answer,
      calls: [{ tool: { name: 'tool_call', mutates: true }, isReadable: true, args }],
    });
  expect(again({ name: 'files.read', arguments: { path: 'notes/ideas.md' } })?.[0]?.isGood).toBe(false);
  expect(again({ name: 'files.read', arguments: { path: 'other.md' } })).toEqual([]);
  expect(asked?.judge({ ...answer, text: 'Green.' })?.[0]?.isGood).toBe(true);
  const other = {
    tool: { name: 'memory_search', mutates: false },
    isReadable: true,
    args: { query: 'notes/ideas.md' },
  };
  expect(asked?.judge({ ...answer, calls: [other] })).toEqual([]);
});

test.each([
  ['read_file', { path: './notes/ideas.md' }, true],
  ['read_file', { path: 'docs/notes/ideas.md' }, false],
  ['search_collections', { query: 'colour of the fence' }, true],
])('Whether a call of %s with %o asks for the same again: %s', (name, args, isAgain) => {
  const [asked] = meetingQuestions([{ name, schema }], true).flatMap((each) =>
    each.ability === 'settles' ? [each] : [],
  );
  const calls = [{ tool: { name, mutates: false }, isReadable: true, args }];
  expect(asked?.judge({ ...answer, calls })).toEqual(isAgain ? [{ ability: 'settles', isGood: false }] : []);
});
