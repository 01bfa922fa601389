import { describe, expect, test } from 'vitest';

import type { JsonObject } from '../render/index.ts';
import { grammarProblem, writeUnderGrammar } from './grammar.ts';

const CALL: JsonObject = {
  anyOf: [
    {
      type: 'object',
      properties: {
        with: {
          type: 'object',
          properties: {
            path: { type: 'string' },
            from_line: { type: 'integer', minimum: 1, maximum: 999 },
            tags: { type: 'array', items: { enum: ['a', 'b'] }, maxItems: 2 },
          },
          required: ['path'],
        },
        call: { const: 'read_file' },
      },
      required: ['call', 'with'],
    },
    { type: 'object', properties: { answer: { type: 'string', minLength: 1 } }, required: ['answer'] },
  ],
};
const WHOLE = '{"call":"read_file","with":{"path":"a \\"b\\" \\u00e9.md","from_line":12,"tags":["a","b"]}}';

describe('a grammar', () => {
  test.each([WHOLE, ' { "answer" : "Done." }\n', '{"call":"read_file","with":{"from_line":12,"path":"a"}}'])(
    'allows %s',
    (text) => {
      expect(grammarProblem(CALL, text, false)).toBeUndefined();
    },
  );

  test.each([
    ['prose', 'I would read a.md.', 'not an object'],
    ['another tool', '{"call":"write_file","with":{}}', 'not one of ["read_file"]'],
    ['keys in another order', '{"with":{"path":"a"},"call":"read_file"}', 'call is out of order'],
    ['a key that the schema lacks', '{"answer":"x","why":"y"}', 'no key why here'],
    ['a required key left out', '{"call":"read_file","with":{"from_line":1}}', 'path is missing'],
    ['a number out of bounds', '{"call":"read_file","with":{"path":"a","from_line":0}}', '0 is not'],
    ['a fraction', '{"call":"read_file","with":{"path":"a","from_line":1.5}}', '1.5 is not'],
    ['too many items', '{"call":"read_file","with":{"path":"a","tags":["a","a","a"]}}', 'too many items'],
    ['an empty answer', '{"answer":""}', 'a string of 0 characters'],
    ['an early end', '{"answer":"x"', 'ends too early'],
    ['something behind the end', '{"answer":"x"} Done.', 'more behind the end'],
    ['a line break in a string', '{"answer":"x\ny"}', 'not a string'],
  ])('forbids %s', (_, text, why) => {
    expect(grammarProblem(CALL, text, false)).toContain(why);
  });

  test('allows every beginning of what it allows, and only where the reply was cut', () => {
    const beginnings = Array.from({ length: WHOLE.length - 1 }, (_, at) => WHOLE.slice(0, at + 1));
    expect(beginnings.filter((text) => grammarProblem(CALL, text, true) !== undefined)).toEqual([]);
    expect(beginnings.filter((text) => grammarProblem(CALL, text, false) === undefined)).toEqual([]);
    expect(grammarProblem(CALL, '{"cal1', true)).toContain('no such key');
  });

  test('of "json" allows any object, and no other value', () => {
    expect(grammarProblem('json', '{"b":[1,{"a":null}],"a":-1.5e3}', false)).toBeUndefined();
    expect(grammarProblem('json', '[1]', false)).toContain('not an object');
  });

  test('follows references into the schema', () => {
    const list = { $defs: { name: { type: 'string' } }, type: 'array', items: { $ref: '#/$defs/name' } };
    expect(grammarProblem(list, '["a"]', false)).toBeUndefined();
    expect(grammarProblem(list, '[1]', false)).toContain('not a string');
  });

  test('has nothing to say where no format was asked for, or nothing was written', () => {
    expect(grammarProblem(undefined, 'Hi.', false)).toBeUndefined();
    expect(grammarProblem(CALL, '', false)).toBeUndefined();
  });
});

const answerFormat = (about: object, key = 'answer_text') => ({
  anyOf: [
    CALL,
    {
      type: 'object',
      properties: { ...about, [key]: { type: 'string' } },
      required: ['answer_about', key],
    },
  ],
});

describe('what a model writes under a grammar', () => {
  test('has required keys first and is in alphabetical order, inside as well', () => {
    const value = { with: { tags: ['b'], from_line: 3, path: 'a' }, call: 'read_file' };
    const text = '{"call":"read_file","with":{"path":"a","from_line":3,"tags":["b"]}}';
    expect(writeUnderGrammar(value, CALL)).toBe(text);
    expect(grammarProblem(CALL, text, false)).toBeUndefined();
  });

  test('is an answer behind what it is about, where the schema asks for that', () => {
    for (const key of ['answer_text', 'answer_found'])
      expect(
        writeUnderGrammar({ answer: '80' }, answerFormat({ answer_about: { enum: ['the port'] } }, key)),
      ).toBe(`{"answer_about":"the port","${key}":"80"}`);
  });

  test('is an answer of the name that the schema has for it', () => {
    const told = { type: 'object', properties: { told: { type: 'string' } }, required: ['told'] };
    expect(writeUnderGrammar({ answer: '80' }, told)).toBe('{"told":"80"}');
    expect(writeUnderGrammar({ answer: '80' }, { anyOf: [CALL, told] })).toBe('{"told":"80"}');
  });

  test('is in plain alphabetical order without a schema', () => {
    expect(writeUnderGrammar({ with: { b: 1, a: [{ d: 1, c: 2 }] }, call: 'x' }, undefined)).toBe(
      '{"call":"x","with":{"a":[{"c":2,"d":1}],"b":1}}',
    );
  });
});
