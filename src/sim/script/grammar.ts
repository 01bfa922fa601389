import type { Json, JsonObject } from '../render/index.ts';
import { scanJson } from '../wire/go-scan.ts';

/*
 * What the grammar of a request's `format` lets a model write: JSON by the schema, keys in alphabetical order with the
 * required ones first, no others unless the schema says so. A reply is played to its end or cut, so a text may also be
 * the beginning of one that the grammar allows.
 */

/** One value of the text: where it ends, that the text ends inside it, or what the grammar forbids. */
type Match = { kind: 'value'; end: number } | { kind: 'cut' } | { kind: 'wrong'; at: number; why: string };

const ANY_OBJECT: JsonObject = { type: 'object', additionalProperties: true };
const CUT: Match = { kind: 'cut' };
const WHITESPACE = /[ \t\r\n]/;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;

/**
 * Why a model under the grammar of `format` could not have written `text`; undefined = it could. Nothing at all is
 * allowed, since an engine may end before it has begun.
 * @param isCut the text may end anywhere
 */
export function grammarProblem(format: unknown, text: string, isCut: boolean): string | undefined {
  const schema = schemaOf(format);
  if (schema === undefined || text === '') return undefined;
  const match = new Grammar(schema, text).value(schema, skipSpace(text, 0));
  if (match.kind === 'wrong') return `at ${match.at}: ${match.why}`;
  if (match.kind === 'cut') return isCut ? undefined : 'it ends too early';
  return text.slice(match.end).trim() === '' ? undefined : `at ${match.end}: more behind the end`;
}

/** The value as a model under the grammar of `format` writes it, packed; without a schema in plain alphabetical order. */
export function writeUnderGrammar(value: Json, format: unknown): string {
  const root = schemaOf(format) ?? {};
  return write(withWhatItIsAbout(value, root), root, root);
}

/** A client may have an answer begin with what it is about, or give it another name; a script names the answer alone. */
function withWhatItIsAbout(value: Json, root: JsonObject): Json {
  if (!isObject(value) || typeof value['answer'] !== 'string' || Object.keys(value).length > 1) return value;
  const forms = (branchesOf(root) ?? [root]).map((branch) => propertiesOf(resolve(branch, root)));
  const { answer_about: said, ...others } = forms.find(isAnswerForm) ?? {};
  const words = isObject(said) && Array.isArray(said['enum']) ? said['enum'][0] : undefined;
  const [key] = Object.keys(others);
  if (key === undefined) return value;
  return { ...(words !== undefined && { answer_about: words }), [key]: value['answer'] };
}

/** One text alone, but for what it is about. */
const isAnswerForm = (form: JsonObject): boolean => {
  const [text, ...more] = Object.entries(form).flatMap(([key, each]) =>
    key === 'answer_about' ? [] : [each],
  );
  return more.length === 0 && isObject(text) && text['type'] === 'string' && text['enum'] === undefined;
};

function schemaOf(format: unknown): JsonObject | undefined {
  if (format === 'json') return ANY_OBJECT;
  return isObject(format) ? format : undefined;
}

function write(value: Json, schema: JsonObject, root: JsonObject): string {
  const branches = branchesOf(schema);
  if (branches !== undefined) {
    const written = branches.map((branch) => ({ branch, text: write(value, resolve(branch, root), root) }));
    const fits = written.find(
      ({ branch, text }) => new Grammar(root, text).value(resolve(branch, root), 0).kind === 'value',
    );
    return (fits ?? written[0])?.text ?? JSON.stringify(value);
  }
  if (Array.isArray(value)) {
    const items = resolve(schema['items'], root);
    return `[${value.map((item) => write(item, items, root)).join(',')}]`;
  }
  if (!isObject(value)) return JSON.stringify(value);
  const properties = propertiesOf(schema);
  const named: JsonObject = Object.fromEntries(
    Object.entries(value).map(([key, member]) => [numberedAs(key, properties), member]),
  );
  const members = inGrammarOrder(Object.keys(named), requiredOf(schema)).map(
    (key) => `${JSON.stringify(key)}:${write(named[key] ?? null, resolve(properties[key], root), root)}`,
  );
  return `{${members.join(',')}}`;
}

/** A client may number keys, so that they are written in its order; a script names them without. */
function numberedAs(key: string, properties: JsonObject): string {
  if (Object.hasOwn(properties, key)) return key;
  return Object.keys(properties).find((name) => withoutNumber(name) === key) ?? key;
}

/** The name of a key that a client may have numbered. */
export const withoutNumber = (key: string): string => key.replace(/^[1-9]_/, '');

function inGrammarOrder(keys: readonly string[], required: readonly string[]): string[] {
  const sorted = keys.toSorted();
  return [
    ...sorted.filter((key) => required.includes(key)),
    ...sorted.filter((key) => !required.includes(key)),
  ];
}

