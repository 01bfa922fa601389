/**
 * What an engine would refuse in a finished schema, found before it is sent. Judged by how llama.cpp turns a schema into a
 * grammar and reads that: one wrong character, and the whole request comes back with HTTP 400.
 */
import { readRules } from './grammar-reader.ts';
import { convertPattern } from './pattern-rules.ts';
import { maxBranches, maxItems, maxLength, maxValues } from './schema.ts';

/** Null = it is taken. Else one sentence with the place in the schema, for programmers. */
export function grammarProblem(schema: unknown): string | null {
  try {
    checkSchema(schema, '#');
    return null;
  } catch (error) {
    if (error instanceof Problem) return error.message;
    throw error;
  }
}

class Problem extends Error {
  constructor(place: string, what: string) {
    super(`The grammar would be refused at ${place}: ${what}.`);
  }
}

/** What each kind may have; other keywords are ignored or refused by one engine or another. */
const keywords: Readonly<Record<string, readonly string[]>> = {
  string: ['enum', 'pattern', 'minLength', 'maxLength'],
  integer: ['minimum', 'maximum'],
  number: [],
  boolean: [],
  array: ['items', 'minItems', 'maxItems'],
  object: ['properties', 'required', 'additionalProperties'],
};

function checkSchema(schema: unknown, place: string): void {
  if (!isObject(schema)) throw new Problem(place, 'it is no schema');
  if ('anyOf' in schema) {
    checkBranches(schema, place);
    return;
  }
  const { type, ...rest } = schema;
  const allowed = typeof type === 'string' ? keywords[type] : undefined;
  if (!allowed) throw new Problem(place, `the type ${JSON.stringify(type)} is none that is sent`);
  for (const keyword of Object.keys(rest)) {
    if (!allowed.includes(keyword))
      throw new Problem(place, `${keyword} is not for the type ${String(type)}`);
  }
  switch (type) {
    case 'string':
      checkText(rest, place);
      break;
    case 'integer':
      checkBounds(rest, 'minimum', 'maximum', [Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER], place);
      break;
    case 'array':
      checkBounds({ minItems: 0, ...rest }, 'minItems', 'maxItems', [0, maxItems], place);
      checkSchema(rest['items'], `${place}/items`);
      break;
    case 'object':
      checkObject(rest, place);
      break;
  }
}

function checkBranches({ anyOf, ...others }: Record<string, unknown>, place: string): void {
  if (!Array.isArray(anyOf) || anyOf.length === 0 || anyOf.length > maxBranches)
    throw new Problem(place, `it needs one to ${String(maxBranches)} branches`);
  const [stray] = Object.keys(others);
  if (stray !== undefined) throw new Problem(place, `${stray} stands beside anyOf`);
  for (const [index, branch] of anyOf.entries()) checkSchema(branch, `${place}/anyOf/${String(index)}`);
}

function checkText(text: Record<string, unknown>, place: string): void {
  const { enum: values, pattern } = text;
  if (values !== undefined) {
    if (!Array.isArray(values) || values.length === 0 || values.length > maxValues || !values.every(isText))
      throw new Problem(place, `it needs one to ${String(maxValues)} texts as values`);
  }
  if (pattern !== undefined) checkPattern(pattern, place);
  if (values !== undefined && pattern !== undefined)
    throw new Problem(place, 'the pattern would be ignored beside values');
  if ('minLength' in text || 'maxLength' in text) {
    if (values !== undefined || pattern !== undefined)
      throw new Problem(place, 'bounds of the length would be ignored beside values or a pattern');
    const bounds = { minLength: 0, maxLength, ...text };
    checkBounds(bounds, 'minLength', 'maxLength', [0, maxLength], place);
  }
}

function checkPattern(pattern: unknown, place: string): void {
  if (typeof pattern !== 'string') throw new Problem(place, 'the pattern is no text');
  if (!pattern.isWellFormed()) throw new Problem(place, 'the pattern has half of a character');
  const converted = convertPattern(pattern, 'pattern');
  const problem = 'problem' in converted ? converted.problem : readRules(converted.rules, ['space']);
  if (problem !== null) throw new Problem(place, problem);
}

function checkObject(
  { properties, required, additionalProperties }: Record<string, unknown>,
  place: string,
): void {
  if (additionalProperties !== false) throw new Problem(place, 'further keys are not excluded');
  if (!isObject(properties)) throw new Problem(place, 'it has no properties');
  if (!Array.isArray(required)) throw new Problem(place, 'it does not say what is required');
  for (const key of required) {
    if (typeof key !== 'string' || !Object.hasOwn(properties, key))
      throw new Problem(place, `${String(key)} is required and no property`);
  }
  for (const [key, property] of Object.entries(properties)) {
    if (!key.isWellFormed()) throw new Problem(place, 'a key has half of a character');
    checkSchema(property, `${place}/${key}`);
  }
}

function checkBounds(
  bounds: Record<string, unknown>,
  low: string,
  high: string,
  [least, most]: readonly [number, number],
  place: string,
): void {
  const [from, to] = [bounds[low], bounds[high]];
  if (!isBound(from) || !isBound(to) || from < least || to > most || from > to)
    throw new Problem(place, `${low} and ${high} have to be within ${String(least)} and ${String(most)}`);
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isText = (value: unknown): boolean => typeof value === 'string' && value.isWellFormed();

const isBound = (value: unknown): value is number => Number.isInteger(value);
