import { expect, test } from 'vitest';
import { grammarProblem } from '../../../sim/script/grammar.ts';
import { countExamples, examplesFor, openingExamples, usingExamples } from './examples.ts';
import { openingGrammarFor, readOpening } from './turn-acts.ts';

const openingGrammar = openingGrammarFor({ mayUse: true });

const replies = usingExamples.flatMap((message) => (message.role === 'assistant' ? [message] : []));
const openings = replies.map(({ content }) => readOpening(content));

test('The examples are pairs of what a person asks and how a model opens', () => {
  expect(openingExamples.length).toBeGreaterThan(0);
  expect(usingExamples.map(({ role }) => role)).toEqual(replies.flatMap(() => ['user', 'assistant']));
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
  const asked = usingExamples.flatMap(({ role, content }) => (role === 'user' ? content : []));
  expect(new Set(asked).size).toBe(asked.length);
});

test('Only a profile that reaches further shows how that is opened, behind the others', () => {
  expect(examplesFor({ mayUse: false })).toBe(openingExamples);
  expect(JSON.stringify(openingExamples)).not.toContain(String.raw`\"use\"`);
  expect(examplesFor({ mayUse: true }).slice(0, openingExamples.length)).toEqual(openingExamples);
});

test.each([false, true])('The examples in front of a log are counted (further: %s)', (mayUse) => {
  const examples = examplesFor({ mayUse });
  expect(countExamples([...examples, { role: 'user', content: 'Hello' }])).toBe(examples.length);
  expect(countExamples(examples)).toBe(examples.length);
});

test('A log without examples has none to count', () => {
  expect(countExamples([{ role: 'user', content: 'Hello' }])).toBe(0);
});
