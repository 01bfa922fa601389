/** A language that nobody speaks, for drawing alone: English with every text a third longer, and accents above it. */
import { firstDictionary, type Dictionary } from '../../text/dictionaries.ts';

function stretched(value: unknown): unknown {
  if (typeof value === 'string') return longer(value);
  if (typeof value === 'function') {
    return (...about: unknown[]) =>
      stretchedBetween(Reflect.apply(value, undefined, about), about.flatMap(namesIn));
  }
  if (Array.isArray(value)) return value.map(stretched);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, unspoken.has(key) ? inner : stretched(inner)]),
  );
}

/** Figures and days have the length that they have, and nobody reads what a search finds something by. */
const unspoken = new Set(['figures', 'dates', 'searchWords', 'sampleCode']);

/** What is put in, a path or a name, is what it was. */
function stretchedBetween(said: unknown, names: readonly string[]): unknown {
  if (typeof said !== 'string') return stretched(said);
  const name = names.filter((each) => said.includes(each)).toSorted((a, b) => b.length - a.length)[0];
  if (name === undefined) return longer(said);
  return said
    .split(name)
    .map((piece) => stretchedBetween(piece, names))
    .join(name);
}

function namesIn(value: unknown): string[] {
  if (typeof value === 'string') return value.length > 1 ? [value] : [];
  return Array.isArray(value) ? value.flatMap(namesIn) : [];
}

const accents: Readonly<Record<string, string>> = { a: 'á', e: 'é', i: 'í', o: 'ö', u: 'ü' };

/** Vowels are doubled until it is a third longer. */
function longer(text: string): string {
  let wanted = Math.ceil(text.length * 0.35);
  return text.replace(/[aeiou](?=[a-z])/g, (vowel) => {
    wanted -= 1;
    return wanted >= 0 ? `${vowel}${accents[vowel] ?? vowel}` : vowel;
  });
}

export const longDictionary = stretched(firstDictionary) as Dictionary;
