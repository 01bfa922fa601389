import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { type ConstrainedReply, createConstrainedReader, unwrapped } from './constrained-reader.ts';
import { growth } from './testing.ts';

function read(chunks: readonly string[]): { text: string; calling: string[]; reply: ConstrainedReply } {
  const reader = createConstrainedReader();
  let text = '';
  const calling: string[] = [];
  for (const event of chunks.flatMap((chunk) => reader.push(chunk))) {
    if (event.type === 'text') text += event.text;
    else calling.push(event.name);
  }
  return { text, calling, reply: reader.end() };
}

/** Cuts at any places, also inside of escapes and of characters that are written in two. */
const cutAt = (text: string, places: readonly number[]): string[] => {
  const cuts = [0, ...places.map((place) => place % (text.length + 1)), text.length].toSorted(
    (a, b) => a - b,
  );
  return cuts.slice(1).map((end, at) => text.slice(cuts[at], end));
};
const places = fc.array(fc.nat(1_000), { maxLength: 40 });
const escapeAll = (text: string): string =>
  [...Array(text.length).keys()]
    .map((at) => `\\u${text.charCodeAt(at).toString(16).padStart(4, '0')}`)
    .join('');

test('an answer in any pieces is the whole answer, escaped or not', () => {
  const content = fc.string({ unit: 'binary', minLength: 1 }).filter((text) => text.trim() !== '');
  fc.assert(
    fc.property(content, places, fc.boolean(), (text, at, escaped) => {
      const json = escaped ? `{"answer":"${escapeAll(text)}"}` : JSON.stringify({ answer: text });
      const { text: streamed, reply } = read(cutAt(json, at));
      expect(streamed).toBe(text);
      expect(reply).toEqual({ type: 'answer', text });
    }),
    { numRuns: 500 },
  );
});

test('a call in any pieces is the whole call, and its tool is told once', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), places, (made, at) => {
      const args = JSON.parse(JSON.stringify(made)) as Record<string, unknown>;
      const { text, calling, reply } = read(cutAt(JSON.stringify({ call: 'search', with: args }), at));
      expect(text).toBe('');
      expect(calling).toEqual(['search']);
      expect(reply).toEqual({ type: 'call', name: 'search', args });
    }),
  );
});

test('every piece of an answer is well-formed, and none waits that is whole', () => {
  const reader = createConstrainedReader();
  const events = ['{ "answer"', ': "Hi \\uD8', '3D', '\\uDE00', '!\\', 'n', 'x"}'].map((chunk) =>
    reader.push(chunk),
  );
  expect(
    events.map((list) => list.map((event) => (event.type === 'text' ? event.text : '')).join('')),
  ).toEqual(['', 'Hi ', '', '😀', '!', '\n', 'x']);
});

test('a lone half of a character is replaced, not passed on', () => {
  expect(read(['{"answer":"a\\ud83d', ' b"}']).text).toBe('a\uFFFD b');
  expect(read(['{"answer":"a\\ud83d"}']).reply).toEqual({ type: 'answer', text: 'a\uFFFD' });
});

const broken: [what: string, raw: string, why: string][] = [
  ['nothing', ' \n', 'empty'],
  ['an empty answer', '{"answer":"  "}', 'empty'],
  ['an answer that was cut', '{"answer":"half', 'cut'],
  ['an answer cut before its bracket', '{"answer":"all"', 'cut'],
  ['a call that was cut', '{"call":"search","with":{"pattern":"a', 'cut'],
  ['a call cut before its arguments', '{"call":"search"', 'cut'],
  ['prose', 'I will look at the file.', 'form'],
  ['a list', '[1]', 'form'],
  ['another object', '{"name":"search","arguments":{}}', 'form'],
  ['a call with no arguments', '{"call":"search"}', 'form'],
  ['a call and an answer', '{"call":"search","with":{},"answer":"x"}', 'form'],
  ['more than one object', '{"answer":"a"}{"answer":"b"}', 'form'],
  ['an answer that is no text', '{"answer":5}', 'form'],
];

test.each(broken)('%s is broken, and kept as it came', (_, raw, why) => {
  expect(read([raw]).reply).toEqual({ type: 'broken', why, raw });
});

