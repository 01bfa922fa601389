import { sortByKey, writeJson, writeMembers, type JsonStyle } from './go-values.ts';
import type { Json, PropertySchema, Tool } from './types.ts';

type Member = readonly [string, string];

/**
 * A tool declaration as Ollama re-encodes it after decoding into its own structs: known keywords only, in the
 * structs' order. For Go templates it sorts the properties of the top level and writes an
 * absent description as an empty one.
 */
export function writeTool(tool: Tool, style: JsonStyle, path: 'rendered' | 'template'): string {
  const { name, description = '', parameters = {} } = tool.function;
  const entries = parameters.properties && Object.entries(parameters.properties);
  const properties = entries && path === 'template' ? sortByKey(entries) : entries;
  const schema = writeMembers(
    [
      ['type', writeJson(parameters.type ?? '', style)],
      ...optional('$defs', parameters.$defs, style),
      ...optional('items', parameters.items, style),
      ...optionalList('required', parameters.required, style),
      ['properties', properties ? writeProperties(properties, style) : 'null'],
    ],
    style,
  );
  const declaration = writeMembers(
    [
      ['name', writeJson(name, style)],
      ...(path === 'template' || description !== ''
        ? [['description', writeJson(description, style)] as const]
        : []),
      ['parameters', schema],
    ],
    style,
  );
  return writeMembers(
    [
      ['type', writeJson(tool.type, style)],
      ...optional('items', tool.items, style),
      ['function', declaration],
    ],
    style,
  );
}

/** `type` may be one name or several. */
export function typesOf(property: PropertySchema): readonly string[] {
  return typeof property.type === 'string' ? [property.type] : (property.type ?? []);
}

export function writeProperties(
  entries: readonly (readonly [string, PropertySchema])[],
  style: JsonStyle,
): string {
  return writeMembers(
    entries.map(([name, property]) => [name, writeProperty(property, style)]),
    style,
  );
}

function writeProperty(property: PropertySchema, style: JsonStyle): string {
  const branches = property.anyOf?.map((branch) => writeProperty(branch, style)) ?? [];
  const types = typesOf(property);
  return writeMembers(
    [
      ...(branches.length > 0 ? [['anyOf', `[${branches.join(style.comma)}]`] as const] : []),
      ...(types.length === 1 ? optional('type', types[0], style) : optionalList('type', types, style)),
      ...optional('items', property.items, style),
      ...optional('description', property.description, style),
      ...optionalList('enum', property.enum, style),
      ...(property.properties
        ? [['properties', writeProperties(Object.entries(property.properties), style)] as const]
        : []),
      ...optionalList('required', property.required, style),
    ],
    style,
  );
}

/** Absent, null and empty text are left out. */
function optional(key: string, value: Json | undefined, style: JsonStyle): Member[] {
  return value === undefined || value === null || value === '' ? [] : [[key, writeJson(value, style)]];
}

function optionalList(key: string, list: readonly Json[] | undefined, style: JsonStyle): Member[] {
  return list === undefined || list.length === 0 ? [] : [[key, writeJson([...list], style)]];
}
