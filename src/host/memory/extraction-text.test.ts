import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { factsInstruction, parseFacts, parseSummary, summaryInstruction } from './extraction-text.ts';
import { factLine } from './facts.ts';

const read = (answer: string) => parseFacts(answer)?.map(factLine);

describe('facts in the answer of a model', () => {
  test.each([
    ['as asked for', 'person: name = Anna'],
    ['in a list', '- person: name = Anna'],
    ['in a numbered list', ' 1. person: name = Anna'],
    ['in bold', '* **person**: **name** = Anna'],
    ['as code', '`person: name = Anna`'],
    ['in quotes', '"person: name = Anna"'],
    ['with its parts in quotes', '"person": "name" = "Anna"'],
    ['in brackets', '[person]: <name> = <Anna>'],
    ['with an arrow', 'person: name -> Anna'],
    ['with two colons', 'person: name: Anna'],
    ['in a fence after a heading', '## Facts\nHere are the facts:\n```text\nperson: name = Anna\n```\nDone.'],
    ['after thinking', '<think>\nperson: name = Bert\n</think>\nperson: name = Anna;'],
    ['with a carriage return', 'person: name = Anna\r\n'],
  ])('%s', (_how, answer) => {
    expect(parseFacts(answer)).toEqual([{ category: 'person', key: 'name', value: 'Anna' }]);
  });

  test('without a category, and with separators in the value', () => {
    expect(parseFacts('homepage = https://anna.example/?a=1')).toEqual([
      { category: '', key: 'homepage', value: 'https://anna.example/?a=1' },
    ]);
    expect(read('project: build = make -j4: fast')).toEqual(['project: build = make -j4: fast']);
  });

  test('of two with one name the later counts', () => {
    expect(read('person: city = Munich\nPerson: City = Berlin')).toEqual(['Person: City = Berlin']);
  });

  test.each([
    'none',
    'None.',
    '**None**',
    '- none',
    'No facts.',
    'Answer: none',
    'person: name = unknown',
    'N/A',
  ])('%s means that there is nothing', (answer) => {
    expect(parseFacts(answer)).toEqual([]);
  });

  test.each([
    '',
    '   \n```\n```',
    'I am sorry, but I cannot do that.',
    'The user asked me to fix the tests, so I ran them and then edited a = b in the file.',
    `person: name = ${'Anna '.repeat(1_000)}`,
  ])('an answer of another kind is told apart from "nothing": %#', (answer) => {
    expect(parseFacts(answer)).toBeNull();
  });

  test('twenty are the most, however long the answer', () => {
    const lines = Array.from({ length: 50_000 }, (_, index) => `a: k${String(index)} = v`);
    expect(parseFacts(lines.join('\n'))).toHaveLength(20);
  });

  test('anything can be read without harm', () => {
    const piece = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom(':', '=', '\n', '-', '**', '```', ' ', '"'),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => {
        const facts = parseFacts(pieces.join('')) ?? [];
        expect(facts.length).toBeLessThanOrEqual(20);
        for (const { key, value } of facts) expect(key.trim() === '' || value.trim() === '').toBe(false);
      }),
      { numRuns: 300 },
    );
  });
});

describe('the summary in the answer of a model', () => {
  test.each([
    'Anna lives in Munich.',
    '"Anna lives in Munich."',
    '## Summary\n\nAnna lives\nin Munich.\n',
    '**Summary:** Anna lives in Munich.',
    '```\nAnna lives in Munich.\n```',
    '<think>Who is it?</think>Anna lives in Munich.',
  ])('%j', (answer) => {
    expect(parseSummary(answer)).toBe('Anna lives in Munich.');
  });

  test.each(['', 'None.', 'ok', '```\n```'])('%j is none', (answer) => {
    expect(parseSummary(answer)).toBeNull();
  });

  test('is cut to what a prompt has room for', () => {
    expect(parseSummary('word '.repeat(100_000))?.length).toBeLessThanOrEqual(1_200);
  });
});

test('what is asked stays short, however much is known', () => {
  const facts = Array.from({ length: 10_000 }, (_, index) => ({
    category: 'project',
    key: `k${String(index)}`,
    value: 'x'.repeat(200),
  }));
  expect(factsInstruction(facts).length).toBeLessThan(3_500);
  expect(summaryInstruction(facts, 'Anna.').length).toBeLessThan(7_500);
  expect(factsInstruction([])).toContain('\ncategory: key = value\n');
});
