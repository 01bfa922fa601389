import type { Json, PropertySchema } from '../render/index.ts';

/**
 * Parameters arrive as text and take the type their tool declares; what does not fit stays text.
 * A literal `null` is null whatever is declared.
 */
export function coerceParameter(text: string, schema: PropertySchema | undefined): Json {
  if (text.trim().toLowerCase() === 'null') return null;
  for (const type of typesOf(schema)) {
    const value = coerceTo(type, text);
    if (value !== undefined) return value;
  }
  return text;
}

function typesOf(schema: PropertySchema | undefined): string[] {
  if (schema === undefined) return [];
  const own = schema.type === undefined ? [] : [schema.type].flat();
  const nested = (schema.anyOf ?? []).flatMap(typesOf);
  // A string takes anything, so it is tried last.
  return [...own, ...nested].toSorted((a, b) => Number(a === 'string') - Number(b === 'string'));
}

function coerceTo(type: string, text: string): Json | undefined {
  switch (type) {
    case 'integer':
      return /^\s*-?\d+\s*$/.test(text) ? Number(text) : undefined;
    case 'number':
      return text.trim() !== '' && Number.isFinite(Number(text)) ? Number(text) : undefined;
    case 'boolean': {
      const word = text.trim().toLowerCase();
      return word === 'true' ? true : word === 'false' ? false : undefined;
    }
    case 'array':
    case 'object':
      return parsedAs(type, text);
    default:
      return undefined;
  }
}

function parsedAs(type: 'array' | 'object', text: string): Json | undefined {
  try {
    const value = JSON.parse(text) as Json;
    const isArray = Array.isArray(value);
    return type === (isArray ? 'array' : typeof value) && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}
