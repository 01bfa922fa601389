/**
 * A server's schema as it is used to check arguments here: never stricter than the server's own, and bounded in what it
 * can cost. Patterns, formats, negations and references that lead into themselves are for the server to check.
 */

type Schema = Record<string, unknown> | boolean;

/** Nodes after references were put in place. */
const maxNodes = 5_000;
const plainKeys = new Set(
  (
    'type required enum const minLength maxLength minimum maximum exclusiveMinimum exclusiveMaximum ' +
    'minItems maxItems minProperties maxProperties'
  ).split(' '),
);
const schemaKeys = new Set(['items', 'additionalProperties']);
const listKeys = new Set(['prefixItems', 'anyOf']);

/** Throws where it would have more nodes than can be checked. */
export function checkableSchema(root: Readonly<Record<string, unknown>>): Schema {
  let nodes = 0;

  const bounded = (given: unknown, inside: ReadonlySet<string>): Schema => {
    nodes += 1;
    if (nodes > maxNodes) throw new Error('The definition of its arguments is too large to be checked.');
    if (typeof given === 'boolean') return given;
    if (!isObject(given)) return true;
    const { $ref: reference } = given;
    // Beside a reference other keywords hold as well; what it leads to is enough here.
    if (reference !== undefined) return followed(reference, inside);
    const kept: Record<string, unknown> = {};
    const all: Schema[] = [];
    for (const [key, value] of Object.entries(given)) {
      if (plainKeys.has(key)) kept[key] = value;
      else if (schemaKeys.has(key) && !Array.isArray(value)) kept[key] = bounded(value, inside);
      else if (listKeys.has(key) && Array.isArray(value))
        kept[key] = value.map((each) => bounded(each, inside));
      else if (key === 'allOf' && Array.isArray(value))
        all.push(...value.map((each) => bounded(each, inside)));
      // Without its patterns more than one of them may fit.
      else if (key === 'oneOf' && Array.isArray(value))
        all.push({ anyOf: value.map((each) => bounded(each, inside)) });
      else if (key === 'properties' && isObject(value))
        kept[key] = Object.fromEntries(
          Object.entries(value).map(([name, each]) => [name, bounded(each, inside)]),
        );
    }
    if (all.length > 0) kept['allOf'] = all;
    // What a pattern lets in is no further property.
    if ('patternProperties' in given) delete kept['additionalProperties'];
    return kept;
  };

  const followed = (reference: unknown, inside: ReadonlySet<string>): Schema => {
    if (typeof reference !== 'string' || inside.has(reference)) return true;
    const target = targetOf(root, reference);
    return target === undefined ? true : bounded(target, new Set([...inside, reference]));
  };

  return bounded(root, new Set());
}

/** `#/$defs/name`; undefined = it leads nowhere, or out of the schema. */
function targetOf(root: unknown, reference: string): unknown {
  if (!reference.startsWith('#/')) return undefined;
  let at: unknown = root;
  for (const part of reference.slice(2).split('/')) {
    const key = part.replaceAll('~1', '/').replaceAll('~0', '~');
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, key)) return undefined;
    at = (at as Record<string, unknown>)[key];
  }
  return at;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
