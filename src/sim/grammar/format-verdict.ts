/*
 * What becomes of a request's `format` before anything is generated: llama-server turns the schema into a grammar and reads
 * that. Keywords that it does not know are ignored here as there.
 */
import type { Json, JsonObject } from '../render/index.ts';
import { judgePattern, repeatedWeight, TOO_MANY, type Verdict } from './pattern-verdict.ts';

const KINDS: ReadonlySet<string> = new Set([
  'boolean',
  'number',
  'integer',
  'value',
  'object',
  'array',
  'uuid',
  'char',
  'string',
  'null',
]);

export function judgeFormat(format: JsonObject): Verdict {
  const found = new FormatJudge(format);
  found.visit(format);
  return found.verdict();
}

class FormatJudge {
  readonly #root: JsonObject;
  readonly #errors: string[] = [];
  readonly #resolving = new Set<string>();
  #worst: Verdict = { kind: 'taken' };

  constructor(root: JsonObject) {
    this.#root = root;
  }

  /** A runner that hangs or ends never gets to say what else is wrong; the converter's errors come before the reader's. */
  verdict(): Verdict {
    const { kind } = this.#worst;
    if (kind === 'stuck' || kind === 'crash') return this.#worst;
    return this.#errors.length > 0 ? { kind: 'errors', errors: this.#errors } : this.#worst;
  }

  visit(schema: Json | undefined): void {
    if (!isObject(schema)) {
      this.#errors.push(`Unrecognized schema: ${dump(schema)}`);
      return;
    }
    const { type } = schema;
    const branches = schema['oneOf'] ?? schema['anyOf'];
    if (typeof schema['$ref'] === 'string') this.#follow(schema['$ref']);
    else if (Array.isArray(branches)) this.#visitBranches(branches);
    else if (Array.isArray(type)) type.forEach((one) => this.visit({ ...schema, type: one }));
    else if (!('const' in schema) && !('enum' in schema)) this.#visitPlain(schema);
  }

  #visitBranches(branches: readonly Json[]): void {
    if (branches.length === 0) this.#take({ kind: 'refused' });
    for (const branch of branches) this.visit(branch);
  }

  #visitPlain(schema: JsonObject): void {
    const { properties, additionalProperties: others, items = schema['prefixItems'] } = schema;
    const type = kindOf(schema);
    const mayBe = (...kinds: string[]): boolean => type === null || kinds.includes(type);
    if (mayBe('object') && (isObject(properties) || (others !== undefined && others !== true))) {
      if (isObject(properties)) Object.values(properties).forEach((property) => this.visit(property));
      if (isObject(others)) this.visit(others);
    } else if (mayBe('object', 'string') && Array.isArray(schema['allOf'])) {
      for (const part of schema['allOf']) {
        if (isObject(part) && isObject(part['properties']))
          Object.values(part['properties']).forEach((each) => this.visit(each));
      }
    } else if (mayBe('array') && Array.isArray(items)) {
      items.forEach((item) => this.visit(item));
    } else if (mayBe('array') && items !== undefined) {
      this.visit(items);
      this.#repeatItems(numberOf(schema['minItems'], 0), numberOf(schema['maxItems'], Infinity));
    } else if (mayBe('string') && typeof schema['pattern'] === 'string') {
      this.#take(judgePattern(schema['pattern']));
    } else if (type === 'string' && ('minLength' in schema || 'maxLength' in schema)) {
      this.#repeat(1, numberOf(schema['minLength'], 0), numberOf(schema['maxLength'], Infinity));
    } else if (type !== null && !KINDS.has(type)) {
      this.#errors.push(`Unrecognized schema: ${dump(schema)}`);
    }
  }

  /** The first one stands alone, the others come with their comma; where none is needed, all of it is one more rule. */
  #repeatItems(min: number, max: number): void {
    const [fewer, more] = [Math.max(0, min - 1), max - 1];
    this.#repeat(1, fewer, more);
    const isOptional = min === 0 && max > 1 && more <= TOO_MANY;
    if (isOptional) this.#repeat(2 + more, 0, 1);
  }

  #repeat(weight: number, min: number, max: number): void {
    if (max <= 0) return;
    const made = repeatedWeight(weight, Math.max(0, min), max);
    if (made === 'refused') this.#take({ kind: 'refused' });
    if (made === 'endless') this.#take({ kind: 'stuck' });
  }

  #follow(reference: string): void {
    const [, ...keys] = reference.split('/');
    let inside: Json | undefined = this.#root;
    for (const key of keys) {
      const next: Json | undefined = isObject(inside) ? inside[key] : undefined;
      if (next === undefined) {
        this.#errors.push(`Error resolving ref ${reference}: ${key} not in ${dump(inside)}`);
        return;
      }
      inside = next;
    }
    if (this.#resolving.has(reference)) return;
    this.#resolving.add(reference);
    this.visit(inside);
  }

  #take(verdict: Verdict): void {
    if (verdict.kind === 'errors') this.#errors.push(...verdict.errors);
    else if (RANKS[verdict.kind] > RANKS[this.#worst.kind]) this.#worst = verdict;
  }
}

const RANKS: Readonly<Record<Verdict['kind'], number>> = {
  taken: 0,
  errors: 1,
  refused: 1,
  crash: 2,
  stuck: 2,
};

/** Null = the schema does not say. */
function kindOf({ type = null }: JsonObject): string | null {
  return typeof type === 'string' || type === null ? type : JSON.stringify(type);
}

/** As Ollama passes it on: with the keys in order. */
const dump = (value: Json | undefined): string => JSON.stringify(value, (_, inside: Json) => sorted(inside));

const sorted = (value: Json): Json =>
  isObject(value)
    ? Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
    : value;

const numberOf = (value: Json | undefined, otherwise: number): number =>
  typeof value === 'number' ? value : otherwise;

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
