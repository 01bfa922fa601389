/** Tool declarations in Gemma 4's notation: everything sorted, types in capitals, few keywords kept. */

import { printWhole, sortByKey } from './go-values.ts';
import { typesOf } from './tool-json.ts';
import type { Json, JsonObject, PropertySchema, Tool } from './types.ts';

const QUOTE = '<|"|>';

/** A property of one of these names is taken for a keyword and left out. */
const KEYWORDS: ReadonlySet<string> = new Set(['description', 'type', 'properties', 'required', 'nullable']);

export function declareTool(tool: Tool): string {
  const { name, description = '', parameters } = tool.function;
  const members = [`description:${quote(description)}`];
  if (parameters && (parameters.properties || parameters.type)) {
    const schema: string[] = [];
    if (parameters.properties && Object.keys(parameters.properties).length > 0) {
      schema.push(`properties:{${declareProperties(toSchemas(parameters.properties))}}`);
    }
    if (parameters.required && parameters.required.length > 0) {
      schema.push(`required:${quoteList(parameters.required)}`);
    }
    if (parameters.type) {
      schema.push(`type:${quote(parameters.type.toUpperCase())}`);
    }
    members.push(`parameters:{${schema.join(',')}}`);
  }
  return `declaration:${name}{${members.join(',')}}`;
}

function toSchemas(properties: Readonly<Record<string, PropertySchema>>): JsonObject {
  return Object.fromEntries(Object.entries(properties).map(([name, property]) => [name, toSchema(property)]));
}

/** Several types become one text that looks like a list; `anyOf` of bare types counts as several types. */
function toSchema(property: PropertySchema): JsonObject {
  const types = typesOf(property).length > 0 ? typesOf(property) : branchTypes(property.anyOf ?? []);
  const schema: JsonObject = {};
  if (types.length > 0) {
    const names = types.map((type) => `'${type.toUpperCase()}'`).join(', ');
    schema['type'] = types.length === 1 ? (types[0] ?? '') : `[${names}]`;
  }
  if (property.description) {
    schema['description'] = property.description;
  }
  if (property.enum) {
    schema['enum'] = [...property.enum];
  }
  if (property.items !== undefined) {
    schema['items'] = property.items;
  }
  if (property.properties) {
    schema['properties'] = toSchemas(property.properties);
  }
  if (property.required) {
    schema['required'] = [...property.required];
  }
  return schema;
}

function branchTypes(branches: readonly PropertySchema[]): string[] {
  return branches.every(isBareType) ? [...new Set(branches.flatMap(typesOf))] : [];
}

/** Whether a schema says nothing but its type or types. */
function isBareType(schema: PropertySchema): boolean {
  const { anyOf, items, description, enum: values, properties, required } = schema;
  const rest = [anyOf, description, values, required].every((keyword) => !keyword || keyword.length === 0);
  return typesOf(schema).length > 0 && rest && items === undefined && properties === undefined;
}

function declareProperties(properties: JsonObject): string {
  return sortByKey(Object.entries(properties))
    .flatMap(([name, schema]) =>
      !KEYWORDS.has(name) && isObject(schema) ? [`${name}:{${declareProperty(schema)}}`] : [],
    )
    .join(',');
}

function declareProperty(schema: JsonObject): string {
  const types = typeNames(schema['type']);
  const type = types[0];
  const members: string[] = [];
  if (typeof schema['description'] === 'string' && schema['description'] !== '') {
    members.push(`description:${quote(schema['description'])}`);
  }
  if (type === 'STRING' && Array.isArray(schema['enum']) && schema['enum'].length > 0) {
    members.push(`enum:${quoteList(schema['enum'].map(printValue))}`);
  }
  if (type === 'ARRAY' && isObject(schema['items']) && Object.keys(schema['items']).length > 0) {
    members.push(`items:{${declareItems(schema['items'])}}`);
  }
  if (schema['nullable'] === true) {
    members.push('nullable:true');
  }
  if (type === 'OBJECT') {
    const properties = isObject(schema['properties']) ? schema['properties'] : schema;
    members.push(`properties:{${declareProperties(properties)}}`);
    const required = strings(schema['required']);
    if (required.length > 0) {
      members.push(`required:${quoteList(required)}`);
    }
  }
  if (types.length > 0) {
    members.push(declareType(types));
  }
  return members.join(',');
}

/** `items` arrive as raw JSON, so every keyword of theirs is kept. */
function declareItems(items: JsonObject): string {
  return sortByKey(Object.entries(items))
    .flatMap(([key, value]) => {
      if (value === null) {
        return [];
      }
      switch (key) {
        case 'properties':
          return [`properties:{${isObject(value) ? declareProperties(value) : ''}}`];
        case 'required':
          return [`required:${quoteList(strings(value))}`];
        case 'type':
          return typeNames(value).length > 0 ? [declareType(typeNames(value))] : [];
        default:
          return [`${key}:${writeSchemaValue(value)}`];
      }
    })
    .join(',');
}

function declareType(types: readonly string[]): string {
  return `type:${types.length === 1 ? quote(types[0] ?? '') : quoteList(types)}`;
}

function typeNames(value: Json | undefined): string[] {
  return (typeof value === 'string' ? [value] : strings(value)).map((type) => type.toUpperCase());
}

function writeSchemaValue(value: Json): string {
  if (typeof value === 'string') {
    return quote(value);
  }
  if (Array.isArray(value)) {
    return `[${value.map(writeSchemaValue).join(',')}]`;
  }
  if (isObject(value)) {
    const members = sortByKey(Object.entries(value));
    return `{${members.map(([key, item]) => `${quote(key)}:${writeSchemaValue(item)}`).join(',')}}`;
  }
  return printValue(value);
}

function printValue(value: Json): string {
  if (typeof value === 'string') {
    return value;
  }
  return typeof value === 'number' ? printWhole(value) : JSON.stringify(value);
}

function strings(value: Json | undefined): string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}

function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function quote(text: string): string {
  return QUOTE + text + QUOTE;
}

function quoteList(texts: readonly string[]): string {
  return `[${texts.map(quote).join(',')}]`;
}
