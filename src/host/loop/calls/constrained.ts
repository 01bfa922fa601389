/**
 * A reply that a grammar keeps in form: `{"call": <tool>, "with": {…}}`, `{"answer": "…"}`, that with what it is about in
 * front, `{"answer_about": "…", "answer_found": "…"}`, or with a key of its own for what a search found, or did not. The
 * grammar writes keys in alphabetical order, so `call` comes before `with`: the tool is chosen before its arguments are
 * written. Nothing in it may be copied as an answer: no descriptions, no placeholders.
 */
import type { Pattern } from '../../../rules/grammar/pattern.ts';
import {
  anyOf,
  anyText,
  grammar,
  integer,
  list,
  matching,
  maxBranches,
  object,
  oneOfValues,
  type Grammar,
  type GrammarSchema,
  type ObjectSchema,
} from '../../../rules/grammar/schema.ts';
import type { PropertySchema, ToolSchema } from '../../tools/tool.ts';
import { looksNumbered, numbered } from './argument-order.ts';
import type { OfferedTool } from './offered-tool.ts';
import { isPlugged } from './toolsets.ts';

/**
 * `words`: what the answer is about, as the model said it before, which is written once more right in front of the answer.
 * `missed`: nothing was found, and asked for an answer a small model invents one. `match`: of a search, where the line and
 * its place are both an answer to something, and a sentence has room for the one that was asked for. `toolless`: no tool fits,
 * and asked why not a small model tells of tools where it could have answered.
 */
export type AnswerForm =
  { tells: 'found' | 'done'; words: string } | { tells: 'missed' | 'match' | 'toolless' };

/** Of an answer that stands alone. */
export const answerKeys = {
  plain: 'answer',
  missed: 'answer_why_not',
  match: 'answer_in_one_sentence',
  toolless: 'answer_without_a_tool',
} as const;

export interface ReplyOptions {
  tools: readonly OfferedTool[];
  mayCall: boolean;
  mayAnswer: boolean;
  /** The only tools of this reply, by name: a step of a plan names its own. */
  only?: readonly string[] | undefined;
  /** The only values of an argument, such as the paths that exist; undefined = any. */
  values?: ((tool: string, argument: string) => readonly string[] | undefined) | undefined;
  /** What this argument must match as a whole; undefined = anything. */
  pattern?: ((tool: string, argument: string) => Pattern | undefined) | undefined;
  /** Other forms in which calls of a tool are written, in place of its own; the reader of the reply turns them back. */
  forms?: readonly { tool: string; args: ObjectSchema }[] | undefined;
  /** What the answer has to tell; undefined = anything. */
  answer?: AnswerForm | undefined;
  /** Tools of Andiron without optional arguments, as far as their values are not known: a small model invents them. */
  simplified?: boolean | undefined;
}

/** How much a grammar holds a reply to. After a refusal the next one is asked for, down to the names of the tools alone. */
export const details = ['all', 'no_patterns', 'no_values', 'names'] as const;
export type Detail = (typeof details)[number];

/** Without bounds a small model goes on writing digits, or entries, until its output ends. */
const integers = integer(0, 999_999);
const maxListItems = 50;
/** Characters of a text that a led model gives to a tool of a server: it goes on writing where it does not know what to say. */
const maxGivenText = 300;
const maxGivenItems = 10;
/** Moments are counted in seconds too. */
const givenIntegers = integer(-9_999_999_999, 9_999_999_999);

/** Where no call is possible an answer always is, so that the schema allows something. */
export function replySchema(options: ReplyOptions, detail: Detail = 'all'): Grammar {
  const { tools, mayCall, mayAnswer, only } = options;
  const callable = mayCall
    ? tools.filter(
        ({ name, schema }) => (only?.includes(name) ?? true) && isExpressible(schema.required, schema),
      )
    : [];
  const answers = mayAnswer || callable.length === 0;
  const isFull = detail === 'all' || detail === 'no_patterns';
  const forms = isFull
    ? (options.forms ?? []).filter((form) => callable.some(({ name }) => name === form.tool))
    : [];
  const plain = callable.filter(({ name }) => !forms.some(({ tool }) => tool === name));
  const room = maxBranches - forms.length - (answers ? 1 : 0);
  // Tools that find no room for a branch each share the last one.
  const alone = detail === 'names' ? 0 : plain.length > room ? room - 1 : plain.length;
  const [own, shared] = [plain.slice(0, alone), plain.slice(alone)];
  return grammar(
    anyOf([
      ...forms.map(({ tool, args }) => callOf([tool], args)),
      ...own.map((tool) => callBranch(tool, options, detail)),
      ...(shared.length > 0 ? [sharedBranch(shared, detail)] : []),
      ...(answers ? [answerBranch(isFull ? options.answer : undefined)] : []),
    ]),
  );
}

