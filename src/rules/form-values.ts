/** What a person filled into the form of a server: as it is sent, and what of it does not fit. */
import type { FormField, FormValues } from '../protocol/form-question.ts';

/** As the fields of a window hold it. */
export type FormInput = string | boolean | readonly string[];
export type FormInputs = Readonly<Record<string, FormInput>>;

/** How numbers are written and read in the language of the window. */
export interface Numerals {
  number: (value: number) => string;
  /** null = what was typed is none. */
  parseNumber: (typed: string) => number | null;
}

export type FormProblem =
  | 'missing'
  | 'too_short'
  | 'too_long'
  | 'not_a_number'
  | 'not_whole'
  | 'too_small'
  | 'too_large'
  | 'too_few'
  | 'too_many'
  | 'not_offered'
  | `no_${'email' | 'uri' | 'date' | 'date-time'}`;

const dateForm = /^(\d{4})-(\d{2})-(\d{2})$/;
const timeForm =
  /^(\d{4}-\d{2}-\d{2})T([01]\d|2[0-3]):[0-5]\d:([0-5]\d|60)(\.\d+)?(Z|[+-]([01]\d|2[0-3]):[0-5]\d)$/i;

const formats: Record<
  NonNullable<Extract<FormField, { kind: 'text' }>['format']>,
  (text: string) => boolean
> = {
  email: (text) => /^[^\s@]{1,64}@[^\s@.]+(\.[^\s@.]+)*$/.test(text),
  uri: (text) => /^[a-z][a-z0-9+.-]*:\S+$/i.test(text),
  date: isDate,
  'date-time': (text) => isDate(timeForm.exec(text)?.[1] ?? ''),
};

export function initialInputs(fields: readonly FormField[], numerals: Numerals): FormInputs {
  return Object.fromEntries(fields.map((field) => [field.name, initialOf(field, numerals)]));
}

function initialOf(field: FormField, { number }: Numerals): FormInput {
  switch (field.kind) {
    case 'number':
      return field.initial === null ? '' : number(field.initial);
    case 'choice':
      return field.several ? field.initial : (field.initial[0] ?? '');
    case 'text':
    case 'boolean':
      return field.initial;
  }
}

/** Without what was left empty. A number that is none stays the text that it is. */
export function valuesOf(fields: readonly FormField[], inputs: FormInputs, numerals: Numerals): FormValues {
  const values: FormValues = {};
  for (const field of fields) {
    const input = inputs[field.name] ?? initialOf(field, numerals);
    if (typeof input === 'boolean') values[field.name] = input;
    else if (typeof input !== 'string') {
      if (input.length > 0 || field.isRequired) values[field.name] = [...input];
    } else if (input !== '')
      values[field.name] = field.kind === 'number' ? (numerals.parseNumber(input) ?? input) : input;
  }
  return values;
}

/** By the names of their fields; empty = all of it fits. What no field asks for is a problem of that name. */
export function formProblems(
  fields: readonly FormField[],
  values: FormValues,
): Readonly<Record<string, FormProblem>> {
  const problems: Record<string, FormProblem> = {};
  const known = new Set(fields.map(({ name }) => name));
  for (const name of Object.keys(values)) if (!known.has(name)) problems[name] = 'not_offered';
  for (const field of fields) {
    const given = Object.hasOwn(values, field.name) ? values[field.name] : undefined;
    const problem = given === undefined ? (field.isRequired ? 'missing' : null) : problemOf(field, given);
    if (problem !== null) problems[field.name] = problem;
  }
  return problems;
}

function problemOf(field: FormField, given: FormValues[string]): FormProblem | null {
  switch (field.kind) {
    case 'text':
      return typeof given === 'string' ? textProblem(field, given) : 'not_offered';
    case 'number':
      return typeof given === 'number' && Number.isFinite(given)
        ? numberProblem(field, given)
        : 'not_a_number';
    case 'boolean':
      return typeof given === 'boolean' ? null : 'not_offered';
    case 'choice':
      return choiceProblem(field, given);
  }
}

type Kind<K extends FormField['kind']> = Extract<FormField, { kind: K }>;

function textProblem({ format, minLength, maxLength }: Kind<'text'>, text: string): FormProblem | null {
  // As JSON Schema counts: code points.
  const { length } = Array.from(text);
  if (length < minLength) return 'too_short';
  if (length > maxLength) return 'too_long';
  return format === null || formats[format](text) ? null : `no_${format}`;
}

function numberProblem({ isInteger, minimum, maximum }: Kind<'number'>, number: number): FormProblem | null {
  if (isInteger && !Number.isInteger(number)) return 'not_whole';
  if (minimum !== null && number < minimum) return 'too_small';
  return maximum !== null && number > maximum ? 'too_large' : null;
}

function choiceProblem({ options, several }: Kind<'choice'>, given: FormValues[string]): FormProblem | null {
  if (Array.isArray(given) !== (several !== null)) return 'not_offered';
  const chosen = Array.isArray(given) ? given : [given];
  const isOffered = (value: unknown): boolean => options.some((option) => option.value === value);
  if (new Set(chosen).size !== chosen.length || !chosen.every(isOffered)) return 'not_offered';
  if (several === null) return null;
  if (chosen.length < several.min) return 'too_few';
  return chosen.length > several.max ? 'too_many' : null;
}

const lengths = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/** A day that there is. */
function isDate(text: string): boolean {
  const [, year = '', month = '', day = ''] = dateForm.exec(text) ?? [];
  const isLeap = Number(year) % 4 === 0 && (Number(year) % 100 !== 0 || Number(year) % 400 === 0);
  const last = month === '02' && !isLeap ? 28 : (lengths[Number(month) - 1] ?? 0);
  return Number(day) >= 1 && Number(day) <= last;
}
