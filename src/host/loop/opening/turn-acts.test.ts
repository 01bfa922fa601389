import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { turnScopeSchema } from '../../../protocol/turn-scope.ts';
import { grammarProblem } from '../../../rules/grammar/check.ts';
import { grammarProblem as whyNotUnder } from '../../../sim/script/grammar.ts';
import {
  cautiousSteps,
  openingGrammarFor,
  openingText,
  readOpening,
  scopeOf,
  type ScopeStep,
} from './turn-acts.ts';

const openingGrammar = openingGrammarFor({ mayUse: false });
const look: ScopeStep = { act: 'look', what: 'read a.txt' };
const change: ScopeStep = { act: 'change', what: 'write b.txt' };
const run: ScopeStep = { act: 'run', what: 'node a.js' };
const answer: ScopeStep = { act: 'answer', what: 'the sum' };
const read = (steps: unknown): ScopeStep[] | null => readOpening(JSON.stringify({ steps }));
const whatOf = (what: string): string | undefined => read([{ act: 'look', what }])?.[0]?.what;
const allows = (text: string): boolean => whyNotUnder(openingGrammar, text, false) === undefined;

const may = (options: Parameters<typeof openingGrammarFor>[0], step: ScopeStep): boolean =>
  whyNotUnder(openingGrammarFor(options), openingText([step, answer]), false) === undefined;

test('The grammar of an opening is one that an engine takes', () => {
  expect(grammarProblem(openingGrammar)).toBeNull();
});

test('The grammar of an opening asks for a step, and for its act before its words', () => {
  expect(allows(openingText([look, answer]))).toBe(true);
  expect(allows('{"steps":[]}')).toBe(false);
  expect(allows('{"steps":[{"what":"x","act":"look"}]}')).toBe(false);
  expect(allows('{"steps":[{"act":"delete","what":"x"}]}')).toBe(false);
  expect(allows('{"steps":[{"act":"look","what":""}]}')).toBe(false);
  expect(allows(openingText([look, look, look, look, answer]))).toBe(false);
});

test('Only where a profile reaches further may an opening say so, and without runs no step is one', () => {
  const use: ScopeStep = { act: 'use', what: 'add a calendar event' };
  expect(may({ mayUse: false }, use)).toBe(false);
  expect(may({ mayUse: true }, use)).toBe(true);
  expect(may({ mayUse: true, mayRun: false }, use)).toBe(true);
  expect(may({ mayUse: true }, run)).toBe(true);
  expect(may({ mayUse: true, mayRun: false }, run)).toBe(false);
  expect(grammarProblem(openingGrammarFor({ mayUse: true }))).toBeNull();
});

test('In a profile without tools for the folder a step uses something, or answers', () => {
  const use: ScopeStep = { act: 'use', what: 'add a calendar event' };
  const far = { mayUse: true, mayWork: false };
  expect([use, answer].map((step) => may(far, step))).toEqual([true, true]);
  expect([look, change, run].map((step) => may(far, step))).toEqual([false, false, false]);
});

test('An opening in form is read as it was written', () => {
  const steps = [look, change, run, answer];
  expect(readOpening(openingText(steps))).toEqual(steps);
  expect(readOpening(`\n ${JSON.stringify({ steps: [answer] }, null, 2)}\n`)).toEqual([answer]);
});

test.each([
  ['nothing', ''],
  ['prose', 'First I will read a.txt.'],
  ['a fence', '```json\n{"steps":[{"act":"look","what":"x"}]}\n```'],
  ['what was cut', '{"steps":[{"act":"look","what":"read'],
  ['two openings', `${openingText([look])}${openingText([look])}`],
  ['null', 'null'],
  ['a text', '"look"'],
  ['a bare list', JSON.stringify([look])],
  ['no steps', '{}'],
  ['an empty list', '{"steps":[]}'],
  ['a step outside of a list', JSON.stringify({ steps: look })],
  ['steps one level too deep', JSON.stringify({ steps: { steps: [look] } })],
  ['lists within the list', JSON.stringify({ steps: [[look], [[answer]]] })],
  ['steps of wrong types', JSON.stringify({ steps: [null, 1, true, 'look', [], {}] })],
  [
    'acts of wrong types',
    JSON.stringify({
      steps: [
        { act: ['look'], what: 'x' },
        { act: 1, what: 'x' },
      ],
    }),
  ],
  [
    'acts that do not exist',
    JSON.stringify({
      steps: [
        { act: 'delete', what: 'x' },
        { act: '', what: 'x' },
      ],
    }),
  ],
  ['an act by the name of a method', JSON.stringify({ steps: [{ act: 'toString', what: 'x' }] })],
  ['words of wrong types', JSON.stringify({ steps: [{ act: 'look', what: 7 }, { act: 'look' }] })],
  ['a prototype', '{"__proto__":{"steps":[{"act":"run","what":"x"}]}}'],
  [
    'an opening beside deep nesting',
    `{"steps":[{"act":"run","what":"x"}],"x":${'['.repeat(5_000)}${']'.repeat(5_000)}}`,
  ],
  ['deep nesting', `{"steps":${'['.repeat(100_000)}${']'.repeat(100_000)}}`],
])('A reply is no opening when it is %s', (_, text) => {
  expect(readOpening(text)).toBeNull();
});

