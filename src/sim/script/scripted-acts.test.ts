import { expect, test } from 'vitest';
import { openingGrammarFor } from '../../host/loop/opening/turn-acts.ts';
import { grammarProblem, writeUnderGrammar } from './grammar.ts';
import { asksForOpening, openingOf } from './scripted-acts.ts';
import { reply, type Reply } from './reply.ts';
import { chatScriptRequest, rule, script, sequence } from './script.ts';

const openingGrammar = openingGrammarFor({ mayUse: true });
const request = {
  ...chatScriptRequest({ model: 'm', messages: [], tools: [], think: false, format: openingGrammar }),
  nth: 1,
};
const read = reply().constrainedCall('read_file', { path: 'a.txt' });
const stepsIn = ({ steps: [step] }: Reply): unknown => step?.do === 'constrained' && step.value;
const looks = { act: 'look', what: 'a.txt' };
const answer = expect.objectContaining({ act: 'answer' }) as unknown;

test('A request for an opening is told from every other one', () => {
  expect(asksForOpening(request)).toBe(true);
  for (const format of [undefined, 'json', { type: 'object' }, { properties: { steps: { type: 'string' } } }])
    expect(asksForOpening({ format })).toBe(false);
});

test('A sequence says what comes up to its next answer, and uses nothing up', () => {
  const played = sequence(
    reply().error(400, 'no'),
    read,
    reply().constrainedCall('run_command', { command: 'ls' }),
    reply().constrainedAnswer('One.'),
    reply().constrainedCall('write_file', { path: 'b.txt', content: '' }),
  );
  const ahead = (): unknown => stepsIn(openingOf(played.ahead?.(request) ?? []));
  const first = { steps: [looks, { act: 'run', what: 'ls' }, answer] };
  expect(ahead()).toEqual(first);
  expect(ahead()).toEqual(first);
  for (let used = 0; used < 4; used += 1) played(request);
  expect(ahead()).toEqual({ steps: [{ act: 'change', what: 'b.txt' }, answer] });
});

test('Rules say what they would do with one result after the other', () => {
  const ruled = script([
    rule({ resultCount: 0 }, reply().toolCall('read_file', { path: 'a.txt' })),
    rule({ resultCount: 1 }, reply().toolCall('edit_file', { path: 'a.txt' })),
    rule({}, reply().text('Done.')),
  ]);
  expect(stepsIn(openingOf(ruled.ahead?.(request) ?? []))).toEqual({
    steps: [looks, { act: 'change', what: 'a.txt' }, answer],
  });
  const endless = script([rule({}, read)]);
  expect(endless.ahead?.(request).length).toBeLessThan(20);
});

test('An edit says what it changes in which file, as a model that plans it would', () => {
  const edit = reply().toolCall('edit_file', { path: 'a.txt', old_text: 'milk', new_text: 'bread' });
  expect(stepsIn(openingOf([edit]))).toEqual({ steps: [{ act: 'change', what: 'milk in a.txt' }, answer] });
});

test('An opening is one that its grammar allows, whatever the script does', () => {
  const long = reply().toolCall('search', { pattern: '😀 \n'.repeat(100) });
  for (const ahead of [[], [reply().text('Hi.')], [read, read, read, read, read], [long], [reply().hang()]]) {
    const value = stepsIn(openingOf(ahead)) as { steps: { act: string; what: string }[] };
    expect(grammarProblem(openingGrammar, writeUnderGrammar(value, openingGrammar), false)).toBeUndefined();
    // The answer goes without saying where the work leaves it no room.
    expect(value.steps.length === 4 || value.steps.at(-1)?.act === 'answer').toBe(true);
  }
});
