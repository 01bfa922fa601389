/**
 * What a reply can be held to: the only JSON schemas that are ever sent to an engine. The subset is what llama.cpp turns
 * into a grammar without loss. It writes the keys of an object in the order in which they are given, and Ollama gives them
 * in alphabetical order.
 */
import type { Pattern } from './pattern.ts';

declare const built: unique symbol;

/** A finished schema. Only `grammar` makes one, so whatever is sent was built here. */
export type Grammar = GrammarSchema & { readonly [built]: 'grammar' };

export type GrammarSchema =
  | TextSchema
  | IntegerSchema
  | { readonly type: 'number' | 'boolean' }
  | ListSchema
  | ObjectSchema
  | { readonly anyOf: readonly GrammarSchema[] };

/** At most one of the three: a list of values, a pattern, or bounds of its length. */
export interface TextSchema {
  readonly type: 'string';
  readonly enum?: readonly string[];
  readonly pattern?: Pattern;
  readonly minLength?: number;
  readonly maxLength?: number;
}

export interface IntegerSchema {
  readonly type: 'integer';
  readonly minimum: number;
  readonly maximum: number;
}

export interface ListSchema {
  readonly type: 'array';
  readonly items: GrammarSchema;
  readonly minItems?: number;
  readonly maxItems: number;
}

export interface ObjectSchema {
  readonly type: 'object';
  readonly properties: Readonly<Record<string, GrammarSchema>>;
  readonly required: readonly string[];
  readonly additionalProperties: false;
}

/** More values or branches cost an engine more to compile than they help a model. */
export const maxValues = 200;
export const maxBranches = 12;
/** What an engine repeats 2,000 times or more it refuses. */
export const maxLength = 1_999;
export const maxItems = 200;

export const anyText = (bounds: Pick<TextSchema, 'minLength' | 'maxLength'> = {}): TextSchema => ({
  type: 'string',
  ...bounds,
});

/** Null when none of the values can be written, or more than 200 can: the caller asks for any text then. */
export function oneOfValues(values: readonly string[]): TextSchema | null {
  const writable = [...new Set(values)].filter((value) => value.isWellFormed());
  return writable.length === 0 || writable.length > maxValues ? null : { type: 'string', enum: writable };
}

export const matching = (pattern: Pattern): TextSchema => ({ type: 'string', pattern });

export const integer = (minimum: number, maximum: number): IntegerSchema => ({
  type: 'integer',
  minimum,
  maximum,
});

export const list = (items: GrammarSchema, most: number): ListSchema => ({
  type: 'array',
  items,
  maxItems: most,
});

/** All properties are required unless the caller names those that are. */
export const object = (
  properties: ObjectSchema['properties'],
  required: readonly string[] = Object.keys(properties),
): ObjectSchema => ({ type: 'object', properties, required, additionalProperties: false });

/** One of at most 12 branches, of which there is at least one. */
export function anyOf(branches: readonly GrammarSchema[]): GrammarSchema {
  const [first, ...others] = branches;
  if (!first || branches.length > maxBranches)
    throw new Error(`A grammar cannot have ${String(branches.length)} branches.`);
  return others.length === 0 ? first : { anyOf: branches };
}

export const grammar = (schema: GrammarSchema): Grammar => schema as Grammar;
