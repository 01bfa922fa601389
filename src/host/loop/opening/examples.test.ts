import { expect, test } from 'vitest';
import { grammarProblem } from '../../../sim/script/grammar.ts';
import { countExamples, examplesFor, findingExamples, openingExamples, usingExamples } from './examples.ts';
import { openingGrammarFor, readOpening } from './turn-acts.ts';

const openingGrammar = openingGrammarFor({ mayUse: true });

const replies = findingExamples.flatMap((message) => (message.role === 'assistant' ? [message] : []));
const openings = replies.map(({ content }) => readOpening(content));

test('The examples are pairs of what a person asks and how a model opens', () => {
  expect(openingExamples.length).toBeGreaterThan(0);
  expect(findingExamples.map(({ role }) => role)).toEqual(replies.flatMap(() => ['user', 'assistant']));
});

test.each(replies.map(({ content }) => content))(
  'The grammar of an opening allows the example %s',
  (content) => {
    expect(grammarProblem(openingGrammar, content, false)).toBeUndefined();
  },
);

test.each(replies.map(({ content }) => content))(
  'An opening is read as the example wrote it: %s',
  (content) => {
    expect({ steps: readOpening(content) }).toEqual(JSON.parse(content));
  },
);

test('The examples only open: they think nothing and call nothing', () => {
  expect(replies.every(({ thinking, calls }) => thinking === '' && calls.length === 0)).toBe(true);
});

test('The examples show each act at least twice', () => {
  const acts = openings.flatMap((steps) => (steps ?? []).map(({ act }) => act));
  const shown = ['answer', 'change', 'look', 'run', 'use'].map(
    (act) => acts.filter((each) => each === act).length,
  );
  expect(Math.min(...shown)).toBeGreaterThan(1);
});

test('The examples show each act alone before it is one of several', () => {
  const work = openings.map((steps) => (steps ?? []).flatMap(({ act }) => (act === 'answer' ? [] : act)));
  const several = work.findIndex((acts) => acts.length > 1);
  const alone = work.slice(0, several).map(([act]) => act);
  expect(alone).toEqual(expect.arrayContaining([undefined, 'look', 'change', 'run']));
});

test('No example asks the same as another', () => {
  const asked = findingExamples.flatMap(({ role, content }) => (role === 'user' ? content : []));
  expect(new Set(asked).size).toBe(asked.length);
});

test('Only a profile that reaches further shows how that is opened, behind the others', () => {
  expect(examplesFor({ mayUse: false, mayFind: false })).toBe(openingExamples);
  expect(JSON.stringify(openingExamples)).not.toContain(String.raw`\"use\"`);
  expect(usingExamples.slice(0, openingExamples.length)).toEqual(openingExamples);
});

test('Only a profile of servers shows that what is asked without the web is not looked for there', () => {
  const reach = { mayUse: true, mayFind: false };
  expect(examplesFor(reach)).toBe(usingExamples);
  const asked = examplesFor({ ...reach, mayFind: true }).map(({ content }) => content);
  const at = asked.indexOf('Find out on the web how high Snowdon is.');
  expect(asked[at + 2]).toBe('How high is Snowdon?');
  expect(asked.toSpliced(at + 2, 2)).toEqual(usingExamples.map(({ content }) => content));
});

test.each([
  ['alone', { mayUse: false, mayFind: false }],
  ['with the web', { mayUse: true, mayFind: false }],
  ['with servers', { mayUse: true, mayFind: true }],
])('The examples in front of a log are counted (a folder %s)', (_, reach) => {
  const examples = examplesFor(reach);
  expect(countExamples([...examples, { role: 'user', content: 'Hello' }])).toBe(examples.length);
  expect(countExamples(examples)).toBe(examples.length);
});

test('A log without examples has none to count', () => {
  expect(countExamples([{ role: 'user', content: 'Hello' }])).toBe(0);
});