test('A step that is out of form is left out, and the others count', () => {
  expect(read([{ act: 'run', what: null }, look, 'run', { act: 'erase', what: 'x' }, answer])).toEqual([
    look,
    answer,
  ]);
});

test('An opening has its answer at the end, wherever the model put it', () => {
  expect(read([answer, look])).toEqual([look, answer]);
  expect(read([look, answer, change])).toEqual([look, change, answer]);
  expect(read([look])).toEqual([look, { act: 'answer', what: '' }]);
});

test('An opening has one answer, the last of several', () => {
  const first: ScopeStep = { act: 'answer', what: 'hello' };
  expect(read([first, look, answer])).toEqual([look, answer]);
  expect(read([first, first, answer])).toEqual([answer]);
});

test('An opening of ten thousand steps is cut to its first four, and keeps its answer', () => {
  const many = Array.from({ length: 10_000 }, (_, at): ScopeStep => ({ act: 'look', what: `file ${at}` }));
  expect(read([...many, answer])).toEqual([...many.slice(0, 4), answer]);
  expect(read(many.map((): ScopeStep => answer))).toEqual([answer]);
});

test('A step that is listed twice in a row counts once', () => {
  expect(read([run, run, run, look, run, answer])).toEqual([run, look, run, answer]);
  expect(read([run, { ...run, what: 'node b.js' }])).toHaveLength(3);
});

test('The words of a step are cut at sixty characters, and no emoji in two', () => {
  expect(whatOf('🚲'.repeat(61))).toBe('🚲'.repeat(60));
  expect(whatOf(`${'x'.repeat(59)}🚲🚲`)).toBe(`${'x'.repeat(59)}🚲`);
  expect(whatOf('x'.repeat(60))).toBe('x'.repeat(60));
});

test('The words of a step stand in one line, without blanks around them', () => {
  expect(read([{ act: 'look', what: '  read\n\n\tthe \u2028 file ' }])?.[0]?.what).toBe('read the file');
  expect(read([{ act: 'look', what: `${'x'.repeat(59)} y` }])?.[0]?.what).toBe('x'.repeat(59));
});

test('Half of a character in the words of a step is replaced', () => {
  expect(read([{ act: 'look', what: 'a\ud83d' }])?.[0]?.what).toBe('a\ufffd');
  expect(readOpening(String.raw`{"steps":[{"act":"look","what":"\udeb2b"}]}`)?.[0]?.what).toBe('\ufffdb');
});

test('Whatever a model writes, its opening is a scope that a window takes, or none', () => {
  const what = fc.oneof(fc.string({ unit: 'binary', maxLength: 200 }), fc.anything());
  const act = fc.oneof(fc.constantFrom('look', 'change', 'run', 'answer'), fc.anything());
  const step = fc.oneof({ weight: 5, arbitrary: fc.record({ act, what }) }, fc.jsonValue());
  const text = fc.oneof(
    fc.string(),
    fc.json(),
    fc.array(step, { maxLength: 12 }).map((steps) => jsonOf({ steps })),
  );
  fc.assert(
    fc.property(text, (written) => {
      const steps = readOpening(written);
      if (steps === null) return;
      expect(turnScopeSchema.safeParse(scopeOf(steps, [])).success).toBe(true);
      expect(steps.filter((each) => each.act === 'answer')).toEqual([steps.at(-1)]);
      expect(steps.every((each) => each.what.isWellFormed())).toBe(true);
      expect(readOpening(openingText(steps))).toEqual(steps);
    }),
  );
});

test('A scope may change and run what a step of it does', () => {
  expect(scopeOf([look, answer], [])).toEqual({ change: false, run: false, steps: [look, answer] });
  expect(scopeOf([change, answer], [])).toMatchObject({ change: true, run: false });
  expect(scopeOf([run, answer], [])).toMatchObject({ change: false, run: true });
});

test('A scope may do besides what the person allowed, and lists the steps of the model', () => {
  expect(scopeOf([look, answer], ['change'])).toEqual({ change: true, run: false, steps: [look, answer] });
  expect(scopeOf([change, answer], ['run'])).toMatchObject({ change: true, run: true });
});

test('A scope changes and runs nothing after a reply that is no opening', () => {
  expect(scopeOf(cautiousSteps(true), [])).toMatchObject({ change: false, run: false });
  expect(cautiousSteps(true).map(({ act }) => act)).toEqual(['look', 'answer']);
  expect(cautiousSteps(false).map(({ act }) => act)).toEqual(['use', 'answer']);
});

/** As a hostile model would write it: what has no JSON is left out. */
function jsonOf(value: unknown): string {
  try {
    return (
      JSON.stringify(value, (_, each: unknown) => (typeof each === 'bigint' ? String(each) : each)) ?? ''
    );
  } catch {
    return '';
  }
}