/** Reads one text by one schema. Positions are indexes into the text. */
class Grammar {
  readonly #root: JsonObject;
  readonly #text: string;

  constructor(root: JsonObject, text: string) {
    this.#root = root;
    this.#text = text;
  }

  value(schema: JsonObject, at: number): Match {
    const branches = branchesOf(schema);
    if (branches !== undefined) {
      return best(branches.map((branch) => this.value(resolve(branch, this.#root), at)));
    }
    if ('const' in schema) return this.#literals([schema['const'] ?? null], at);
    if (Array.isArray(schema['enum'])) return this.#literals(schema['enum'], at);
    if (at >= this.#text.length) return CUT;
    switch (typeOf(schema)) {
      case 'object':
        return this.#object(schema, at);
      case 'array':
        return this.#array(schema, at);
      case 'string':
        return this.#string(schema, at);
      case 'integer':
      case 'number':
        return this.#number(schema, at);
      case 'boolean':
        return this.#literals([true, false], at);
      case 'null':
        return this.#literals([null], at);
      default:
        return this.#anything(at);
    }
  }

  #anything(at: number): Match {
    const types: Record<string, JsonObject> = {
      '{': ANY_OBJECT,
      '[': { type: 'array' },
      '"': { type: 'string' },
    };
    const schema = types[this.#text.charAt(at)];
    if (schema !== undefined) return this.value(schema, at);
    return best([this.#literals([true, false, null], at), this.#number({}, at)]);
  }

  #literals(values: readonly Json[], at: number): Match {
    const rest = this.#text.slice(at);
    return best(
      values.map((value): Match => {
        const literal = JSON.stringify(value);
        if (rest.startsWith(literal)) return { kind: 'value', end: at + literal.length };
        return literal.startsWith(rest) ? CUT : wrong(at, `not one of ${JSON.stringify(values)}`);
      }),
    );
  }

  #string(schema: JsonObject, at: number): Match {
    if (this.#text.charAt(at) !== '"') return wrong(at, 'not a string');
    const scan = scanJson(this.#text.slice(at));
    if (scan.kind === 'incomplete') return CUT;
    if (scan.kind === 'error') return wrong(at, `not a string, ${scan.message}`);
    const json = this.#text.slice(at, at + scan.end);
    const { minLength = 0, maxLength = Infinity, pattern } = schema;
    const string = JSON.parse(json) as string;
    const fits = string.length >= Number(minLength) && string.length <= Number(maxLength);
    if (!fits) return wrong(at, `a string of ${string.length} characters`);
    if (typeof pattern === 'string' && !new RegExp(pattern, 'u').test(string)) {
      return wrong(at, `a string that is not ${pattern}`);
    }
    return { kind: 'value', end: at + json.length };
  }

  #number(schema: JsonObject, at: number): Match {
    NUMBER.lastIndex = at;
    const [json] = NUMBER.exec(this.#text) ?? [];
    if (json === undefined) return this.#text.slice(at) === '-' ? CUT : wrong(at, 'not a number');
    const end = at + json.length;
    const { minimum = -Infinity, maximum = Infinity } = schema;
    const isWhole = schema['type'] !== 'integer' || /^-?\d+$/.test(json);
    const isInside = Number(json) >= Number(minimum) && Number(json) <= Number(maximum);
    if (isWhole && isInside) return { kind: 'value', end };
    // More digits may follow.
    return isWhole && end === this.#text.length ? CUT : wrong(at, `${json} is not the number asked for`);
  }

  #array(schema: JsonObject, at: number): Match {
    if (this.#text.charAt(at) !== '[') return wrong(at, 'not a list');
    const items = resolve(schema['items'], this.#root);
    const { minItems = 0, maxItems = Infinity } = schema;
    let count = 0;
    return this.#members(
      at,
      ']',
      (start) => {
        count += 1;
        if (count > Number(maxItems)) return wrong(start, 'too many items');
        return this.value(items, start);
      },
      (end) => (count < Number(minItems) ? wrong(end, 'too few items') : undefined),
    );
  }

  #object(schema: JsonObject, at: number): Match {
    if (this.#text.charAt(at) !== '{') return wrong(at, 'not an object');
    const required = requiredOf(schema);
    const keys: string[] = [];
    return this.#members(
      at,
      '}',
      (start) => {
        const key = this.#string({ type: 'string' }, start);
        if (key.kind !== 'value') return this.#unfinishedKey(schema, keys, start, key);
        keys.push(JSON.parse(this.#text.slice(start, key.end)) as string);
        const problem = keyProblem(schema, keys);
        if (problem !== undefined) return wrong(start, problem);
        const colon = skipSpace(this.#text, key.end);
        if (colon >= this.#text.length) return CUT;
        if (this.#text.charAt(colon) !== ':') return wrong(colon, 'no colon behind the key');
        const property = propertiesOf(schema)[keys.at(-1) ?? ''] ?? schema['additionalProperties'];
        return this.value(resolve(property, this.#root), skipSpace(this.#text, colon + 1));
      },
      (end) => {
        const missing = required.find((key) => !keys.includes(key));
        return missing === undefined ? undefined : wrong(end, `${missing} is missing`);
      },
    );
  }

  /** A key that the text ends in must be able to become one that may stand here. */
  #unfinishedKey(schema: JsonObject, keys: readonly string[], start: number, key: Match): Match {
    if (key.kind !== 'cut' || isOpen(schema)) return key;
    const begun = this.#text.slice(start);
    const possible = Object.keys(propertiesOf(schema)).some(
      (name) => JSON.stringify(name).startsWith(begun) && keyProblem(schema, [...keys, name]) === undefined,
    );
    return possible ? key : wrong(start, 'no such key');
  }

  /** What stands between two brackets, with commas. */
  #members(
    at: number,
    close: string,
    member: (start: number) => Match,
    problemAt: (end: number) => Match | undefined,
  ): Match {
    let next = skipSpace(this.#text, at + 1);
    for (let isFirst = true; ; isFirst = false) {
      if (next >= this.#text.length) return CUT;
      if (this.#text.charAt(next) === close) return problemAt(next) ?? { kind: 'value', end: next + 1 };
      if (!isFirst && this.#text.charAt(next) !== ',') return wrong(next, `neither , nor ${close}`);
      const start = isFirst ? next : skipSpace(this.#text, next + 1);
      if (start >= this.#text.length) return CUT;
      const match = member(start);
      if (match.kind !== 'value') return match;
      next = skipSpace(this.#text, match.end);
    }
  }
}

/** @param keys the last one is new */
function keyProblem(schema: JsonObject, keys: readonly string[]): string | undefined {
  const key = keys.at(-1) ?? '';
  if (keys.indexOf(key) < keys.length - 1) return `${key} stands there twice`;
  if (isOpen(schema)) return undefined;
  if (!(key in propertiesOf(schema))) return `no key ${key} here`;
  const orders = [inGrammarOrder(keys, requiredOf(schema)), keys.toSorted()];
  const isInOrder = orders.some((order) => order.join('\n') === keys.join('\n'));
  return isInOrder ? undefined : `${key} is out of order`;
}

/** Whether keys of any name may stand in the object. */
function isOpen(schema: JsonObject): boolean {
  const { additionalProperties: others } = schema;
  return others === true || isObject(others) || schema['properties'] === undefined;
}

function best(matches: readonly Match[]): Match {
  const values = matches.filter((match) => match.kind === 'value').toSorted((a, b) => b.end - a.end);
  const furthest = matches.filter((match) => match.kind === 'wrong').toSorted((a, b) => b.at - a.at);
  return (
    values[0] ?? matches.find((match) => match.kind === 'cut') ?? furthest[0] ?? wrong(0, 'nothing fits')
  );
}

function branchesOf(schema: JsonObject): Json[] | undefined {
  const branches = schema['anyOf'] ?? schema['oneOf'];
  if (Array.isArray(branches)) return branches;
  const { type } = schema;
  return Array.isArray(type) ? type.map((one) => ({ ...schema, type: one })) : undefined;
}

/** As the schema says, or as its other keywords tell; empty = any. */
function typeOf({ type, properties, items }: JsonObject): string {
  if (typeof type === 'string') return type;
  if (properties !== undefined) return 'object';
  return items === undefined ? '' : 'array';
}

/** A schema with its reference followed; whatever is none allows anything. */
function resolve(schema: Json | undefined, root: JsonObject): JsonObject {
  if (!isObject(schema)) return {};
  const { $ref: reference } = schema;
  if (typeof reference !== 'string') return schema;
  const target = reference
    .split('/')
    .slice(1)
    .reduce<Json | undefined>((inside, key) => (isObject(inside) ? inside[key] : undefined), root);
  return isObject(target) ? target : {};
}

function propertiesOf(schema: JsonObject): JsonObject {
  return isObject(schema['properties']) ? schema['properties'] : {};
}

function requiredOf(schema: JsonObject): string[] {
  const { required } = schema;
  return Array.isArray(required) ? required.filter((key) => typeof key === 'string') : [];
}

function skipSpace(text: string, from: number): number {
  let at = from;
  while (WHITESPACE.test(text.charAt(at))) at++;
  return at;
}

function wrong(at: number, why: string): Match {
  return { kind: 'wrong', at, why };
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
