import { expect, test } from 'vitest';
import type { FormField, FormValues } from '../protocol/form-question.ts';
import { formProblems, initialInputs, valuesOf } from './form-values.ts';

const label = { name: 'a', title: 'A', description: '', isRequired: false };
const text = (more: Partial<Extract<FormField, { kind: 'text' }>> = {}): FormField => ({
  ...label,
  kind: 'text',
  format: null,
  minLength: 0,
  maxLength: 10,
  initial: '',
  ...more,
});
const number = (more: Partial<Extract<FormField, { kind: 'number' }>> = {}): FormField => ({
  ...label,
  kind: 'number',
  isInteger: false,
  minimum: null,
  maximum: null,
  initial: null,
  ...more,
});
const options = ['x', 'y', 'z'].map((value) => ({ value, title: value.toUpperCase() }));
const choice = (several: { min: number; max: number } | null = null): FormField => ({
  ...label,
  kind: 'choice',
  options,
  several,
  initial: [],
});
const boolean: FormField = { ...label, kind: 'boolean', initial: true };

test.each<[string, FormField, FormValues[string] | undefined, string]>([
  ['nothing where something is required', text({ isRequired: true }), undefined, 'missing'],
  ['too few characters', text({ minLength: 3 }), 'ab', 'too_short'],
  ['too many characters', text({ maxLength: 3 }), 'abcd', 'too_long'],
  ['another kind of value than text', text(), 7, 'not_offered'],
  ['an address without a domain', text({ format: 'email' }), 'ada@', 'no_email'],
  ['an address without a scheme', text({ format: 'uri', maxLength: 99 }), 'example.com', 'no_uri'],
  ['a day that does not exist', text({ format: 'date' }), '2026-02-29', 'no_date'],
  [
    'a time without a zone',
    text({ format: 'date-time', maxLength: 99 }),
    '2026-02-28T10:00:00',
    'no_date-time',
  ],
  ['a word as a number', number(), 'seven', 'not_a_number'],
  ['a part of a whole number', number({ isInteger: true }), 1.5, 'not_whole'],
  ['less than the least', number({ minimum: 2 }), 1, 'too_small'],
  ['more than the most', number({ maximum: 2 }), 3, 'too_large'],
  ['a word as a yes', boolean, 'yes', 'not_offered'],
  ['what is not offered', choice(), 'w', 'not_offered'],
  ['a list where one is asked for', choice(), ['x'], 'not_offered'],
  ['one where a list is asked for', choice({ min: 0, max: 3 }), 'x', 'not_offered'],
  ['too few of several', choice({ min: 2, max: 3 }), ['x'], 'too_few'],
  ['too many of several', choice({ min: 0, max: 1 }), ['x', 'y'], 'too_many'],
  ['the same twice', choice({ min: 0, max: 3 }), ['x', 'x'], 'not_offered'],
])('A form does not take %s', (_, field, given, problem) => {
  expect(formProblems([field], given === undefined ? {} : { a: given })).toEqual({ a: problem });
});

test.each<[string, FormField, FormValues[string] | undefined]>([
  ['nothing where nothing is required', text({ minLength: 3 }), undefined],
  ['characters counted as a person counts them', text({ maxLength: 2 }), '🙂🙂'],
  ['an address of mail', text({ format: 'email', maxLength: 99 }), 'ada@example.com'],
  ['an address of a page', text({ format: 'uri', maxLength: 99 }), 'https://example.com/a?b=c'],
  ['the last day of a leap year’s February', text({ format: 'date' }), '2028-02-29'],
  ['a time with a zone', text({ format: 'date-time', maxLength: 99 }), '2026-02-28T10:00:00.5+01:00'],
  ['a number at its limits', number({ minimum: 2, maximum: 2 }), 2],
  ['no', boolean, false],
  ['one of several', choice({ min: 1, max: 2 }), ['y']],
])('A form takes %s', (_, field, given) => {
  expect(formProblems([field], given === undefined ? {} : { a: given })).toEqual({});
});

test('A value that no field asks for is refused', () => {
  expect(formProblems([text()], { other: 'x' })).toEqual({ other: 'not_offered' });
});

/** As a language that writes decimals with a comma. */
const numerals = {
  number: (value: number): string => String(value).replace('.', ','),
  parseNumber: (typed: string): number | null =>
    /^\d+(,\d+)?$/.test(typed) ? Number(typed.replace(',', '.')) : null,
};

test('A number is read as its language writes it', () => {
  expect(valuesOf([number()], { a: '1,5' }, numerals)).toEqual({ a: 1.5 });
});

test('What a form begins with is what it sends where nothing was changed, without empty fields', () => {
  const fields: FormField[] = [
    text({ name: 'empty' }),
    text({ name: 'text', initial: 'word' }),
    number({ name: 'number', initial: 3.5 }),
    { ...boolean, name: 'boolean' },
    { ...choice(), name: 'one', initial: ['y'] } as FormField,
    { ...choice({ min: 0, max: 2 }), name: 'several', initial: ['x', 'z'] } as FormField,
  ];
  expect(valuesOf(fields, initialInputs(fields, numerals), numerals)).toEqual({
    text: 'word',
    number: 3.5,
    boolean: true,
    one: 'y',
    several: ['x', 'z'],
  });
});

test('A number that is none is sent as it was written, so that it is refused', () => {
  const values = valuesOf([number()], { a: 'one' }, numerals);
  expect(values).toEqual({ a: 'one' });
  expect(formProblems([number()], values)).toEqual({ a: 'not_a_number' });
});
