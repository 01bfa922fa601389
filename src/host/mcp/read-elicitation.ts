/** A server's question to the person: bounded, and of the flat kinds that a form can show. */
import type { ElicitRequestParams, PrimitiveSchemaDefinition } from '@modelcontextprotocol/client';
import { maxFormText, textFormats, type FormField, type FormQuestion } from '../../protocol/form-question.ts';

const maxFields = 32;
const maxMessage = 2_000;
const maxLabel = 200;
const maxDescription = 1_000;
const maxOptions = 200;
const maxAddress = 2_000;

/** null = it cannot be shown as it is, so it is not shown at all. */
export function readElicitation(server: string, params: ElicitRequestParams): FormQuestion | null {
  const message = params.message.slice(0, maxMessage);
  if (params.mode === 'url') {
    const { url } = params;
    if (url.length > maxAddress || !/^https?:$/.test(protocolOf(url))) return null;
    return { server, message, wanted: { kind: 'address', url: new URL(url).href } };
  }
  const { properties, required = [] } = params.requestedSchema;
  const entries = Object.entries(properties);
  if (entries.length > maxFields) return null;
  const fields = entries.map(([name, schema]) => readField(name, schema, required.includes(name)));
  return fields.every((field) => field !== null)
    ? { server, message, wanted: { kind: 'fields', fields } }
    : null;
}

const protocolOf = (url: string): string => (URL.canParse(url) ? new URL(url).protocol : '');

function readField(name: string, schema: PrimitiveSchemaDefinition, isRequired: boolean): FormField | null {
  if (name === '' || name.length > maxLabel) return null;
  const { title = name, description = '' } = schema;
  const label = {
    name,
    title: title.slice(0, maxLabel),
    description: description.slice(0, maxDescription),
    isRequired,
  };
  switch (schema.type) {
    case 'boolean':
      return { ...label, kind: 'boolean', initial: schema.default ?? false };
    case 'number':
    case 'integer': {
      const { minimum = null, maximum = null, default: initial = null } = schema;
      return { ...label, kind: 'number', isInteger: schema.type === 'integer', minimum, maximum, initial };
    }
    case 'string':
      return 'enum' in schema || 'oneOf' in schema ? readChoice(label, schema) : readText(label, schema);
    case 'array': {
      const { minItems = 0, maxItems = maxOptions, default: initial = [], items } = schema;
      const options = 'anyOf' in items ? items.anyOf.map(titled) : items.enum.map((value) => plain(value));
      return choiceOf(label, options, { several: { min: minItems, max: maxItems }, initial });
    }
  }
}

type Label = Pick<FormField, 'name' | 'title' | 'description' | 'isRequired'>;
type Described = Extract<PrimitiveSchemaDefinition, { type: 'string' }>;
type Option = Extract<FormField, { kind: 'choice' }>['options'][number];

function readText(
  label: Label,
  schema: Exclude<Described, { enum: string[] } | { oneOf: unknown[] }>,
): FormField {
  const { minLength = 0, maxLength = maxFormText, default: initial = '' } = schema;
  return {
    ...label,
    kind: 'text',
    format: textFormats.find((format) => format === schema.format) ?? null,
    minLength,
    maxLength: Math.min(maxLength, maxFormText),
    initial: initial.slice(0, maxFormText),
  };
}

function readChoice(
  label: Label,
  schema: Extract<Described, { enum: string[] } | { oneOf: unknown[] }>,
): FormField | null {
  const options =
    'oneOf' in schema
      ? schema.oneOf.map(titled)
      : schema.enum.map((value, index) => plain(value, namesOf(schema)[index]));
  return choiceOf(label, options, {
    several: null,
    initial: schema.default === undefined ? [] : [schema.default],
  });
}

/** How titles were given before a schema could name them. */
const namesOf = (schema: object): readonly string[] =>
  'enumNames' in schema && Array.isArray(schema.enumNames) ? (schema.enumNames as string[]) : [];

const plain = (value: string, title = value): Option => ({ value, title: title.slice(0, maxLabel) });
const titled = ({ const: value, title }: { const: string; title: string }): Option => plain(value, title);

/** An option that is cut would be another one. */
function choiceOf(
  label: Label,
  options: readonly Option[],
  { several, initial }: Pick<Extract<FormField, { kind: 'choice' }>, 'several' | 'initial'>,
): FormField | null {
  if (options.length === 0 || options.length > maxOptions) return null;
  if (options.some(({ value }) => value.length > maxFormText)) return null;
  const offered = initial.filter((value) => options.some((option) => option.value === value));
  return { ...label, kind: 'choice', options: [...options], several, initial: offered };
}