test('endless replies are bounded, in space and in time', () => {
  for (const [head, unit] of [
    ['', ' '],
    ['{"answer":"', 'x'],
    ['{"answer":"', '\\'],
    ['{"answer":"a"', ' '],
    ['{"call":"a","with":', '['],
    ['', '"'],
  ] as const) {
    const reader = createConstrainedReader();
    reader.push(head);
    const chunk = unit.repeat(1_000);
    for (let sent = 0; sent < 1_500; sent += 1) reader.push(chunk);
    const reply = reader.end();
    expect(reply).toMatchObject({ type: 'broken', why: 'too_long' });
    expect(reply.type === 'broken' && reply.raw.length).toBeLessThanOrEqual(1_000_000);
  }
});

test('one character at a time costs no more per character in a long answer', () => {
  const grown = growth((length) => {
    const reader = createConstrainedReader();
    reader.push('{"answer":"');
    for (let at = 0; at < length; at += 1) reader.push('x');
  });
  expect(grown).toBeLessThan(32);
});

test('An answer stands behind what it is about, in one piece as in many', () => {
  for (const about of ['the port', 'что \\"там\\"', 'x'.repeat(60)])
    for (const key of ['answer_found', 'answer_text']) {
      const json = JSON.stringify({ answer_about: about, [key]: 'It is 80.' });
      expect(read([json]).reply).toEqual({ type: 'answer', text: 'It is 80.' });
      expect(read([json])).toEqual(read(Array.from(json)));
    }
  expect(read(['{"answer_about":"the port"}']).reply).toMatchObject({ type: 'broken', why: 'form' });
});

test.each(['answer_why_not', 'answer_in_one_sentence', 'answer_without_a_tool'])(
  'An answer as %s is read as any other',
  (key) => {
    const json = JSON.stringify({ [key]: 'There is no a.txt.' });
    expect(read([json]).reply).toEqual({ type: 'answer', text: 'There is no a.txt.' });
    expect(read([json])).toEqual(read(Array.from(json)));
  },
);

test('a reply that the engine took for a call of its own is put back', () => {
  const found = { type: 'call' as const, id: 'x', name: 'todo' };
  const call = { call: 'read_file', with: { path: 'todo.txt' } };
  expect(unwrapped({ ...found, args: call })).toEqual({
    ...found,
    name: 'read_file',
    args: { path: 'todo.txt' },
  });
  expect(unwrapped({ ...found, args: { answer: 'See todo.txt' } })).toEqual({
    type: 'text',
    text: 'See todo.txt',
  });
  for (const key of ['answer_why_not', 'answer_in_one_sentence'])
    expect(unwrapped({ ...found, args: { [key]: 'There is none.' } })).toEqual({
      type: 'text',
      text: 'There is none.',
    });
  for (const key of ['answer_found', 'answer_text'])
    expect(unwrapped({ ...found, args: { answer_about: 'the file', [key]: 'todo.txt' } })).toEqual({
      type: 'text',
      text: 'todo.txt',
    });
  expect(unwrapped({ ...found, args: { action: 'list' } })).toEqual({ ...found, args: { action: 'list' } });
});

test.each([
  ['a call cut behind a list', '{"call":"search","with":{"paths":["a"]}', 'cut'],
  ['the word null', 'null', 'form'],
  ['a call whose arguments are null', '{"call":"search","with":null}', 'form'],
])('%s is broken, and for the right reason (audit-A14)', (_, raw, why) => {
  expect(read([raw]).reply).toEqual({ type: 'broken', why, raw });
});

test('The tool of a call is told as soon as its name is whole (audit-A14)', () => {
  const reader = createConstrainedReader();
  expect(reader.push('{"call":"sea')).toEqual([]);
  expect(reader.push('rch"')).toEqual([{ type: 'calling', name: 'search' }]);
});

test('A head that begins too late is none, in one piece as in many (audit-A14)', () => {
  for (const json of ['{"call":"search","with":{}}', '{"answer":"Hi"}']) {
    const late = ' '.repeat(700) + json;
    expect(read([late])).toEqual(read(Array.from(late)));
    expect(read([late])).toMatchObject({ text: '', calling: [] });
  }
});