function callBranch(tool: OfferedTool, options: ReplyOptions, detail: Detail): ObjectSchema {
  const { name, schema } = tool;
  const known = knownArguments(tool, options, detail);
  const isLed = options.simplified === true;
  const required = isLed ? [...new Set([...schema.required, ...known.keys()])] : schema.required;
  const all = Object.entries(schema.properties);
  // What a server's tool may be told besides is a part of what was asked, as often as not.
  const besides = isLed && !isPlugged(name) ? [] : all.filter(([key]) => !required.includes(key));
  // Engines write what is required first.
  const properties = [...all.filter(([key]) => required.includes(key)), ...besides].flatMap(
    ([key, property]): [string, GrammarSchema][] => {
      const value = known.get(key) ?? valueOf(property, detail);
      if (value === null) return [];
      if (!isLed || !isPlugged(name)) return [[key, value]];
      return [[key, required.includes(key) ? bounded(value) : saying(bounded(value))]];
    },
  );
  const keys = properties.map(([key]) => key);
  const names = isLed || keys.some(looksNumbered) ? numbered(keys) : keys;
  const needed = names.filter((_, at) => required.includes(keys[at] ?? ''));
  return callOf(
    [name],
    object(Object.fromEntries(properties.map(([, value], at) => [names[at] ?? '', value])), needed),
  );
}

/** Any of the tools with any of their arguments: what does not fit a tool, its own check refuses. */
function sharedBranch(tools: readonly OfferedTool[], detail: Detail): ObjectSchema {
  const properties = new Map<string, GrammarSchema>();
  for (const { schema } of tools) {
    for (const [key, property] of Object.entries(schema.properties)) {
      const value = valueOf(property, detail);
      const before = properties.get(key);
      const differs = before !== undefined && JSON.stringify(before) !== JSON.stringify(value);
      if (value !== null) properties.set(key, differs ? anyText() : value);
    }
  }
  const needed = [...properties.keys()].filter((key) =>
    tools.every(({ schema }) => schema.required.includes(key)),
  );
  return callOf(
    tools.map(({ name }) => name),
    object(Object.fromEntries(properties), needed),
  );
}

function callOf(names: readonly string[], args: ObjectSchema): ObjectSchema {
  return object({ call: oneOfValues(names) ?? anyText(), with: args });
}

function knownArguments(
  { name, schema }: OfferedTool,
  { values, pattern }: ReplyOptions,
  detail: Detail,
): ReadonlyMap<string, GrammarSchema> {
  const known = new Map<string, GrammarSchema>();
  for (const [key, { type }] of Object.entries(schema.properties)) {
    const listed =
      detail !== 'no_values' && type === 'string' ? oneOfValues(values?.(name, key) ?? []) : null;
    const form = detail === 'all' ? pattern?.(name, key) : undefined;
    const value = listed ?? (form === undefined ? null : matching(form));
    if (value !== null) known.set(key, value);
  }
  return known;
}

/** Null = no grammar of ours can say it, so the argument is left out. */
function valueOf(
  { type, enum: values, items, properties, required }: PropertySchema,
  detail: Detail,
): GrammarSchema | null {
  switch (type) {
    case 'string':
      return textOf(values, detail);
    case 'integer':
      return integers;
    case 'number':
    case 'boolean':
      return { type };
    case 'array':
      return list((items && valueOf(items, detail)) ?? anyText(), maxListItems);
    case 'object':
      return properties === undefined ? null : objectOf({ properties, required: required ?? [] }, detail);
  }
}

/** Null = of what it needs something cannot be said. */
function objectOf(
  { properties, required }: Pick<ToolSchema, 'properties' | 'required'>,
  detail: Detail,
): ObjectSchema | null {
  const inner = Object.entries(properties).flatMap(([key, property]): [string, GrammarSchema][] => {
    const value = valueOf(property, detail);
    return value === null ? [] : [[key, value]];
  });
  const given = Object.fromEntries(inner);
  return required.every((key) => Object.hasOwn(given, key)) ? object(given, required) : null;
}

const textOf = (values: readonly string[] | undefined, detail: Detail): GrammarSchema =>
  (detail === 'all' || detail === 'no_patterns' ? oneOfValues(values ?? []) : null) ?? anyText();

/** A list with nothing in it says nothing, so it may be left out. */
const saying = (value: GrammarSchema): GrammarSchema =>
  'type' in value && value.type === 'array' ? { ...value, minItems: 1 } : value;

/** Neither a list of values nor a pattern needs it. */
function bounded(value: GrammarSchema): GrammarSchema {
  if (!('type' in value)) return value;
  if (value.type === 'array') return list(bounded(value.items), maxGivenItems);
  if (value.type === 'integer') return givenIntegers;
  if (value.type === 'object') {
    const parts = Object.entries(value.properties).map(([key, part]) => [key, bounded(part)]);
    return object(Object.fromEntries(parts) as ObjectSchema['properties'], value.required);
  }
  const isAny = value.type === 'string' && value.enum === undefined && value.pattern === undefined;
  return isAny ? anyText({ minLength: 1, maxLength: maxGivenText }) : value;
}

const isExpressible = (keys: readonly string[], { properties }: OfferedTool['schema']): boolean =>
  keys.every((key) => properties[key] !== undefined && valueOf(properties[key], 'all') !== null);

/** What was found is named as that: as a text, a small model tells all that stands around it, or the question over again. */
function answerBranch(form: AnswerForm | undefined): ObjectSchema {
  const text = anyText({ minLength: 1 });
  if (form && !('words' in form)) return object({ [answerKeys[form.tells]]: text });
  const said = form && oneOfValues([form.words]);
  if (!said) return object({ [answerKeys.plain]: text });
  return object({ answer_about: said, [form.tells === 'found' ? 'answer_found' : 'answer_text']: text });
}
