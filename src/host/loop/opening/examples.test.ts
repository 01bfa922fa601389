import { expect, test } from 'vitest';
import { grammarProblem } from '../../../sim/script/grammar.ts';
import { openingExamples } from './examples.ts';
import { openingGrammar, readOpening } from './turn-acts.ts';

const replies = openingExamples.flatMap((message) => (message.role === 'assistant' ? [message] : []));
const openings = replies.map(({ content }) => readOpening(content));

test('The examples are pairs of what a person asks and how a model opens', () => {
  expect(openingExamples.length).toBeGreaterThan(0);
  expect(openingExamples.map(({ role }) => role)).toEqual(replies.flatMap(() => ['user', 'assistant']));
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
  const shown = ['answer', 'change', 'look', 'run'].map((act) => acts.filter((each) => each === act).length);
  expect(Math.min(...shown)).toBeGreaterThan(1);
});

test('The examples show each act alone before it is one of several', () => {
  const work = openings.map((steps) => (steps ?? []).flatMap(({ act }) => (act === 'answer' ? [] : act)));
  const several = work.findIndex((acts) => acts.length > 1);
  const alone = work.slice(0, several).map(([act]) => act);
  expect(alone).toEqual(expect.arrayContaining([undefined, 'look', 'change', 'run']));
});

test('No example asks the same as another', () => {
  const asked = openingExamples.flatMap(({ role, content }) => (role === 'user' ? content : []));
  expect(new Set(asked).size).toBe(asked.length);
});
